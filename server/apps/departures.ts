import { sql } from 'kysely'
import { departure } from '../platform/changes/departures.ts'
import { forgetAppOpens } from './queries.ts'

export const appDepartures = [
  departure({ of: 'users', holds: ['app_orders.user_id'] }),
  departure({ of: 'users', holds: ['app_opens.user_id'], gone: (tx, id) => forgetAppOpens(tx, { of: 'user', id }) }),
  departure({
    of: 'permissions',
    holds: ['app_permissions.permission_id'],
    counts: { appCount: sql<number>`(select count(*) from app_permissions where permission_id = permissions.id)` },
  }),
]
