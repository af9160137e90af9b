import { sql } from 'kysely'
import { departure } from '../platform/changes/departures.ts'

export const groupDepartures = [
  departure({ of: 'users', holds: ['group_users.user_id'] }),
  departure({
    of: 'roles',
    holds: ['group_roles.role_id'],
    counts: { groupCount: sql<number>`(select count(*) from group_roles where role_id = roles.id)` },
  }),
  departure({
    of: 'groups',
    holds: ['group_users.group_id'],
    counts: { memberCount: sql<number>`(select count(*) from group_users where group_id = groups.id)` },
  }),
  departure({
    of: 'groups',
    holds: ['group_apps.group_id'],
    counts: { appCount: sql<number>`(select count(*) from group_apps where group_id = groups.id)` },
  }),
  departure({
    of: 'groups',
    holds: ['group_roles.group_id'],
    counts: { roleCount: sql<number>`(select count(*) from group_roles where group_id = groups.id)` },
  }),
]
