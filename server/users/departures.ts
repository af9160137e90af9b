import { sql } from 'kysely'
import { departure } from '../platform/changes/departures.ts'

export const userDepartures = [
  departure({ of: 'users', holds: ['user_roles.user_id', 'user_access.user_id', 'username_looks.user_id', 'last_seen.user_id'] }),
  departure({
    of: 'roles',
    holds: ['user_roles.role_id'],
    counts: { userCount: sql<number>`(select count(*) from user_roles where role_id = roles.id)` },
  }),
]
