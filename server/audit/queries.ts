/**
 * The log's rows by each of its filters; and histories of permission sets, where what is stored is what each change added and removed
 * and the sets around it are worked out here.
 */
import { type SelectQueryBuilder, sql } from 'kysely'
import type { RevertOf } from '../platform/changes/change-kind.ts'
import type { HistoryKind } from '../platform/changes/listed.ts'
import { inSnapshot, type Reads } from '../platform/database/db.ts'
import { personJson } from '../platform/database/json.ts'
import { daySpan, type Page, pageOf } from '../platform/http/page.ts'
import type { Tables } from '../tables.ts'
import { type SetsAround, setsAround } from './rules.ts'

export interface HistoryFilter {
  actorUserId?: number
  from?: string
  to?: string
}

type PagedFilter = HistoryFilter & { limit?: number; offset?: number }

/** Today's set of a target, by the start of a query for its ids. */
const currentSets: Record<HistoryKind, string> = {
  'role.permissions': 'select permission_id as id from role_permissions where role_id =',
  'user.roles': 'select role_id as id from user_roles where user_id =',
  'user.groups': 'select group_id as id from group_users where user_id =',
  'group.users': 'select user_id as id from group_users where group_id =',
  'group.roles': 'select role_id as id from group_roles where group_id =',
  'group.apps': 'select app_id as id from group_apps where group_id =',
  'app.permissions': 'select permission_id as id from app_permissions where app_id =',
}

/** Of what the sets of each kind are made: the table, the column with the name, and the name in the ledger's row of a deletion. */
const members: Record<HistoryKind, [table: string, column: string, fact: string]> = {
  'role.permissions': ['permission', 'name', 'name'],
  'user.roles': ['role', 'name', 'name'],
  'user.groups': ['group', 'name', 'name'],
  'group.users': ['user', 'username', 'username'],
  'group.roles': ['role', 'name', 'name'],
  'group.apps': ['app', 'name_en', 'nameEn'],
  'app.permissions': ['permission', 'name', 'name'],
}
/** SQL: the name of a member of such a set by its id: today's, or the last one of a member that was deleted. */
export function nameOfMember(kind: HistoryKind, id: string) {
  const [table, column, fact] = members[kind]
  return sql.raw<string>(`coalesce((select ${column} from ${table}s where ${table}s.id = ${id}),
    (select facts ->> '${fact}' from ledger where target_type = '${table}' and target_id = ${id} and action is not null and kind = '${table}.deleted' limit 1),
    '#' || ${id})`)
}

/** The names of all members that changes of a kind added or removed, by id. */
async function namesOf(db: Reads, kind: HistoryKind, ids: number[]) {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, ${nameOfMember(kind, 'one.id')} as name from unnest(${ids}::int[]) as one (id)`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

interface Actor {
  id: number
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
  avatarUrl: string | null
}
/** The actor of a row of this relation, with today's names where the person still exists. */
export const actorOf = (relation: string) => {
  const actor = { id: `${relation}.actor_id`, username: `coalesce(u.username, ${relation}.actor_username)` }
  return sql.raw<Actor | null>(`
    case when ${actor.id} is not null then (
      select ${personJson('u', actor)} from (select) as one left join users u on u.id = ${actor.id}) end`)
}

const revertOf = sql<RevertOf | null>`revert_of`.as('revertOf')

type HistoryRows<O> = SelectQueryBuilder<Tables, 'permissionHistory', O>
/** The rows of a target's histories that a filter lets through. Refuses impossible dates. */
export function filterHistory<O>(rows: HistoryRows<O>, kinds: readonly HistoryKind[], target: number, filter: HistoryFilter) {
  const { start, end } = daySpan(filter)
  return rows
    .where('kind', 'in', kinds)
    .where('targetId', '=', target)
    .$if(!!filter.actorUserId, (some) => some.where('actorId', '=', filter.actorUserId!))
    .$if(start !== null, (some) => some.where('at', '>=', start!))
    .$if(end !== null, (some) => some.where('at', '<', end!))
}

/** One page of a target's histories, newest first, with the whole sets before and after each change. */
export async function readHistory(db: Reads, kinds: readonly HistoryKind[], target: number, filter: PagedFilter) {
  // One snapshot, or a change between the statements would shift every set.
  return inSnapshot(db, async (snapshot) => {
    const rows = filterHistory(snapshot.selectFrom('permissionHistory'), kinds, target, filter)
    const { count } = await rows.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
    const page = await rows
      .select(['id', 'kind', 'targetId', 'added', 'removed', 'at', actorOf('permission_history').as('actor'), revertOf])
      .orderBy('id', 'desc')
      .limit(filter.limit!)
      .offset(filter.offset!)
      .execute()
    const oldest = page.at(-1)?.id ?? 0
    const wanted = new Set(page.map(({ id }) => id))
    const around = new Map<number, SetsAround & { addedNames: string[]; removedNames: string[] }>()
    for (const kind of kinds) {
      const rows = page.filter((row) => row.kind === kind)
      if (rows.length === 0) continue
      const names = await namesOf(snapshot, kind, [...new Set(rows.flatMap(({ added, removed }) => [...added, ...removed]))])
      const named = (ids: number[]) => ids.map((id) => names.get(id)!)
      const sets = await readSetsAround(snapshot, kind, target, oldest, wanted)
      for (const { id, added, removed } of rows)
        around.set(id, { ...sets.get(id)!, addedNames: named(added), removedNames: named(removed) })
    }
    const entries = page.map((row) => ({ ...row, ...around.get(row.id)! }))
    return pageOf('entries', entries, count, filter)
  })
}

const kindsOf = {
  user: ['user.roles', 'user.groups'],
  group: ['group.users', 'group.roles', 'group.apps'],
  app: ['app.permissions'],
} as const

/** One page of the history of a person's, a group's or an app's sets, as it is sent. */
export async function readPermissionAudit(db: Reads, targetKind: keyof typeof kindsOf, target: number, filter: PagedFilter) {
  const { entries, ...page } = await readHistory(db, kindsOf[targetKind], target, filter)
  const shown = entries.map(({ kind, added, removed, at, ...entry }) => ({
    ...entry,
    targetKind,
    changeKind: kind as (typeof kindsOf)[typeof targetKind][number],
    addedIds: added,
    removedIds: removed,
    createdAt: at,
  }))
  return { ...page, entries: shown }
}

/** The sets around those of a target's changes that are wanted, by the id of the change; `oldest` is the lowest of these. */
async function readSetsAround(snapshot: Reads, kind: HistoryKind, target: number, oldest: number, wanted: ReadonlySet<number>) {
  const { rows: today } = await sql<{ id: number }>`${sql.raw(currentSets[kind])} ${target}`.execute(snapshot)
  const changes = await snapshot
    .selectFrom('permissionHistory')
    .select(['id', 'added', 'removed'])
    .where('kind', '=', kind)
    .where('targetId', '=', target)
    .where('id', '>=', oldest)
    .orderBy('id', 'desc')
    .execute()
  return setsAround(
    today.map(({ id }) => id),
    changes,
    wanted,
  )
}

export interface LogFilter {
  action?: readonly string[]
  /** A pattern of names. */
  names?: string
  from?: string
  to?: string
  actorUserId?: number
  targetType?: string
  targetId?: number
  forcedOnly?: boolean
}

/** The same expression as an index. */
const FORCED = sql<boolean>`action like '%.force_delete'`

/** The condition of a filter. Refuses impossible dates. */
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

/** The totals stored besides those of each day and each actor. */
const [EVERYONE, ALL_DAYS] = [-1, '-infinity']

/** The stored counts whose sum is the number of rows of a filter without a target. */
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

/** Whether all of a filter is among what the counts are kept by. */
const isCounted = ({ targetId, names }: LogFilter) => targetId === undefined && names === undefined

/**
 * How many rows those are, or `most` of more: from counts kept by day where no target or name is asked for, so that a log of millions is
 * counted as fast as a short one.
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

/** How many rows of a filter each UTC day has, from its first to its last. */
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
    from generate_series(${from}::date, ${to}::date, interval '1 day') as date
    left join (${days}) as days on days.day = date::date order by 1`.execute(db)
  return rows
}

interface LogRow {
  id: number
  action: string
  targetType: string
  targetId: number
  at: Date
  facts: Record<string, unknown>
  actor: Actor | null
}
const rowColumns = ['id', 'action', 'targetType', 'targetId', 'at', 'facts', 'actorId', 'actorUsername'] as const

/**
 * The log's rows about some kinds of targets alone, one page of them, newest first; `verb` is an action's last part. The newest of each
 * kind are found by its own index, so that what else the log holds costs nothing.
 */
export function pageLogAbout(
  db: Reads,
  kinds: readonly string[],
  { verb, ...filter }: Omit<LogFilter, 'action' | 'targetType'> & { verb?: string } & Page,
) {
  const filters = kinds.map(
    (targetType): LogFilter => ({ ...filter, targetType, ...(verb !== undefined && { action: [`${targetType}.${verb}`] }) }),
  )
  // One snapshot, so that the page and the count are of the same log.
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
      select id, action, target_type as "targetType", target_id as "targetId", at, facts, ${actorOf('page')} as actor from (${page}) as page order by at desc, id desc`.execute(
      snapshot,
    )
    return { rows, totalCount }
  })
}
