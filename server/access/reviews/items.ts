/** The items of a review: reading them, judging them, and the report. */
import { type RawBuilder, sql } from 'kysely'
import { inSnapshot, type Reads, type Tx } from '../../platform/database/db.ts'
import { keptPerson } from '../../platform/database/json.ts'
import { patternFor } from '../../platform/database/search.ts'
import { type Page, pageOf } from '../../platform/http/page.ts'
import { keptOrNull, mayJudge, type Reader, readScopes } from './queries.ts'
import type { Verdict } from './rules.ts'
import type { ReviewItem, Verdicts } from './shapes.ts'

export interface ItemFilter extends Page {
  state?: 'keep' | 'remove' | 'undecided' | 'skipped'
  groupId?: number
  roleId?: number
  userId?: number
  q?: string
}

/** SQL: the group or role of an item with its present texts; after its deletion, with the name that it had. */
const granted = (row: string, id: string) =>
  sql.raw(`case when ${id} is not null then json_build_object('id', ${id}, 'name', coalesce(${row}.name, i.target_name),
    'descriptionAr', ${row}.description_ar, 'descriptionEn', ${row}.description_en) end`)

/** SQL: the end of the time in which uses count for a review `r`. */
const MOMENT = sql`coalesce(r.ended_at, now())`

/**
 * The tables behind an item `i`. The last use of an app before the review began is stored with the item, so that only later uses are
 * searched.
 */
const BEHIND = sql`
  join access_reviews as r on r.id = i.review_id
  left join groups as g on g.id = i.group_id
  left join roles as ro on ro.id = i.role_id
  cross join lateral (
    select greatest(i.last_used_at, (
      select max(o.created_at) from app_opens as o
      where o.user_id = i.user_id and o.app_id = any(i.app_ids) and o.created_at > r.created_at and o.created_at <= ${MOMENT})) as at) as used
  cross join lateral (
    select case
      when used.at >= ${MOMENT} - interval '90 days' then 'keep'
      when cardinality(i.app_ids) > 0 and i.since < ${MOMENT} - interval '90 days' then 'remove' end as action) as suggested`

type Row = Omit<ReviewItem, 'isServiceAccount' | 'sourceId'> & { isServiceAccount: true | null; sourceId: number | null }
const itemsOf = (ids: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql<Row>`
  select i.id, ${sql.raw(keptPerson('i.user_id', 'i.username'))} as person,
    (select true from users where id = i.user_id and kind = 'service') as is_service_account,
    (select id from provisioning_sources where user_id = i.user_id) as source_id, case when i.group_id is null then 'role' else 'group' end as kind,
    ${granted('g', 'i.group_id')} as "group", ${granted('ro', 'i.role_id')} as role, i.since,
    ${keptOrNull('i.granted_by', 'i.granted_by_username')} as granted_by, i.expires_at, used.at as last_used_at,
    (select max(l.at) from ledger as l where l.target_type = 'user' and l.target_id = i.user_id and l.kind = 'session.started') as last_sign_in_at,
    suggested.action as suggestion, i.verdict, i.note, ${keptOrNull('i.reviewer_id', 'i.reviewer_username')} as reviewer, i.judged_at as at,
    i.outcome, i.skip_reason
  from access_review_items as i ${BEHIND} where i.id in (${ids}) order by ${order}`

/** SQL: the order of a page. The columns have the collation of their language. */
const byName = { ar: sql`i.name_ar, i.user_id, i.id`, en: sql`i.name_en, i.user_id, i.id` }

/**
 * A page of a review’s items, by the name that the reader sees: all items for administrators, and those that they may judge for reviewers.
 * Refuses `not_found` to everybody else.
 */
export async function pageItems(db: Reads, reviewId: number, { state, groupId, roleId, userId, q, ...page }: ItemFilter, reader: Reader) {
  const scopes = await readScopes(db, reviewId, reader)
  const pattern = await patternFor(db, q)
  const conditions = [
    sql`i.review_id = ${reviewId}`,
    ...(scopes ? [mayJudge(reader, scopes)] : []),
    ...(state === undefined ? [] : [sql`i.state = ${state}`]),
    ...(groupId === undefined ? [] : [sql`i.group_id = ${groupId}`]),
    ...(roleId === undefined ? [] : [sql`i.role_id = ${roleId}`]),
    ...(userId === undefined ? [] : [sql`i.user_id = ${userId}`]),
    ...(pattern === null ? [] : [sql`i.search like ${pattern}`]),
  ]
  const found = sql`
    from access_review_items as i where ${sql.join(conditions, sql` and `)}`
  const order = byName[reader.language]
  const ids = sql`select i.id ${found} order by ${order} limit ${page.limit!} offset ${page.offset!}`
  // One snapshot for both queries, because a reviewer may judge an item in between.
  return inSnapshot(db, async (snapshot) => {
    const { rows: counted } = await sql<{ count: number }>`select count(*) ${found}`.execute(snapshot)
    const { rows } = await itemsOf(ids, order).execute(snapshot)
    const items = rows.map(
      ({ isServiceAccount, sourceId, ...item }): ReviewItem => ({
        ...item,
        ...(isServiceAccount && { isServiceAccount }),
        ...(sourceId !== null && { sourceId }),
      }),
    )
    return pageOf('items', items, counted[0]!.count, page)
  })
}

interface Judged {
  id: number
  verdict: Verdict | null
  isChanged: boolean
}
interface Judge {
  by: Reader & { username: string }
  decidedWith: 'token' | 'session'
  scopes: readonly number[] | null
}
export const lockItems = (tx: Tx, reviewId: number, ids: readonly number[]) =>
  sql`select from access_review_items where review_id = ${reviewId} and id = any(${ids}::int[]) order by id for update`.execute(tx)

/** Stores verdicts on the items that the person may judge, in place of any earlier ones, and returns these items. */
export async function judgeItems(tx: Tx, reviewId: number, items: Verdicts['items'], { by, decidedWith, scopes }: Judge) {
  const given = items.map(({ id, verdict, note }) => ({ id, verdict, note: verdict === null ? null : note || null }))
  const { rows } = await sql<Judged>`
    with given as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (id int, verdict text, note text)),
      own as materialized (
        select i.id from access_review_items as i
        where i.review_id = ${reviewId} and i.id in (select id from given) and ${mayJudge(by, scopes)} order by i.id for update),
      written as (
        update access_review_items as i
        set verdict = given.verdict, note = given.note, decided_with = ${decidedWith}, reviewer_id = case when given.verdict is not null then ${by.id}::int end,
          reviewer_username = case when given.verdict is not null then ${by.username} end,
          judged_at = case when given.verdict is not null then clock_timestamp() end
        from own join given using (id)
        where i.id = own.id and (i.verdict is distinct from given.verdict
          or given.verdict is not null and (i.note is distinct from given.note or i.reviewer_id <> ${by.id}))
        returning i.id)
    select id, given.verdict, id in (select id from written) as "isChanged" from own join given using (id)`.execute(tx)
  return rows
}

export const REPORT_COLUMNS = [
  'person',
  'kind',
  'name',
  'since',
  'granted_by',
  'last_used_at',
  'suggestion',
  'verdict',
  'reviewer',
  'note',
  'decided_at',
  'outcome',
  'skip_reason',
] as const

interface ReportRow {
  id: number
  person: string
  kind: string
  name: string
  since: Date | null
  grantedBy: string | null
  lastUsedAt: Date | null
  suggestion: string | null
  verdict: string | null
  reviewer: string | null
  note: string | null
  decidedAt: Date | null
  outcome: string | null
  skipReason: string | null
}
const ROWS_AT_ONCE = 500

/** The rows of a review’s report in batches, by username. Items have their ids in that order. */
export async function* pageReportRows(db: Reads, reviewId: number) {
  for (let last = 0; ; ) {
    const { rows } = await sql<ReportRow>`
      select i.id, i.username as person, case when i.group_id is null then 'role' else 'group' end as kind,
        coalesce(g.name, ro.name, i.target_name) as name, i.since, i.granted_by_username as granted_by, used.at as last_used_at,
        suggested.action as suggestion, i.verdict, i.reviewer_username as reviewer, i.note, i.judged_at as decided_at, i.outcome, i.skip_reason
      from (
        select * from access_review_items where review_id = ${reviewId} and id > ${last} order by id limit ${ROWS_AT_ONCE}) as i ${BEHIND}
      order by i.id`.execute(db)
    yield rows.map((row) => REPORT_CELLS.map((cell) => textOf(row[cell])))
    if (rows.length < ROWS_AT_ONCE) return
    last = rows.at(-1)!.id
  }
}

const REPORT_CELLS = REPORT_COLUMNS.map((name) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) as keyof ReportRow)
const textOf = (value: ReportRow[keyof ReportRow]) => (value instanceof Date ? value.toISOString() : String(value ?? ''))
