/** The notices that are sent while a review is open. */
import { sql } from 'kysely'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Due, Reminders } from '../../platform/jobs/reminders.ts'
import { isUnjudged } from './people.ts'
import { titlesOf } from './rules.ts'

type Template = 'access_review_half' | 'access_review_ends' | 'access_review_unjudged'

const OPEN = sql`access_reviews as r where r.status = 'open' and end_of_day(r.due_date) > now()`

/**
 * Locks the due reviews that are still open. Returns for each the change that sends its notice; `templateOf` chooses the template by the
 * `days` of the reminder.
 */
async function tellOf(tx: Tx, due: readonly Due[], templateOf: (days: number) => Template): Promise<Change[]> {
  const daysOf = new Map(due.map(({ subjectId, days }) => [subjectId, days]))
  const { rows } = await sql<{ id: number; titleAr: string | null; titleEn: string | null; dueDate: string }>`
    select id, title_ar, title_en, due_date from access_reviews
    where id = any(${[...daysOf.keys()]}::int[]) and status = 'open' order by id for update`.execute(tx)
  return rows.map(
    ({ id, dueDate, ...titles }): Change => ({
      kind: 'access_review.reminded',
      targetId: id,
      facts: { ...titlesOf(titles), dueDate, template: templateOf(daysOf.get(id)!) },
    }),
  )
}

/**
 * Reminders at half time, once for each review, stored with 0 `days`; and one day before each end, unless the review began after that
 * moment.
 */
const times: Reminders = {
  name: 'access_review',
  planned: sql`
    select id as subject_id, 0 as object_id, 'infinity'::timestamptz as deadline, 0 as days,
      created_at + (end_of_day(due_date) - created_at) / 2 as due_at
    from ${OPEN}
    union all
    select id, 0, (due_date + 1)::timestamp at time zone 'UTC', 1, end_of_day(due_date) - interval '1 day'
    from ${OPEN} and created_at < end_of_day(due_date) - interval '1 day'`,
  changes: (tx, due) => tellOf(tx, due, (days) => (days === 0 ? 'access_review_half' : 'access_review_ends')),
}

/** A reminder to administrators once a review has items that nobody else can judge. */
export const unjudgedReminders: Reminders = {
  name: 'access_review_unjudged',
  planned: sql`select id as subject_id, 0 as object_id, 'infinity'::timestamptz as deadline, 0 as days, created_at as due_at from ${OPEN}`,
  stands: isUnjudged(sql`subject_id`),
  changes: (tx, due) => tellOf(tx, due, () => 'access_review_unjudged'),
}

export const accessReviewReminders = [times, unjudgedReminders]
