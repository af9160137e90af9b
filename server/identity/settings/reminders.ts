/** Reminds people of the second factor that a role demands, 7, 3 and 1 days before the grace ends, but never before the duty began. */
import { sql } from 'kysely'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Reminders } from '../../platform/jobs/reminders.ts'
import { readSettings } from '../../site/settings/queries.ts'
import { enrolmentNotice } from './rules.ts'

export const enrolmentReminders: Reminders = {
  name: 'enrolment',
  planned: sql`
    select user_id as subject_id, 0 as object_id, deadline, days, due_at
    from user_access cross join sign_in_settings cross join (values (7), (3), (1)) as stage (days)
      cross join lateral (select must_enrol_at + make_interval(days => grace_days) as deadline) as grace
      cross join lateral (select deadline - make_interval(days => days) as due_at) as moment
    where must_enrol_at is not null and is_active and deadline > now() and must_enrol_at <= due_at`,
  stands: sql`not has_factor(subject_id) and has_duty(subject_id)`,
  changes: async (tx, due) => {
    const { timeZone } = await readSettings(tx)
    return due.map(({ subjectId, deadline }): Change => {
      const payload = enrolmentNotice(deadline, timeZone)
      return { kind: 'user.reminded_of_enrolment', targetId: subjectId, facts: { due: deadline.toISOString() }, payload, author: null }
    })
  },
}
