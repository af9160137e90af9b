import { say } from '../../parts/overlay/toasts.tsx'
import { readAll, UNDO_MS } from './holding.ts'
import { t } from './texts.ts'

/** Marks all as read, and offers an undo. */
export function markAllRead() {
  const undo = readAll()
  say({ about: 'notifications', text: t.allRead, undo, undoUntil: Date.now() + UNDO_MS })
}
