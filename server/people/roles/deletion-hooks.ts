import { sql } from 'kysely'
import { deletionHook } from '../../platform/changes/deletion-hooks.ts'

export const roleDeletionHooks = [
  deletionHook({ of: 'roles', columns: ['role_permissions.role_id'] }),
  deletionHook({
    of: 'permissions',
    columns: ['role_permissions.permission_id'],
    counts: { roleCount: sql<number>`(select count(*) from role_permissions where permission_id = permissions.id)` },
  }),
]
