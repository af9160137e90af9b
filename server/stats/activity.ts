/**
 * What was opened most, and who opened most. Fifty thousand people on each of 366 days are too many to add up for every request: the
 * sums over days that are over are kept as long as no app open of such a day comes or goes, and of the last day only what may change the
 * order is read anew.
 */
import { sql } from 'kysely'
import type { Reads } from '../platform/database/db.ts'
import { findApps, findUsers } from './queries.ts'
import { contendersIn, type Days, inMonths, type Ranked, type Ranking, topOf, type Window } from './rules.ts'

/** Whose app opens are added up. */
type Owner = 'app' | 'user'

const MOST_KEPT = 16
interface Kept {
  version: number
  sums: Promise<Ranking>
}
const keptOf = new WeakMap<Reads, Map<string, Kept>>()

/** Arrays come as texts: two of them are read faster than fifty thousand rows. */
interface Columns {
  ids: string | null
  counts: string | null
}
const listOf = (text: string | null) => (text === null ? [] : (JSON.parse(`[${text.slice(1, -1)}]`) as number[]))
function pairsOf({ ids, counts }: Columns) {
  const second = listOf(counts)
  return listOf(ids).map((id, index) => [id, second[index]!] as const)
}

async function rankDays(snapshot: Reads, owner: Owner, span: Days): Promise<Ranking> {
  const { months, before, after } = inMonths(span)
  const [id, perMonth, perDay] = [sql.ref(`${owner}_id`), sql.table(`${owner}_open_months`), sql.table(`${owner}_open_days`)]
  const { rows } = await sql<Columns>`
    select array_agg(id)::text as ids, array_agg(count)::text as counts from (
      select id, sum(count) as count from (
        select ${id} as id, count from ${perMonth} where month between ${months.from} and ${months.to}
        union all select ${id}, count from ${perDay} where day between ${before.from} and ${before.to}
        union all select ${id}, count from ${perDay} where day between ${after.from} and ${after.to}
      ) as parts
      group by id having sum(count) > 0 order by count desc, id) as sums`.execute(snapshot)
  return new Map(pairsOf(rows[0]!))
}

/** The same of few days, in no order; of some alone, unless `ids` is null. */
async function sumDays(snapshot: Reads, owner: Owner, { from, to }: Days, ids: number[] | null) {
  const id = sql.ref(`${owner}_id`)
  const ofThem = ids === null ? sql`` : sql`and ${id} = any(${ids}::int[])`
  const { rows } = await sql<Columns>`
    select array_agg(${id})::text as ids, array_agg(count)::text as counts from ${sql.table(`${owner}_open_days`)}
    where day between ${from} and ${to} and count > 0 ${ofThem}`.execute(snapshot)
  const sums = new Map<number, number>()
  for (const [one, count] of pairsOf(rows[0]!)) sums.set(one, (sums.get(one) ?? 0) + count)
  return sums
}

/** Sums over days that are over, which hold for every snapshot that has this version. A failed reading is not kept. */
function sumPast(db: Reads, snapshot: Reads, owner: Owner, span: Days, version: number): Promise<Ranking> {
  const kept = keptOf.get(db) ?? new Map<string, Kept>()
  keptOf.set(db, kept)
  const key = `${owner} ${span.from} ${span.to}`
  const known = kept.get(key)
  if (known?.version === version) return known.sums
  const fresh = { version, sums: rankDays(snapshot, owner, span) }
  fresh.sums.catch(() => {
    if (kept.get(key) === fresh) kept.delete(key)
  })
  kept.delete(key)
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!)
  kept.set(key, fresh)
  return fresh.sums
}

const none: Ranking = new Map()
const FEW = 500

/**
 * The apps opened most often in a window, and the people who opened most often, read from the snapshot. A day is over ten minutes after
 * its end: an app open of it that was counted before midnight is committed by then.
 */
export async function listTops(db: Reads, snapshot: Reads, window: Window, most: number) {
  const { rows } = await sql<{ version: number; pastEnd: string; openStart: string; peak: number }>`
    select version, past_end, open_start, (
      select coalesce(sum(peak), 0)::bigint from (
        select max(peak) as peak from user_open_peaks where day between open_start and ${window.to}::date group by day) as peaks) as peak
    from past_opens, utc_day(clock_timestamp() - interval '10 minutes') as today,
      lateral (select least(${window.to}::date, today - 1) as past_end, greatest(${window.from}::date, today) as open_start) as days`.execute(
    snapshot,
  )
  const { version, pastEnd, openStart, peak } = rows[0]!
  async function rank(owner: Owner, contenders: (past: Ranking) => number[] | null) {
    const past = pastEnd >= window.from ? await sumPast(db, snapshot, owner, { from: window.from, to: pastEnd }, version) : none
    const open = openStart <= window.to ? await sumDays(snapshot, owner, { from: openStart, to: window.to }, contenders(past)) : none
    return topOf(past, open, most)
  }
  const apps = await rank('app', () => null)
  const users = await rank('user', (past) => contendersIn(past, peak, most, FEW))
  return {
    topApps: withCounts(apps, await findApps(snapshot, idsOf(apps)), ({ appId }) => appId),
    mostActiveUsers: withCounts(users, await findUsers(snapshot, idsOf(users)), ({ userId }) => userId),
  }
}

const idsOf = (ranked: Ranked[]) => ranked.map(({ id }) => id)

/** Each of the ranked, in order, as it is found, with its count. */
function withCounts<T>(ranked: Ranked[], found: T[], idOf: (one: T) => number) {
  const byId = new Map(found.map((one) => [idOf(one), one]))
  return ranked.map(({ id, count }) => ({ ...byId.get(id)!, count }))
}
