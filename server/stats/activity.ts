/**
 * Who opened apps most. Fifty thousand people on each of 366 days are too many to add up for every request: the sums over days that are
 * over are kept as long as no opening of such a day comes or goes, and of the last day only what may change the order is read anew.
 */
import { sql } from 'kysely'
import type { Reads } from '../platform/db.ts'
import { findUsers } from './queries.ts'
import { contendersIn, type Days, inMonths, type Ranking, topOf, type Window } from './rules.ts'

const MOST_KEPT = 8
interface Kept {
  version: number
  sums: Promise<Ranking>
}
const keptOf = new WeakMap<Reads, Map<string, Kept>>()

/** Arrays come as texts: two of them are read faster than fifty thousand rows. */
const listOf = (text: string | null) => (text === null ? [] : (JSON.parse(`[${text.slice(1, -1)}]`) as number[]))

async function rankDays(snapshot: Reads, span: Days): Promise<Ranking> {
  const { months, before, after } = inMonths(span)
  const { rows } = await sql<{ ids: string | null; counts: string | null }>`
    select array_agg(user_id)::text as ids, array_agg(count)::text as counts from (
      select user_id, sum(count) as count from (
        select user_id, count from user_open_months where month between ${months.from} and ${months.to}
        union all select user_id, count from user_open_days where day between ${before.from} and ${before.to}
        union all select user_id, count from user_open_days where day between ${after.from} and ${after.to}
      ) as parts
      group by user_id having sum(count) > 0 order by count desc, user_id) as sums`.execute(snapshot)
  const counts = listOf(rows[0]!.counts)
  return new Map(listOf(rows[0]!.ids).map((id, index) => [id, counts[index]!]))
}

/** The same of few days, in no order; of some people alone, unless `ids` is null. */
async function sumDays(snapshot: Reads, { from, to }: Days, ids: number[] | null) {
  const ofThem = ids === null ? sql`` : sql`and user_id = any(${ids}::int[])`
  const { rows } = await sql<{ ids: string | null; counts: string | null }>`
    select array_agg(user_id)::text as ids, array_agg(count)::text as counts from user_open_days
    where day between ${from} and ${to} and count > 0 ${ofThem}`.execute(snapshot)
  const counts = listOf(rows[0]!.counts)
  const sums = new Map<number, number>()
  for (const [index, id] of listOf(rows[0]!.ids).entries()) sums.set(id, (sums.get(id) ?? 0) + counts[index]!)
  return sums
}

/** Sums over days that are over, which hold for every snapshot that has this version. A failed reading is not kept. */
function sumPast(db: Reads, snapshot: Reads, span: Days, version: number): Promise<Ranking> {
  const kept = keptOf.get(db) ?? new Map<string, Kept>()
  keptOf.set(db, kept)
  const key = `${span.from} ${span.to}`
  const known = kept.get(key)
  if (known?.version === version) return known.sums
  const fresh = { version, sums: rankDays(snapshot, span) }
  fresh.sums.catch(() => {
    if (kept.get(key) === fresh) kept.delete(key)
  })
  kept.delete(key)
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!)
  kept.set(key, fresh)
  return fresh.sums
}

const nobody: Ranking = new Map()
const FEW = 500

/**
 * The people who opened apps most often in a window, read from the snapshot. A day is over ten minutes after its end: an opening of it
 * that was counted before midnight is committed by then.
 */
export async function listTopUsers(db: Reads, snapshot: Reads, window: Window, most: number) {
  const { rows } = await sql<{ version: number; pastEnd: string; openStart: string; peak: number }>`
    select version, past_end, open_start, (
      select coalesce(sum(peak), 0)::bigint from (
        select max(peak) as peak from user_open_peaks where day between open_start and ${window.to}::date group by day) as peaks) as peak
    from past_opens, utc_day(clock_timestamp() - interval '10 minutes') as today,
      lateral (select least(${window.to}::date, today - 1) as past_end, greatest(${window.from}::date, today) as open_start) as days`.execute(
    snapshot,
  )
  const { version, pastEnd, openStart, peak } = rows[0]!
  const past = pastEnd >= window.from ? await sumPast(db, snapshot, { from: window.from, to: pastEnd }, version) : nobody
  const open =
    openStart <= window.to ? await sumDays(snapshot, { from: openStart, to: window.to }, contendersIn(past, peak, most, FEW)) : nobody
  const top = topOf(past, open, most)
  const ids = top.map(({ id }) => id)
  const people = new Map((await findUsers(snapshot, ids)).map((person) => [person.userId, person]))
  return top.map(({ id, count }) => ({ ...people.get(id)!, count }))
}
