/** Deleted records disappear from the page at once, and from the portal when undo has expired. */
import { say } from '../../parts/overlay/toasts.tsx'
import { type Removable, removeSoon } from '../../platform/removals.ts'

export { isLeaving } from '../../platform/removals.ts'

/** Deletes a record after 15 seconds, unless the person undoes it. */
export const removeLater = (path: Removable, id: number, text: string) => void say({ text, undo: removeSoon(path, id) })
