import { sql } from 'kysely'
import { deletionHook } from '../../platform/changes/deletion-hooks.ts'
import { forgetAppOpens } from './queries.ts'

export const appDeletionHooks = [
  deletionHook({ of: 'users', columns: ['app_orders.user_id'] }),
  deletionHook({ of: 'users', columns: ['app_opens.user_id'], gone: (tx, id) => forgetAppOpens(tx, { of: 'user', id }) }),
  deletionHook({
    of: 'permissions',
    columns: ['app_permissions.permission_id'],
    counts: { appCount: sql<number>`(select count(*) from app_permissions where permission_id = permissions.id)` },
  }),
]
