/** The days and hours of the demo, in the machine's time zone. */

const WEEKEND = [5, 6]
/** The first of the three weeks, in working days from today. */
export const FIRST_DAY = -15

const FROM_HOUR = 8
const UNTIL_HOUR = 16
const HOUR_MS = 3600_000
/**
 * If the demo starts less than `SHORT_DAY_MS` after 08:00, or more than `LONG_DAY_MS` after it, today's events fall into the last
 * `SHORT_DAY_MS` before the start.
 */
const SHORT_DAY_MS = 2 * HOUR_MS
const LONG_DAY_MS = 10 * HOUR_MS

/** Midnight of a day counted in working days from today; 0 is today, even at a weekend. */
function dayAt(offset: number, now: Date) {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  const step = Math.sign(offset)
  for (let left = Math.abs(offset); left > 0; ) {
    day.setDate(day.getDate() + step)
    if (!WEEKEND.includes(day.getDay())) left--
  }
  return day
}

/** A day counted in working days from today, as `YYYY-MM-DD`. */
export function workingDay(offset: number, now = new Date()) {
  const day = dayAt(offset, now)
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/**
 * The moment, in milliseconds, of a time between 08:00 and 16:00, such as `09:40`, on a working day counted from today. Today's times are
 * scaled as if the working day ended now, so that they are all over and the last are recent.
 */
export function momentOf(offset: number, time: string, now: Date) {
  const [hours, minutes] = time.split(':').map(Number) as [number, number]
  const start = dayAt(offset, now)
  start.setHours(FROM_HOUR)
  const sinceStart = (hours - FROM_HOUR) * HOUR_MS + minutes * 60_000
  if (offset !== 0) return start.getTime() + sinceStart
  const elapsed = now.getTime() - start.getTime()
  const span = elapsed >= SHORT_DAY_MS && elapsed <= LONG_DAY_MS ? elapsed : SHORT_DAY_MS
  return now.getTime() - span + (span * sinceStart) / ((UNTIL_HOUR - FROM_HOUR) * HOUR_MS)
}
