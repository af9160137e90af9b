import { sql } from 'kysely'
import { departure } from '../platform/changes/departures.ts'

export const roleDepartures = [
  departure({ of: 'roles', holds: ['role_permissions.role_id'] }),
  departure({
    of: 'permissions',
    holds: ['role_permissions.permission_id'],
    counts: { roleCount: sql<number>`(select count(*) from role_permissions where permission_id = permissions.id)` },
  }),
]
