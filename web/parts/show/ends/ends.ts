/** The ends of memberships and roles in words. */
import { daysTo } from '../../../platform/ago.ts'
import { onThisClock } from '../../../platform/client.ts'
import { minute, shortDay } from '../../../platform/dates.ts'
import { t } from './texts.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** An end that is at least this many days away is given as a date. */
const FAR_DAYS = 91
/** An end that is less than this many days away is urgent. */
const NEAR_DAYS = 8
/** The latest end of a grant that the portal accepts, in days from now. */
export const MOST_DAYS = 1825

/** The last minute of a day on this device, as the portal stores it. */
export const endOfDay = (day: string) => new Date(`${day}T23:59:00`).toISOString()

const left = (expiresAt: string) => onThisClock(expiresAt) - Math.max(minute.value.getTime(), Date.now())

/** The time that is left, as in "Ends in 30 days", counted by calendar days if at least a day is left. Updated as time passes. */
export function remaining(expiresAt: string) {
  const ms = left(expiresAt)
  if (ms <= 0) return t.over
  if (ms < DAY_MS) return t.withinHours(Math.ceil(ms / HOUR_MS))
  const days = daysTo(expiresAt)
  return days < FAR_DAYS ? t.inDays(days) : t.until(shortDay(expiresAt))
}

/** Whether the end is so near that it needs attention. */
export const isNear = (expiresAt: string) => left(expiresAt) < NEAR_DAYS * DAY_MS
