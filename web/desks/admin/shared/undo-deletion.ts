import { say } from '../../../parts/overlay/toasts.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { invalidate } from '../../../platform/cache.ts'
import { answer, api, type Schemas } from '../../../platform/client.ts'
import type { Readable } from '../../../platform/readable.ts'
import { onward } from '../../../platform/router.ts'
import { t } from '../texts.ts'

/** The time in which the portal can undo a deletion, less a margin for the call. */
const UNDO_MS = 28_000

interface Deleted {
  type: Schemas['AuditLogEntry']['targetType']
  id: number
  /** The lists to reload after undo. */
  lists: Readable[]
  /** The page to open after undo. */
  path?: string
}

/** Says that a record was deleted, and offers to restore it with everything that was deleted with it. */
export function sayDeleted(text: string, { type, id, lists, path }: Deleted) {
  async function restore() {
    const { entries } = await answer(api.GET('/admin/audit-logs', { params: { query: { targetType: type, targetId: id, limit: 1 } } }))
    const deletion = entries[0]
    if (deletion) await answer(api.POST('/admin/undo/{auditId}', { params: { path: { auditId: deletion.id } } }))
    invalidate(...lists)
  }
  const undo = async () => {
    const goOn = onward()
    if (!(await attempt(restore()))) return
    say({ text: t.isBack })
    if (path) goOn(path)
  }
  say({ text, undo, undoUntil: Date.now() + UNDO_MS })
}
