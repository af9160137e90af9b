import { sql } from 'kysely'
import { deletionHook } from '../platform/changes/deletion-hooks.ts'

export const userDeletionHooks = [
  deletionHook({ of: 'users', columns: ['user_roles.user_id', 'user_access.user_id', 'username_looks.user_id', 'last_seen.user_id'] }),
  deletionHook({
    of: 'roles',
    columns: ['user_roles.role_id'],
    counts: { userCount: sql<number>`(select count(*) from user_roles where role_id = roles.id)` },
  }),
]
