/** The rows of the log that match a filter, and their counts. */
import { sql } from 'kysely'
import { inSnapshot, type Reads } from '../../platform/database/db.ts'
import { daySpan, type Page } from '../../platform/http/page.ts'
import { type Actor, actorOf, namesAt } from './names.ts'
import { idsNamed } from './rules.ts'

export { rowHashOf, unlistedOf } from './chain.ts'
export {
  countHistoryOmitted,
  type HistoryFilter,
  type HistoryTarget,
  pageHistoryRows,
  permissionAuditCsv,
  readHistory,
  readPermissionAudit,
} from './histories.ts'
export { newestSeal } from './seals.ts'
export { verifySeals } from './verification.ts'

export interface LogFilter {
  action?: readonly string[]
  /** A `like` pattern for names. */
  names?: string
  from?: string
  to?: string
  actorUserId?: number
  targetType?: string
  targetId?: number
  forcedOnly?: boolean
}

/** An index has exactly this expression. */
const FORCED = sql<boolean>`action like '%.force_delete'`

/** The rows of the log that match a filter. Refuses impossible dates. */
export function filterLog(db: Reads, { action, names, actorUserId, targetType, targetId, forcedOnly, ...days }: LogFilter) {
  const { start, end } = daySpan(days)
  return db
    .selectFrom('ledger')
    .where('action', 'is not', null)
    .$if(action !== undefined, (some) => some.where('action', '=', anyOf(action!)))
    .$if(names !== undefined, (some) =>
      some.where(sql<boolean>`(ledger.at, ledger.id) in (select at, id from audit_names where audit_names.names like ${names})`),
    )
    .$if(forcedOnly === true, (some) => some.where(FORCED))
    .$if(actorUserId !== undefined, (some) => some.where('actorId', '=', actorUserId!))
    .$if(targetType !== undefined, (some) => some.where('targetType', '=', targetType!))
    .$if(targetId !== undefined, (some) => some.where('targetId', '=', targetId!))
    .$if(start !== null, (some) => some.where('at', '>=', start!))
    .$if(end !== null, (some) => some.where('at', '<', end!))
}

/** The keys of the totals that are stored besides the counts of each actor and each day. */
const [EVERYONE, ALL_DAYS] = [-1, '-infinity']

/** The stored counts that add up to the number of rows of a filter without a target and without names. */
export const sumsOf = (db: Reads, { action, actorUserId, targetType, forcedOnly, from, to }: LogFilter) =>
  db
    .selectFrom('auditCounts')
    .where('actorId', '=', actorUserId ?? EVERYONE)
    .where('day', from || to ? '>' : '=', ALL_DAYS)
    .$if(from !== undefined, (some) => some.where('day', '>=', from!))
    .$if(to !== undefined, (some) => some.where('day', '<=', to!))
    .$if(action !== undefined, (some) => some.where('action', '=', anyOf(action!)))
    .$if(forcedOnly === true, (some) => some.where(FORCED))
    .$if(targetType !== undefined, (some) => some.where('targetType', '=', targetType!))

const anyOf = (actions: readonly string[]) => sql<string>`any(${actions}::text[])`

/** Whether the stored counts cover the filter. */
const isCounted = ({ targetId, names }: LogFilter) => targetId === undefined && names === undefined

/**
 * The number of rows that match. For a filter without a target or a name, it comes from counts stored by day, so that a log of millions is
 * counted as fast as a short one. For other filters, it is at most `most`.
 */
export async function countLog(db: Reads, filter: LogFilter, most?: number) {
  const counted = isCounted(filter)
    ? sumsOf(db, filter).select(sql<number>`coalesce(sum(count), 0)::bigint`.as('count'))
    : db
        .selectFrom(
          filterLog(db, filter)
            .select('id')
            .$if(most !== undefined, (rows) => rows.limit(most!))
            .as('some'),
        )
        .select(sql<number>`count(*)`.as('count'))
  return (await counted.executeTakeFirstOrThrow()).count
}

/** The number of rows that match a filter on each UTC day from `from` to `to`, also on days without rows. */
export async function countDays(db: Reads, { from, to, ...filter }: LogFilter & { from: string; to: string }) {
  const days = isCounted(filter)
    ? sumsOf(db, { ...filter, from, to })
        .select(['day', sql<number>`sum(count)::bigint`.as('count')])
        .groupBy('day')
    : filterLog(db, { ...filter, from, to })
        .select([sql<string>`(at at time zone 'UTC')::date`.as('day'), sql<number>`count(*)`.as('count')])
        .groupBy(sql`1`)
  const { rows } = await sql<{ date: string; count: number }>`
    select date::date::text as date, coalesce(count, 0) as count
    from generate_series(${from}::date::timestamp, ${to}::date::timestamp, interval '1 day') as date
    left join (${days}) as days on days.day = date::date order by 1`.execute(db)
  return rows
}

interface LogRow {
  id: number
  action: string
  targetType: string
  targetId: number
  at: Date
  /** `at` as text, with microseconds. */
  place: string
  facts: Record<string, unknown>
  actor: Actor | null
}
const rowColumns = ['id', 'action', 'targetType', 'targetId', 'at', 'facts', 'actorId', 'actorUsername'] as const

/**
 * A page of the log's rows about some kinds of targets, newest first, with the names of the records that they refer to; `verb` is the
 * last part of an action. Each kind has a query of its own, which an index answers newest first, so that the rest of the log is not read.
 */
export function pageLogAbout(
  db: Reads,
  kinds: readonly string[],
  { verb, ...filter }: Omit<LogFilter, 'action' | 'targetType'> & { verb?: string } & Page,
) {
  const filters = kinds.map(
    (targetType): LogFilter => ({ ...filter, targetType, ...(verb !== undefined && { action: [`${targetType}.${verb}`] }) }),
  )
  // The page and the count match only if both come from one snapshot.
  return inSnapshot(db, async (snapshot) => {
    let totalCount = 0
    for (const one of filters) totalCount += await countLog(snapshot, one)
    if (totalCount <= filter.offset!) return { rows: [], totalCount }
    const newest = (one: LogFilter) =>
      filterLog(snapshot, one)
        .select(rowColumns)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(filter.limit! + filter.offset!)
    const page = sql`select * from (${sql.join(
      filters.map((one) => sql`(${newest(one)})`),
      sql` union all `,
    )}) as newest order by at desc, id desc limit ${filter.limit!} offset ${filter.offset!}`
    const { rows } = await sql<LogRow>`
      select id, action, target_type as "targetType", target_id as "targetId", at, at::text as place, facts, ${actorOf('page')} as actor from (${page}) as page order by at desc, id desc`.execute(
      snapshot,
    )
    const refs = await namesAt(
      snapshot,
      rows.map(({ place, targetId, facts }) => ({ at: place, ids: idsNamed(undefined, targetId, facts) })),
    )
    return { rows: rows.map((row, n) => ({ ...row, refs: refs[n]! })), totalCount }
  })
}
