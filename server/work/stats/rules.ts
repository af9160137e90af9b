import { type Detail, fieldError } from '../../platform/errors/field-errors.ts'
import { refuseFields } from '../../platform/errors/refusal.ts'
import { isCalendarDate } from '../../platform/http/page.ts'

export const ranges = ['7d', '30d', '90d', 'custom'] as const
export type Range = (typeof ranges)[number]
const presetDays = { '7d': 7, '30d': 30, '90d': 90 }
const MOST_DAYS = 366
const DAY_MS = 24 * 3600 * 1000

/** Whole UTC days, both ends included. */
export interface Days {
  from: string
  to: string
}
export interface Window extends Days {
  range: Range
  days: number
}

const dayAfter = (day: string, count: number) => new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10)
const daysIn = ({ from, to }: Days) => Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS) + 1

/** Refuses a custom range, with the reason in `error`. */
const refuseRange = (wrong: Detail) => refuseFields([wrong], { error: `${wrong.path}: ${wrong.message}` })

/** The days of a query when today is `today`. Refuses a custom range that is incomplete, inverted or too long. */
export function windowOf({ range = '7d', from, to }: { range?: Range; from?: string; to?: string }, today: string): Window {
  const given = from !== undefined ? 'from' : 'to'
  if (range !== 'custom' && (from !== undefined || to !== undefined))
    return refuseRange(fieldError(given, 'onlyWith', { field: 'range=custom' }))
  if (range !== 'custom') return { range, days: presetDays[range], from: dayAfter(today, 1 - presetDays[range]), to: today }
  if (from === undefined) return refuseRange(fieldError('from', 'required'))
  if (to === undefined) return refuseRange(fieldError('to', 'required'))
  if (!isCalendarDate(from)) return refuseRange(fieldError('from', 'calendarDate'))
  if (!isCalendarDate(to)) return refuseRange(fieldError('to', 'calendarDate'))
  if (from > to) return refuseRange(fieldError('from', 'order'))
  const days = daysIn({ from, to })
  if (days > MOST_DAYS) return refuseRange(fieldError('to', 'maxDays', { limit: MOST_DAYS }))
  return { range, days, from, to }
}

export const boundsOf = ({ range, days, from, to }: Window) => ({ range, rangeDays: days, rangeFrom: from, rangeTo: to })

/** Every day of a window with its count, zeros included. */
export const fillDays = ({ from, days }: Window, counts: ReadonlyMap<string, number>) =>
  Array.from({ length: days }, (_, index) => {
    const date = dayAfter(from, index)
    return { date, count: counts.get(date) ?? 0 }
  })

const NEVER: Days = { from: '0001-01-02', to: '0001-01-01' }
const monthOf = (day: string) => `${day.slice(0, 7)}-01`

/** Days whose counts are added to those of months (`sign` 1), or taken from them (-1). */
interface Edge extends Days {
  sign: 1 | -1
}
const edgeOf = (days: Days, sign: 1 | -1): Edge => ({ ...(days.from > days.to ? NEVER : days), sign })

/** The fewer of the days of a month that lie in a span and of those that do not. */
const shorter = (inside: Days, outside: Days) => (daysIn(outside) < daysIn(inside) ? edgeOf(outside, -1) : edgeOf(inside, 1))

/**
 * Splits a span into months, from the first day of the first to the first day of the last, and the days at its two ends. If most
 * of a month lies in the span, the month is counted and its other days are taken away, because they are fewer.
 */
export function inMonths(span: Days): { months: Days; before: Edge; after: Edge } {
  const [first, last] = [monthOf(span.from), monthOf(span.to)]
  const next = (month: string) => monthOf(dayAfter(month, 31))
  const lastDayOf = (month: string) => dayAfter(next(month), -1)
  const outsideBefore = { from: first, to: dayAfter(span.from, -1) }
  const outsideAfter = { from: dayAfter(span.to, 1), to: lastDayOf(last) }
  if (first === last)
    return daysIn(outsideBefore) + daysIn(outsideAfter) < daysIn(span)
      ? { months: { from: first, to: last }, before: edgeOf(outsideBefore, -1), after: edgeOf(outsideAfter, -1) }
      : { months: NEVER, before: edgeOf(span, 1), after: edgeOf(NEVER, 1) }
  const before = shorter({ from: span.from, to: lastDayOf(first) }, outsideBefore)
  const after = shorter({ from: last, to: span.to }, outsideAfter)
  const months = { from: before.sign < 0 ? first : next(first), to: after.sign < 0 ? last : monthOf(dayAfter(last, -1)) }
  return { months: months.from > months.to ? NEVER : months, before, after }
}

/** Apps or people with app opens, ranked by their number, highest first, and then by id. */
export type Ranking = ReadonlyMap<number, number>
export interface Ranked {
  id: number
  count: number
}
const byRank = (one: Ranked, other: Ranked) => other.count - one.count || one.id - other.id

/**
 * The only ids in a ranking that can reach its first `places` if at most `mostAdded` app opens are added to each id. Null if that rules
 * out too few: if ids outside the ranking can reach these places as well, or if there are more than `mostContenders` ids.
 *
 * The id at the last of these places keeps at least its count, and so do the ids above it. An app or person that is behind it by more
 * than `mostAdded` cannot reach these places. For 2 places, with at most 3 added to each:
 *
 *     A 9   B 7   C 5   D 4   E 3
 *
 * The last place is B's, with 7: C may reach 8 and D 7, but E at most 6. A, B, C and D are the contenders. If up to 7 were added, even
 * someone outside the ranking might get there.
 */
export function contendersIn(ranking: Ranking, places: number, mostAdded: number, mostContenders: number): number[] | null {
  const countOfLastPlace = [...ranking.values().take(places)][places - 1] ?? 0
  const needed = countOfLastPlace - mostAdded
  if (needed <= 0) return null
  const contenders: number[] = []
  for (const [id, count] of ranking) {
    if (count < needed) break
    if (contenders.length === mostContenders) return null
    contenders.push(id)
  }
  return contenders
}

/**
 * The first `places` of a ranking after app opens are added. It considers all ids that gain app opens, and the first `places` of the rest,
 * because the rest keep their order.
 */
export function topOf(ranking: Ranking, added: ReadonlyMap<number, number>, places: number): Ranked[] {
  const top: Ranked[] = []
  function place(one: Ranked) {
    const last = top[places - 1]
    if (last && byRank(last, one) < 0) return
    top.push(one)
    top.sort(byRank)
    if (top.length > places) top.pop()
  }
  for (const [id, count] of added) place({ id, count: count + (ranking.get(id) ?? 0) })
  const others = ranking.entries().filter(([id]) => !added.has(id))
  for (const [id, count] of others.take(places)) place({ id, count })
  return top
}
