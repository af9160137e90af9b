import { say } from '../../overlay/toasts.tsx'
import { isInOrder } from './order.ts'
import { t } from './undoing-texts.ts'

/** The undo of an order that was saved. It leaves an order that somebody else has saved since; `now` reads the present records. */
export const undoOrder =
  <T extends { id: number }>(order: readonly T[], now: () => readonly T[] | undefined, undo: () => unknown) =>
  () =>
    void (isInOrder(now() ?? [], order) ? undo() : say({ text: t.notUndone, kind: 'error' }))
