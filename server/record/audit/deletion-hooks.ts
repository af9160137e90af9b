import { deletionHook } from '../../platform/changes/deletion-hooks.ts'

export const auditDeletionHooks = [
  deletionHook({
    of: 'users',
    columns: ['ledger.actor_id', 'permission_history.actor_id', 'audit_counts.actor_id'],
    stays: 'what was done stays written, under the name its author had',
  }),
  ...(['users', 'roles', 'permissions', 'groups', 'meetings'] as const).map((of) =>
    deletionHook({ of, columns: ['ledger.target_id'], stays: 'what was done to it stays written' }),
  ),
  ...(['users', 'roles', 'permissions', 'groups'] as const).map((of) =>
    deletionHook({
      of,
      columns: ['permission_history.target_id', 'permission_history.added', 'permission_history.removed'],
      stays: 'what a set gained and lost stays written',
    }),
  ),
]
