/** The event that tells administrators of new entries of the audit log. */
import { sql } from 'kysely'
import { administrators } from '../../platform/auth/held.ts'
import type { EntriesEvent } from '../../platform/changes/record.ts'
import { jsonObject } from '../../platform/database/json.ts'

const entryJson = sql.raw(
  jsonObject({
    targetType: 'target_type',
    targetId: 'nullif(target_id, 0)',
    action: 'action',
    actorId: 'actor_id',
    version: 'id',
  }),
)

export const entriesEvent: EntriesEvent = {
  readers: administrators,
  select: (entries, to) => sql`
    select id as rank, 'admin_changed' as event, ${entryJson} as data, ${to} as recipients, null::int[] as sessions
    from ${entries.name} where action is not null`,
}
