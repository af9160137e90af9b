/** Reminders for people whose roles require a second factor. */
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'

interface Due {
  userId: number
  due: Date
}

/**
 * Notes that active people who must set up a second factor within 7, 3 or 1 days are reminded of it, and returns at most `most` of them. Of
 * reminders that are due at once, only the last is noted, and none of a moment before the duty began.
 */
export async function noteEnrolmentReminders(tx: Tx, most: number) {
  const { rows } = await sql<Due>`
    with obliged as (
      select user_id, must_enrol_at, must_enrol_at + make_interval(days => grace_days) as due
      from user_access cross join sign_in_settings where must_enrol_at is not null and is_active),
    reminded as (
      select user_id, due, stage.days
      from obliged
        join (values (1, 0), (3, 1), (7, 3)) as stage (days, until)
          on due - make_interval(days => stage.days) <= now() and due - make_interval(days => stage.until) > now()
            and must_enrol_at <= due - make_interval(days => stage.days)
      where not exists (
          select from enrolment_reminders as sent
          where sent.user_id = obliged.user_id and sent.due = obliged.due and sent.days = stage.days)
        and has_duty(user_id) and not has_factor(user_id)
      order by user_id limit ${most})
    insert into enrolment_reminders (user_id, due, days) select user_id, due, days from reminded returning user_id, due`.execute(tx)
  return rows
}

export const forgetOldReminders = (tx: Tx) => sql`delete from enrolment_reminders where due <= now()`.execute(tx)
