/** The present, and times relative to it, such as “5 minutes ago”. Separate from `dates.ts`, because the first page shows none. */
import { portalNow } from './client.ts'
import { longDay, minute } from './dates.ts'
import { locale } from './language.ts'

/** The current time by the portal's clock. A component that reads it is rendered again each minute. */
export function present() {
  void minute.value
  return portalNow()
}

/** The time that the portal’s clock showed when this device’s clock showed `ms`, in ms since 1970. */
export const onPortalClock = (ms: number) => new Date(portalNow().getTime() - Date.now() + ms)

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** The day of a moment, by default today, in the reader's time zone, as `YYYY-MM-DD`. */
export const today = (at = present()) => new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 10)
/** The number of calendar days from today to the day of a moment: -1 for yesterday. */
export const daysTo = (at: Date | string) => (Date.parse(today(new Date(at))) - Date.parse(today())) / DAY_MS
const relative = (value: number, unit: Intl.RelativeTimeFormatUnit, numeric: 'auto' | 'always' = 'auto') =>
  new Intl.RelativeTimeFormat(locale(), { numeric }).format(value, unit)

/** “Today”, “yesterday”, or else the date. */
export function dayOf(at: string) {
  const days = daysTo(at)
  return days === 0 || days === -1 ? relative(days, 'day') : longDay(at)
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** “5 minutes ago” or “in 5 minutes”; “now” for less than a minute. Updated as time passes. */
export function ago(at: Date | string) {
  const seconds = (new Date(at).getTime() - present().getTime()) / 1000
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', Number.POSITIVE_INFINITY]
  if (unit === 'second') return relative(0, unit)
  // Days follow the calendar, so “yesterday” is right. A month is 30 days here, so it reads “1 month ago”, not “last month”.
  return unit === 'day' ? relative(daysTo(at), unit) : relative(Math.trunc(seconds / size), unit, 'always')
}
