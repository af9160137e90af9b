import { type RawBuilder, sql } from 'kysely'
import { isOfPerson } from '../../platform/auth/held.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { keptPerson, type Person } from '../../platform/database/json.ts'
import { alphabetically } from '../../platform/database/search.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { type Page, pageOf } from '../../platform/http/page.ts'
import type { Language } from '../../platform/tables.ts'
import type { ReviewStatus, Verdict } from './rules.ts'

interface ReviewView {
  id: number
  titleAr: string | null
  titleEn: string | null
  groupIds: number[]
  roleIds: number[]
  reviewerUserIds: number[]
  dueDate: string
  ifSilent: Verdict
  status: ReviewStatus
  counts: Record<'total' | 'keep' | 'remove' | 'undecided' | 'skipped', number> & { done?: number }
  uncovered: { roleId: number; groupId: number; name: string; memberCount: number }[]
  createdBy: Person
  createdAt: Date
  closedBy: Person | null
  closedAt: Date | null
}

export interface Reader {
  id: number
  isAdmin: boolean
  language: Language
}

/** SQL: a person as in `keptPerson`; null without an id. */
export const keptOrNull = (id: string, username: string) => sql.raw(`case when ${id} is not null then ${keptPerson(id, username)} end`)

/** SQL: the status of a review `r`. From the end of its due date an open review counts as `closing`, even before the job closes it. */
const statusNow = sql<ReviewStatus>`case when r.status = 'open' and clock_timestamp() >= end_of_day(r.due_date) then 'closing' else r.status end`

/** SQL: the scope in which an item `i` of a review `r` is judged; see `access_reviewers`. */
export const scopeOf = sql`case when cardinality(r.reviewer_user_ids) > 0 then -1 else coalesce(i.group_id, 0) end`

/** SQL: the groups of which a person is an approver. PostgreSQL finds them once for a statement. */
const approvedBy = (personId: number) =>
  sql`(select array(select group_id from request_policies where approves(group_id, ${personId})))::int[]`

/** SQL: whether somebody is a reviewer of the review `r`. */
const reviews = ({ id, isAdmin }: Reader) => sql`(
  ${id} = any(r.reviewer_user_ids) or cardinality(r.reviewer_user_ids) = 0
    and (r.group_ids && ${approvedBy(id)} ${isAdmin ? sql`or cardinality(r.role_ids) > 0` : sql``}))`

/**
 * SQL: the scopes that a reader without the role `admin` judges in a review `r`, as `own`. `offset` keeps the subquery from running for
 * each item.
 */
const ownScopes = (personId: number) => sql`
  cross join lateral (
    select case
      when ${personId} = any(r.reviewer_user_ids) then array[-1]
      when cardinality(r.reviewer_user_ids) > 0 then '{}'
      else array(select one from unnest(r.group_ids) as one where one = any(${approvedBy(personId)})) end as scopes offset 0) as own`

/** The scopes that a reader judges in a review; null for administrators, who may judge all. Refuses `not_found` unless they are a reviewer. */
export async function readScopes(db: Reads, reviewId: number, { id, isAdmin }: Reader) {
  if (isAdmin) return null
  const { rows } = await sql<{ scope: number }>`select scopes_of_reviewer(${reviewId}, ${id}) as scope`.execute(db)
  return rows.length > 0 ? rows.map(({ scope }) => scope) : refuse('not_found')
}

const among = (ids: readonly number[] | null) => (ids ? sql`id = any(${ids}::int[])` : sql`true`)

/** The items of a review, all or those among `ids`, that are to take the role `admin` from somebody, with their fates. */
export async function findTakings(tx: Tx, reviewId: number, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; fate: 'remove' | 'not_confirmed' }>`
    select id, fate from review_fates
    where review_id = ${reviewId} and ${among(ids)} and gives_admin and fate in ('remove', 'not_confirmed') order by id`.execute(tx)
  return rows
}

/**
 * Marks takings of the role `admin` by a review, or by these items of it, as confirmed. It does not check that the caller has confirmed:
 * `guardAdministration` does so after the command.
 */
export const confirmTakings = (tx: Tx, reviewId: number, ids: readonly number[] | null = null) =>
  sql`
    update access_review_items set decided_with = case when confirm_administration then 'confirmation' else 'session' end
    from sign_in_settings
    where id in (select id from review_fates where review_id = ${reviewId} and ${among(ids)} and fate = 'not_confirmed')`.execute(tx)

const ALL_ITEMS = -1
/** SQL: whether a reader with these scopes may judge an item `i`: nobody judges their own. */
export const mayJudge = ({ id }: Reader, scopes: readonly number[] | null) =>
  scopes === null || scopes.includes(ALL_ITEMS)
    ? sql<boolean>`i.user_id <> ${id}`
    : sql<boolean>`i.user_id <> ${id} and i.group_id = any(${scopes}::int[])`

/** SQL: the items `i` of a review `r` that a reader may judge. */
const judgedBy = ({ id, isAdmin }: Reader) => sql`
  from access_review_items as i where i.review_id = r.id and i.user_id <> ${id} and ${isAdmin ? sql`true` : sql`${scopeOf} = any(own.scopes)`}`

/**
 * SQL: the counts of the items that a reader may judge. `done` queries only the items without an outcome, because the page asks for it
 * repeatedly.
 */
const countsFor = (reader: Reader) => sql`(
  select json_strip_nulls(json_build_object('total', count(*), 'keep', count(*) filter (where i.state = 'keep'),
    'remove', count(*) filter (where i.state = 'remove'), 'undecided', count(*) filter (where i.state = 'undecided'),
    'skipped', count(*) filter (where i.state = 'skipped'),
    'done', case when ${statusNow} = 'closing' then count(*) - (select count(*) ${judgedBy(reader)} and i.outcome is null) end))
  ${judgedBy(reader)})`

const uncoveredFor = ({ language }: Reader) => sql`(
  select coalesce(json_agg(json_build_object('roleId', gr.role_id, 'groupId', g.id, 'name', g.name,
      'memberCount', (select count(*) from group_users where group_id = g.id and ${isOfPerson}))
      order by gr.role_id, ${alphabetically(sql.ref('g.name'), language)}, g.id), '[]')
  from group_roles as gr join groups as g on g.id = gr.group_id
  where gr.role_id = any(r.role_ids) and g.id <> all(r.group_ids))`

const viewOf = (reader: Reader, which: RawBuilder<unknown>) => sql<ReviewView>`
  select r.id, r.title_ar, r.title_en, r.group_ids, r.role_ids, r.reviewer_user_ids, r.due_date, r.if_silent, ${statusNow} as status,
    ${countsFor(reader)} as counts, ${uncoveredFor(reader)} as uncovered,
    ${sql.raw(keptPerson('r.created_by', 'r.created_by_username'))} as created_by, r.created_at,
    ${keptOrNull('r.closed_by', 'r.closed_by_username')} as closed_by, r.closed_at
  from access_reviews as r ${reader.isAdmin ? sql`` : ownScopes(reader.id)} ${which}`

/** A review for one of its readers. Refuses `not_found` to everybody else. */
export async function readReview(db: Reads, id: number, reader: Reader) {
  const isReader = reader.isAdmin ? sql`true` : sql`cardinality(own.scopes) > 0`
  const { rows } = await viewOf(reader, sql`where r.id = ${id} and ${isReader}`).execute(db)
  return rows[0] ?? refuse('not_found')
}

interface ReviewFilter extends Page {
  view?: 'mine' | 'all'
  status?: ReviewStatus
}
/** A page of the reviews that the reader reviews, or of all, newest first. */
export async function pageReviews(db: Reads, { view, status, ...page }: ReviewFilter, reader: Reader) {
  const isMeant = sql`where ${view === 'all' ? sql`true` : reviews(reader)} and ${status ? sql`${statusNow} = ${status}` : sql`true`}`
  const { rows: counted } = await sql<{ count: number }>`select count(*) from access_reviews as r ${isMeant}`.execute(db)
  const { rows } = await viewOf(reader, sql`${isMeant} order by r.id desc limit ${page.limit!} offset ${page.offset!}`).execute(db)
  return pageOf('items', rows, counted[0]!.count, page)
}

/** The fields of a review that commands need. */
export type ReviewRecord = Omit<ReviewView, 'counts' | 'uncovered' | 'createdBy' | 'createdAt' | 'closedBy' | 'closedAt'>
const RECORD = sql`r.id, r.title_ar, r.title_en, r.group_ids, r.role_ids, r.reviewer_user_ids, r.due_date, r.if_silent, ${statusNow} as status`

const readRecord = async (db: Reads, id: number, lock: RawBuilder<unknown>) =>
  (await sql<ReviewRecord>`select ${RECORD} from access_reviews as r where r.id = ${id} ${lock}`.execute(db)).rows[0] ?? refuse('not_found')

/** Refuses `not_found`. */
export const findReview = (db: Reads, id: number) => readRecord(db, id, sql``)

/** Locks a review against everything until the transaction ends. Refuses `not_found`. */
export const lockReview = (tx: Tx, id: number) => readRecord(tx, id, sql`for update`)

/** Locks a review for verdicts: several calls may judge at once, but not while the review changes. */
export const lockForVerdicts = (tx: Tx, id: number) => readRecord(tx, id, sql`for share`)

/** The first and the last day on which a review may be due. */
export async function dueDates(db: Reads, mostDays: number) {
  const { rows } = await sql<{ today: string; last: string }>`
    select today, today + ${mostDays}::int as last
    from settings, lateral (select (now() at time zone usable_time_zone(time_zone))::date) as now (today)`.execute(db)
  return rows[0]!
}

interface ReviewChange {
  titleAr: string | null
  titleEn: string | null
  dueDate: string
  reviewerUserIds: readonly number[]
}
/** Changes a locked review. */
export const setReview = (tx: Tx, id: number, { titleAr, titleEn, dueDate, reviewerUserIds }: ReviewChange) =>
  sql`
    update access_reviews set title_ar = ${titleAr}, title_en = ${titleEn}, reviewer_user_ids = ${reviewerUserIds}::int[],
      due_date = ${dueDate}::date
    where id = ${id}`.execute(tx)

/** Cancels a locked review. */
export const cancelReview = (tx: Tx, id: number, by: { id: number; username: string }) =>
  sql`
    update access_reviews set status = 'cancelled', ended_at = clock_timestamp(), closed_at = clock_timestamp(),
      closed_by = ${by.id}, closed_by_username = ${by.username}
    where id = ${id}`.execute(tx)
