/**
 * Reminds people a week before a grant ends, and again a day before. A grant that is given, or gets its end, after one of these moments has
 * no reminder for that moment.
 */
import { sql } from 'kysely'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Reminders } from '../../platform/jobs/reminders.ts'
import { titlesOf } from '../../platform/text.ts'
import { tables } from './queries.ts'
import type { GrantKind } from './rules.ts'

interface Named {
  id: number
  name: string
  descriptionAr: string | null
  descriptionEn: string | null
}

function remindersOf(kind: GrantKind): Reminders {
  const { table, id, named } = tables[kind]
  return {
    name: kind === 'group' ? 'membership' : 'role',
    planned: sql`
      select user_id as subject_id, ${id} as object_id, expires_at as deadline, days, due_at
      from ${table} join users on users.id = user_id and is_active and kind = 'person' cross join (values (7), (1)) as stage (days)
        cross join lateral (select expires_at - make_interval(days => days) as due_at) as moment
      where expires_at > statement_timestamp() and expires_at <= statement_timestamp() + interval '7 days' and changed_at < due_at`,
    changes: async (tx, due) => {
      const { rows } = await sql<Named>`
        select id, name, description_ar, description_en from ${named} as named
        where id = any(${due.map(({ objectId }) => objectId)}::int[])`.execute(tx)
      const byId = new Map(rows.map((one) => [one.id, one]))
      return due.flatMap(({ subjectId, objectId, deadline }): Change[] => {
        const granted = byId.get(objectId)
        if (!granted) return []
        const facts = { of: kind, id: objectId, name: granted.name, expiresAt: deadline.toISOString() }
        return [{ kind: 'user.reminded_of_end', targetId: subjectId, facts, payload: { titles: titlesOf(granted) }, author: null }]
      })
    },
  }
}

export const grantReminders = [remindersOf('group'), remindersOf('role')]
