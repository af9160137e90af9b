import { requireInAdministration } from '../../platform/auth/confirmation.ts'
import { takeDeleted } from '../../platform/changes/kept.ts'
import { changed } from '../../platform/changes/outcome.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command } from '../../platform/http/endpoint.ts'
import { restorations } from './queries.ts'
import { Restored, UndoParams } from './shapes.ts'

export const undoDeletion = command('POST /admin/undo/:auditId', {
  summary: 'Undo the deletion of an app, a service, a category, a group, a role or a permission within 30 seconds',
  description:
    '`auditId` is the entry of the deletion in the audit log. Links that were deleted with the record are restored as far as they still fit: a role grants its permissions again, a category has its services again, service accounts hold a group or role again, and the policies that named a group name it again. Forced deletions cannot be undone: they are not found, like entries of other kinds.',
  allow: 'admin',
  scope: 'admin:write',
  locks: 'access',
  params: UndoParams,
  reply: Restored,
  refuses: ['not_found', 'slug_taken', 'name_taken', { code: 'undo_window_expired', status: 409 }],
  run: async ({ tx, session, params: { auditId } }) => {
    const deletion = (await takeDeleted(tx, auditId)) ?? refuse('not_found')
    const { action, targetType, targetId, rows } = deletion
    const restore = restorations.get(action) ?? refuse('not_found')
    if (!rows) return refuse('undo_window_expired', { status: 409 })
    const changes = await restore(tx, { id: targetId, rows, undoes: auditId })
    const [restored] = changes
    if (restored.kind === 'role.restored' && restored.facts.permissionIds.length > 0) await requireInAdministration(tx, session)
    return changed({ targetType, targetId }, ...changes)
  },
})
