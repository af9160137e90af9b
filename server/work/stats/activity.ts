/**
 * The most opened apps and the people who opened most in a window of days. Adding up fifty thousand people over a year takes too long for
 * each request, so the window is split. Past days are added up once, into a ranking of everyone, which is cached until an app open of
 * those days is added or deleted. The current days are read each time: all apps, but only the people whose opens on those days can bring
 * them to the top.
 */
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Reads } from '../../platform/database/db.ts'
import { perRun } from '../../platform/database/runs.ts'
import { findApps, findUsers } from './queries.ts'
import { contendersIn, type Days, inMonths, type Ranked, type Ranking, topOf, type Window } from './rules.ts'

/** Whether app opens are added up by app or by person. */
type Owner = 'app' | 'user'

/** Two arrays as text, because they are parsed faster than fifty thousand rows. */
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
        union all select ${id}, ${before.sign}::int * count from ${perDay} where day between ${before.from} and ${before.to}
        union all select ${id}, ${after.sign}::int * count from ${perDay} where day between ${after.from} and ${after.to}
      ) as parts
      group by id having sum(count) > 0 order by count desc, id) as sums`.execute(snapshot)
  return new Map(pairsOf(rows[0]!))
}

/** The sums of a few days, unsorted: of `ids` only, or of all apps or people if it is null. */
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

const MOST_BYTES = 32 * 1024 * 1024
const ENTRY_BYTES = 500
/** The approximate size of an id with its count in the cache. */
const RANKED_BYTES = 40
interface CachedRanking {
  version: number
  ranking: Promise<Ranking>
}
const cacheOf = perRun(() => new LRUCache<string, CachedRanking>({ maxSize: MOST_BYTES }))

/** The ranking of the past days, the same for every snapshot with this version. A failed read is not cached. */
function rankPast(db: Reads, snapshot: Reads, owner: Owner, span: Days, version: number): Promise<Ranking> {
  const cache = cacheOf(db)
  const key = `${owner} ${span.from} ${span.to}`
  const known = cache.get(key)
  if (known?.version === version) return known.ranking
  const fresh = { version, ranking: rankDays(snapshot, owner, span) }
  const size = ENTRY_BYTES + 2 * key.length
  cache.set(key, fresh, { size })
  const isCached = () => cache.peek(key) === fresh
  fresh.ranking.then(
    (ranking) => isCached() && cache.set(key, fresh, { size: size + RANKED_BYTES * ranking.size }),
    () => isCached() && cache.delete(key),
  )
  return fresh.ranking
}

/**
 * Splits a window into past and current days; either part is empty if its end is before its start. A day is past ten minutes after
 * midnight, when all its app opens have been committed. `peak` is at least as large as the number of app opens of any one person in the
 * current days. `version` changes whenever an app open of the past days is added or deleted.
 */
async function cutWindow(snapshot: Reads, { from, to }: Window) {
  const { rows } = await sql<{ version: number; pastEnd: string; runningStart: string; peak: number }>`
    select version, past_end, running_start, (
      select coalesce(sum(peak), 0)::bigint from (
        select max(peak) as peak from user_open_peaks where day between running_start and ${to}::date group by day) as peaks) as peak
    from past_opens, utc_day(clock_timestamp() - interval '10 minutes') as today,
      lateral (select least(${to}::date, today - 1) as past_end, greatest(${from}::date, today) as running_start) as cut`.execute(snapshot)
  const { version, pastEnd, runningStart, peak } = rows[0]!
  return { version, peak, past: { from, to: pastEnd }, running: { from: runningStart, to } }
}

const NOBODY: Ranking = new Map()
const isEmpty = ({ from, to }: Days) => from > to
const MOST_CONTENDERS = 500

/** The apps and the people with the most app opens in a window, as of the snapshot. */
export async function listTops(db: Reads, snapshot: Reads, window: Window, places: number) {
  const { version, peak, past, running } = await cutWindow(snapshot, window)
  const rank = async (owner: Owner) => (isEmpty(past) ? NOBODY : rankPast(db, snapshot, owner, past, version))
  const sumRunning = async (owner: Owner, ids: number[] | null) => (isEmpty(running) ? NOBODY : sumDays(snapshot, owner, running, ids))

  const pastApps = await rank('app')
  const apps = topOf(pastApps, await sumRunning('app', null), places)

  const pastUsers = await rank('user')
  const contenders = contendersIn(pastUsers, places, peak, MOST_CONTENDERS)
  const users = topOf(pastUsers, await sumRunning('user', contenders), places)

  return {
    topApps: withCounts(apps, await findApps(snapshot, idsOf(apps)), ({ appId }) => appId),
    mostActiveUsers: withCounts(users, await findUsers(snapshot, idsOf(users)), ({ userId }) => userId),
  }
}

const idsOf = (ranked: Ranked[]) => ranked.map(({ id }) => id)

/** The found apps or people in the order of `ranked`, with their counts. */
function withCounts<T>(ranked: Ranked[], found: T[], idOf: (one: T) => number) {
  const byId = new Map(found.map((one) => [idOf(one), one]))
  return ranked.map(({ id, count }) => ({ ...byId.get(id)!, count }))
}
