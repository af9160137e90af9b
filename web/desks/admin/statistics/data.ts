/** Statistics of a window of days, and of the same number of days before it. */

import { between, type Days, plus, spanProblem } from '../../../parts/forms/calendar/days.ts'
import { day, id, oneOf } from '../../../parts/lists/filters/reading.ts'
import { resource } from '../../../platform/cache.ts'
import type { Reply } from '../../../platform/readable.ts'

export type Stats = Reply<'/stats/admin'>
export const presets = [7, 30, 90] as const
type Preset = (typeof presets)[number]

/** The filters in the address. */
export const kinds = { range: oneOf('7d', '30d', '90d', 'custom'), from: day, to: day, app: id, user: id, as: oneOf('table') }

export type Window = { range: `${Preset}d` } | ({ range: 'custom' } & Days)

/** The most days of a window. */
export const MOST = 366

/** The window in the address, undefined if it is invalid; the last thirty days if the address names none. */
export function windowOf(range: `${Preset}d` | 'custom' | undefined, from = '', to = ''): Window | undefined {
  if (range !== 'custom') return { range: range ?? '30d' }
  return spanProblem({ from, to }, MOST) ? undefined : { range, from, to }
}

export const statsOf = (window: Window) => resource('/stats/admin', { query: window })

/** The window of the same length just before. */
export function windowBefore({ rangeFrom, rangeTo }: Pick<Stats, 'rangeFrom' | 'rangeTo'>): Window {
  const to = plus(rangeFrom, -1)
  return { range: 'custom', from: plus(to, -between(rangeFrom, rangeTo)), to }
}

/** The day with the fewest openings, if there is only one. Today does not count, because it is not over. */
export function lowestOf(days: Stats['appOpensByDay'], today: string) {
  const [least, next] = days.filter(({ date }) => date !== today).toSorted((one, other) => one.count - other.count)
  return least && next && least.count < next.count ? least : undefined
}

/** The change of a number since the previous window. `share` is a fraction of the previous number; `new`: that number was 0. */
export type Change = { kind: 'same' | 'new' } | { kind: 'more' | 'fewer'; share: number }
export function changeOf(now: number, before: number): Change {
  if (before === 0) return { kind: now === 0 ? 'same' : 'new' }
  const share = Math.round(((now - before) / before) * 100) / 100
  return share === 0 ? { kind: 'same' } : { kind: share > 0 ? 'more' : 'fewer', share: Math.abs(share) }
}

/** Openings per request. */
const PART = 100
export const opensOfApp = (appId: number, window: Window, part: number) =>
  resource('/stats/admin/app-opens/by-app/{appId}', { path: { appId }, query: { ...window, limit: PART, offset: part * PART } })
export const opensOfUser = (userId: number, window: Window, part: number) =>
  resource('/stats/admin/app-opens/by-user/{userId}', { path: { userId }, query: { ...window, limit: PART, offset: part * PART } })
