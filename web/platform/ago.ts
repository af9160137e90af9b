/** How long ago something was. Apart from the dates, because the first page shows none of it. */
import { portalNow } from './client.ts'
import { longDay, minute } from './dates.ts'
import { locale } from './language.ts'

/** The current time by the portal's clock. A component that reads it is drawn again each minute. */
export function present() {
  void minute.value
  return portalNow()
}

const DAY_MS = 86_400_000
const dayAt = (at: Date) => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate())
/** How many days of the calendar lie between now and a moment; -1 for yesterday. */
const daysTo = (at: Date | string) => (dayAt(new Date(at)) - dayAt(present())) / DAY_MS
const relative = (value: number, unit: Intl.RelativeTimeFormatUnit, numeric: 'auto' | 'always' = 'auto') =>
  new Intl.RelativeTimeFormat(locale(), { numeric }).format(value, unit)

/** Today, yesterday, or the day. */
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

/** “Five minutes ago”, or “now” within the first minute. Updated as time passes. */
export function ago(at: Date | string) {
  const seconds = (new Date(at).getTime() - present().getTime()) / 1000
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', Number.POSITIVE_INFINITY]
  if (unit === 'second') return relative(0, unit)
  // Yesterday and the day before are days of the calendar; last month and last year are not 30 and 365 days.
  return unit === 'day' ? relative(daysTo(at), unit) : relative(Math.trunc(seconds / size), unit, 'always')
}
