/** Reminds owners 14 and 3 days before a token ends. A token that was made after such a moment gets no reminder for it. */
import { sql } from 'kysely'
import type { Reminders } from '../../platform/jobs/reminders.ts'
import { announced } from './issue.ts'
import { findEnding } from './queries.ts'

export const tokenReminders: Reminders = {
  name: 'token',
  planned: sql`
    select t.id as subject_id, 0 as object_id, 'infinity'::timestamptz as deadline, days, due_at
    from api_tokens as t join sessions on sessions.id = t.session_id and sessions.ended_at is null
      join access_versions as a on a.user_id = t.user_id and a.is_active cross join (values (14), (3)) as stage (days)
      cross join lateral (select t.expires_at - make_interval(days => days) as due_at) as moment
    where t.expires_at > statement_timestamp() and t.expires_at <= statement_timestamp() + interval '14 days' and t.created_at < due_at`,
  changes: async (tx, due) =>
    (
      await findEnding(
        tx,
        due.map(({ subjectId }) => subjectId),
      )
    ).map(({ userId, name, lastFour, expiresAt }) =>
      announced({ targetId: userId, facts: { news: 'ends_soon', name, lastFour, expiresAt: expiresAt.toISOString() } }),
    ),
}
