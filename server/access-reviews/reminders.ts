/** The reviews that are due to be closed or continued, and the notices that are due. */
import { sql } from 'kysely'
import type { Reads, Tx } from '../platform/database/db.ts'
import { hasUnjudged } from './people.ts'

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

/** The open reviews whose time is over. */
export const findDue = async (db: Reads) =>
  idsOf(
    (
      await sql<{ id: number }>`
        select id from access_reviews where status = 'open' and clock_timestamp() >= end_of_day(due_date) order by id`.execute(db)
    ).rows,
  )

/** The reviews that are being closed, without a job that does it: it failed too often. */
export const findInterrupted = async (db: Reads) =>
  idsOf(
    (
      await sql<{ id: number }>`
        select id from access_reviews as r where status = 'closing' and not exists (
          select from graphile_worker.jobs where queue_name = 'access_review_' || r.id and attempts < max_attempts) order by id`.execute(db)
    ).rows,
  )

/** The notices that are sent besides the first one. */
export type Template = 'access_review_half' | 'access_review_ends' | 'access_review_unjudged'

const wasSent = (template: Template, of = sql``) =>
  sql`exists (select from access_review_notices as sent where sent.review_id = r.id and sent.template = ${sql.lit(template)} ${of})`
const END = sql`end_of_day(r.due_date)`
/** SQL: whether a notice about a review `r` is due; of those by the clock, none whose time had passed when the review was made. */
const HALF_DUE = sql`(now() >= r.created_at + (${END} - r.created_at) / 2 and not ${wasSent('access_review_half')})`
const DAY_DUE = sql`(now() >= ${END} - interval '1 day' and r.created_at < ${END} - interval '1 day'
  and not ${wasSent('access_review_ends', sql`and sent.due_date = r.due_date`)})`
const UNJUDGED_SENT = wasSent('access_review_unjudged')

/** The open reviews of which a notice is due. */
export async function findUnreminded(db: Reads) {
  const { rows } = await sql<{ id: number; isTimed: boolean; unjudgedSent: boolean }>`
    select r.id, ${HALF_DUE} or ${DAY_DUE} as is_timed, ${UNJUDGED_SENT} as unjudged_sent
    from access_reviews as r where r.status = 'open' order by r.id`.execute(db)
  const due: number[] = []
  for (const { id, isTimed, unjudgedSent } of rows) if (isTimed || (!unjudgedSent && (await hasUnjudged(db, id)))) due.push(id)
  return due
}

/** Notes that these are sent, so that no other does. */
export const noteNotices = (tx: Tx, { id, dueDate }: { id: number; dueDate: string }, templates: readonly Template[]) =>
  sql`
    insert into access_review_notices (review_id, template, due_date)
    select ${id}::int, template, ${dueDate}::date from unnest(${templates}::text[]) as template on conflict do nothing`.execute(tx)

interface Reminded {
  id: number
  titleAr: string | null
  titleEn: string | null
  dueDate: string
  isHalf: boolean
  isDay: boolean
  unjudgedSent: boolean
}
/** Notes which notices about a review are due, and returns these. If both of its times have passed, only the later one is sent. */
export async function takeReminders(tx: Tx, id: number) {
  const { rows } = await sql<Reminded>`
    select r.id, r.title_ar, r.title_en, r.due_date, ${HALF_DUE} as is_half, ${DAY_DUE} as is_day, ${UNJUDGED_SENT} as unjudged_sent
    from access_reviews as r where r.id = ${id} and r.status = 'open' for update`.execute(tx)
  if (!rows[0]) return
  const { isHalf, isDay, unjudgedSent, ...review } = rows[0]
  const isUnjudged = !unjudgedSent && (await hasUnjudged(tx, id))
  const due: Template[] = [
    ...(isHalf ? (['access_review_half'] as const) : []),
    ...(isDay ? (['access_review_ends'] as const) : []),
    ...(isUnjudged ? (['access_review_unjudged'] as const) : []),
  ]
  await noteNotices(tx, review, due)
  return { ...review, templates: isDay ? due.filter((template) => template !== 'access_review_half') : due }
}
