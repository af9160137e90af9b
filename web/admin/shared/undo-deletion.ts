import { attempt } from '../../parts/failures.ts'
import { say } from '../../parts/toasts.tsx'
import { invalidate } from '../../platform/cache.ts'
import { answer, api } from '../../platform/client.ts'
import type { Readable } from '../../platform/readable.ts'
import { t } from '../texts.ts'

/** How long the portal can undo a deletion, in ms, less what the call may take. */
const UNDO_MS = 28_000

/** Says that a record was deleted; undoing brings it back with all that it had, and reads `lists` again. */
export function sayDeleted(text: string, targetType: string, targetId: number, lists: Readable[]) {
  const undo = async () => {
    const restore = async () => {
      const { entries } = await answer(api.GET('/admin/audit-logs', { params: { query: { targetType, targetId, limit: 1 } } }))
      const deletion = entries[0]
      if (deletion) await answer(api.POST('/admin/undo/{auditId}', { params: { path: { auditId: deletion.id } } }))
      invalidate(...lists)
    }
    if (await attempt(restore())) say({ text: t.isBack })
  }
  say({ text, undo, undoUntil: Date.now() + UNDO_MS })
}
