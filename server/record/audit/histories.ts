/** Histories of permission sets. Each change stores what it added and removed; the whole sets before and after it are computed here. */
import { type SelectQueryBuilder, sql } from 'kysely'
import type { EndMove } from '../../access/grants/rules.ts'
import type { RevertOf } from '../../platform/changes/change-kind.ts'
import type { HistoryKind } from '../../platform/changes/listed.ts'
import { csvChunks } from '../../platform/csv.ts'
import { inSnapshot, type Reads } from '../../platform/database/db.ts'
import { countOf, partIn } from '../../platform/http/lists.ts'
import { daySpan, pageOf } from '../../platform/http/page.ts'
import type { Language, Tables } from '../../platform/tables.ts'
import { actorOf, memberOf, nameOfMember, namesAt } from './names.ts'
import { type SetsAround, setsAround } from './rules.ts'

const CSV_ROWS = 10_000
const CSV_PAGE = 500

export interface HistoryFilter {
  actorUserId?: number
  from?: string
  to?: string
}

type PagedFilter = HistoryFilter & { limit?: number; offset?: number }

/** The start of a query for the ids in the present set of a target. Ended grants count until the history has an entry of their end. */
const currentSets: Record<HistoryKind, string> = {
  'role.permissions': 'select permission_id as id from role_permissions where role_id =',
  'user.roles': 'select role_id as id from direct_roles where user_id =',
  'user.groups': 'select group_id as id from memberships where user_id =',
  'group.users': 'select user_id as id from memberships where group_id =',
  'group.roles': 'select role_id as id from group_roles where group_id =',
  'group.apps': 'select app_id as id from group_apps where group_id =',
  'app.permissions': 'select permission_id as id from app_permissions where app_id =',
}

/** The names of these members, by id. A deleted member has its latest name. */
async function namesOf(db: Reads, kind: HistoryKind, ids: number[]) {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, ${nameOfMember(kind, 'one.id')} as name from unnest(${ids}::int[]) as one (id)`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const revertOf = sql<RevertOf | null>`revert_of`.as('revertOf')

type HistoryRows<O> = SelectQueryBuilder<Tables, 'permissionHistory', O>
/** The rows of a target's histories that match a filter. Refuses impossible dates. */
function filterHistory<O>(rows: HistoryRows<O>, kinds: readonly HistoryKind[], target: number, filter: HistoryFilter) {
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
  // All statements read one snapshot, because a change between them would shift every set.
  return inSnapshot(db, async (snapshot) => {
    const rows = filterHistory(snapshot.selectFrom('permissionHistory'), kinds, target, filter)
    const count = await countOf(rows)
    const shown = rows
      .select([
        'id',
        'kind',
        'targetId',
        'added',
        'removed',
        sql<EndMove[]>`ends`.as('ends'),
        'at',
        sql<string>`at::text`.as('moment'),
        actorOf('permission_history').as('actor'),
        revertOf,
      ])
      .orderBy('id', 'desc')
    const page = await partIn(shown, filter).execute()
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
    const refs = await namesAt(
      snapshot,
      page.map(({ kind, added, removed, ends, moment }) => ({
        at: moment,
        ids: { [memberOf(kind as HistoryKind)]: [...added, ...removed, ...ends.map(({ id }) => id)] },
      })),
    )
    const entries = page.map(({ moment: _, ...row }, n) => ({ ...row, ...around.get(row.id)!, refs: refs[n]! }))
    return pageOf('entries', entries, count, filter)
  })
}

/** How many rows of a history do not fit into the CSV. */
export async function countHistoryOmitted(db: Reads, kinds: readonly HistoryKind[], target: number, filter: HistoryFilter) {
  const rows = filterHistory(db.selectFrom('permissionHistory'), kinds, target, filter)
  return Math.max(0, (await countOf(rows)) - CSV_ROWS)
}

/** The rows of a history's CSV, newest first, in batches, 10,000 at most. */
export async function* pageHistoryRows(db: Reads, kinds: readonly HistoryKind[], target: number, filter: HistoryFilter) {
  const nameOf = sql.join(
    kinds.map((kind) => sql`when ${sql.lit(kind)} then ${nameOfMember(kind, 'one')}`),
    sql` `,
  )
  const namesIn = (ids: 'added' | 'removed') => sql<string | null>`
    (select string_agg(case kind ${nameOf} end, '; ' order by one) from unnest(${sql.ref(ids)}) as one)`
  const rows = filterHistory(db.selectFrom('permissionHistory'), kinds, target, filter)
    .select(['id', 'at', actorOf('permission_history').as('actor'), namesIn('added').as('gained'), namesIn('removed').as('lost')])
    .orderBy('id', 'desc')
    .limit(CSV_PAGE)

  let last: number | undefined
  for (let sent = 0; sent < CSV_ROWS; sent += CSV_PAGE) {
    const page = await rows.$if(last !== undefined, (older) => older.where('id', '<', last!)).execute()
    yield page.map(({ at, actor, gained, lost }) => [at.toISOString(), actor?.username ?? '', gained ?? '', lost ?? ''])
    if (page.length < CSV_PAGE) return
    last = page.at(-1)!.id
  }
}

const kindsOf = {
  user: ['user.roles', 'user.groups'],
  group: ['group.users', 'group.roles', 'group.apps'],
  app: ['app.permissions'],
} as const

/** The kinds of targets whose sets have a history. */
export type HistoryTarget = keyof typeof kindsOf

/** One page of the history of a person's, a group's or an app's sets, as it is sent. */
export async function readPermissionAudit(db: Reads, targetKind: HistoryTarget, target: number, filter: PagedFilter) {
  const { entries, ...page } = await readHistory(db, kindsOf[targetKind], target, filter)
  const shown = entries.map(({ kind, added, removed, at, ...entry }) => ({
    ...entry,
    targetKind,
    changeKind: kind as (typeof kindsOf)[HistoryTarget][number],
    addedIds: added,
    removedIds: removed,
    createdAt: at,
  }))
  return { ...page, entries: shown }
}

const HISTORY_COLUMNS = ['timestamp', 'actor_username', 'added', 'removed'] as const

/** The history of a target's sets as a CSV file. */
export async function permissionAuditCsv(
  db: Reads,
  { kind, id, language }: { kind: HistoryTarget; id: number; language: Language },
  filter: HistoryFilter,
) {
  const omitted = await countHistoryOmitted(db, kindsOf[kind], id, filter)
  return {
    filename: `${kind}-${id}-audit-${new Date().toISOString().slice(0, 10)}.csv`,
    contentType: 'text/csv; charset=utf-8',
    omitted,
    chunks: csvChunks(HISTORY_COLUMNS, pageHistoryRows(db, kindsOf[kind], id, filter), { omitted, language }),
  }
}

/** The sets before and after each wanted change of a target, by the change's id; `oldest` is the lowest of these ids. */
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
