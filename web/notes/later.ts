/** What is deleted leaves the page at once and the portal when undoing has ended. */
import { say } from '../parts/toasts.tsx'
import { type Removable, removeSoon } from '../platform/removals.ts'

export { isLeaving } from '../platform/removals.ts'

/** Deletes a record after 15 seconds, unless the person takes it back. */
export const removeLater = (path: Removable, id: number, text: string) => void say({ text, undo: removeSoon(path, id) })
