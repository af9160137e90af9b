import { sql } from 'kysely'
import { deletionHook } from '../platform/changes/deletion-hooks.ts'

export const groupDeletionHooks = [
  deletionHook({ of: 'users', columns: ['group_users.user_id'] }),
  deletionHook({
    of: 'roles',
    columns: ['group_roles.role_id'],
    counts: { groupCount: sql<number>`(select count(*) from group_roles where role_id = roles.id)` },
  }),
  deletionHook({
    of: 'groups',
    columns: ['group_users.group_id'],
    counts: { memberCount: sql<number>`(select count(*) from group_users where group_id = groups.id)` },
  }),
  deletionHook({
    of: 'groups',
    columns: ['group_apps.group_id'],
    counts: { appCount: sql<number>`(select count(*) from group_apps where group_id = groups.id)` },
  }),
  deletionHook({
    of: 'groups',
    columns: ['group_roles.group_id'],
    counts: { roleCount: sql<number>`(select count(*) from group_roles where group_id = groups.id)` },
  }),
]
