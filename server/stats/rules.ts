import { isCalendarDate } from '../platform/http/page.ts'
import { refuse } from '../platform/refusal.ts'

export const ranges = ['7d', '30d', '90d', 'custom'] as const
export type Range = (typeof ranges)[number]
const presetDays = { '7d': 7, '30d': 30, '90d': 90 }
const MOST_DAYS = 366
const DAY_MS = 24 * 3600 * 1000

/** Whole UTC days, both ends inclusive. */
export interface Days {
  from: string
  to: string
}
export interface Window extends Days {
  range: Range
  days: number
}

/** The day so many days after another. */
const dayAfter = (day: string, count: number) => new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10)
const daysIn = ({ from, to }: Days) => Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS) + 1

/** Says in `error` what is wrong with a custom range. */
const refuseRange = (path: string, message: string) =>
  refuse('validation_failed', { body: { error: `${path}: ${message}`, details: [{ path, message }] } })

/** The days that a query means when today is `today`. Refuses a custom range that is not whole, in order and short enough. */
export function windowOf({ range = '7d', from, to }: { range?: Range; from?: string; to?: string }, today: string): Window {
  if (range !== 'custom') return { range, days: presetDays[range], from: dayAfter(today, 1 - presetDays[range]), to: today }
  if (from === undefined) return refuseRange('from', 'is required for a custom range')
  if (to === undefined) return refuseRange('to', 'is required for a custom range')
  if (!isCalendarDate(from)) return refuseRange('from', 'is not a calendar date (YYYY-MM-DD)')
  if (!isCalendarDate(to)) return refuseRange('to', 'is not a calendar date (YYYY-MM-DD)')
  if (from > to) return refuseRange('from', 'is after `to`')
  const days = daysIn({ from, to })
  if (days > MOST_DAYS) return refuseRange('to', `is more than ${MOST_DAYS} days from \`from\`, both inclusive`)
  return { range, days, from, to }
}

export const boundsOf = ({ range, days, from, to }: Window) => ({ range, rangeDays: days, rangeFrom: from, rangeTo: to })

/** Every day of a window with its count, none left out. */
export const fillDays = ({ from, days }: Window, counts: ReadonlyMap<string, number>) =>
  Array.from({ length: days }, (_, index) => {
    const date = dayAfter(from, index)
    return { date, count: counts.get(date) ?? 0 }
  })

const NEVER: Days = { from: '0001-01-02', to: '0001-01-01' }
const monthOf = (day: string) => `${day.slice(0, 7)}-01`

/** A span as the whole months in it, told by their first days, and the days before and after them. */
export function inMonths(span: Days): { months: Days; before: Days; after: Days } {
  const [begins, ends] = [monthOf(span.from), monthOf(span.to)]
  const daysAlone = { months: NEVER, before: span, after: NEVER }
  if (begins === ends && begins !== span.from) return daysAlone
  const first = begins === span.from ? begins : monthOf(dayAfter(begins, 31))
  const last = monthOf(dayAfter(span.to, 1)) === ends ? monthOf(dayAfter(ends, -1)) : ends
  if (first > last) return daysAlone
  return {
    months: { from: first, to: last },
    before: first === begins ? NEVER : { from: span.from, to: dayAfter(first, -1) },
    after: last === ends ? NEVER : { from: ends, to: span.to },
  }
}

/** How often each app was opened, or each person opened one; by count descending, then id. */
export type Ranking = ReadonlyMap<number, number>
export interface Ranked {
  id: number
  count: number
}

/**
 * Of a ranking, those who come to its first `most` places if they are added at most `peak` app opens; null where others may as well, or
 * where they are more than `few`.
 */
export function contendersIn(ranking: Ranking, peak: number, most: number, few: number): number[] | null {
  const contenders: number[] = []
  let needed = 0
  for (const [id, count] of ranking) {
    if (contenders.length < most) needed = count - peak
    else if (count < needed) return needed > 0 ? contenders : null
    if (contenders.length === few) return null
    contenders.push(id)
  }
  return contenders.length >= most && needed > 0 ? contenders : null
}

/** The first `most` of a ranking with more app opens added, in the same order. Walks the additions, and of the ranking only its top. */
export function topOf(ranking: Ranking, added: ReadonlyMap<number, number>, most: number): Ranked[] {
  const top: Ranked[] = []
  const place = (id: number, count: number) => {
    const isBefore = (one: Ranked) => one.count > count || (one.count === count && one.id < id)
    if (top.length === most && isBefore(top.at(-1)!)) return
    const after = top.findIndex((one) => !isBefore(one))
    top.splice(after === -1 ? top.length : after, 0, { id, count })
    if (top.length > most) top.pop()
  }
  for (const [id, count] of added) place(id, count + (ranking.get(id) ?? 0))
  let left = most
  for (const [id, count] of ranking) {
    if (left === 0) break
    if (added.has(id)) continue
    place(id, count)
    left--
  }
  return top
}
