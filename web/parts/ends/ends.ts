/** When memberships and roles end, in words. */
import { onThisClock } from '../../platform/client.ts'
import { minute, shortDay, today } from '../../platform/dates.ts'
import { between } from '../calendar/days.ts'
import { t } from './texts.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** From how many days on the end is told by its date. */
const FAR_DAYS = 91
/** Up to how many days before the end it is urgent. */
const NEAR_DAYS = 8
/** How far ahead, in days, the portal lets a grant end. */
export const MOST_DAYS = 1825

/** The last minute of a day on this device, as the portal stores it. */
export const endOfDay = (day: string) => new Date(`${day}T23:59:00`).toISOString()

const left = (expiresAt: string) => onThisClock(expiresAt) - Math.max(minute.value.getTime(), Date.now())

/** The time that is left: "Ends in 30 days", by the calendar as soon as a day is left; updated as time passes. */
export function remaining(expiresAt: string) {
  const ms = left(expiresAt)
  if (ms <= 0) return t.over
  if (ms < DAY_MS) return t.withinHours(Math.ceil(ms / HOUR_MS))
  const days = between(today(), today(new Date(onThisClock(expiresAt))))
  return days < FAR_DAYS ? t.inDays(days) : t.until(shortDay(expiresAt))
}

/** Whether the end is so near that it needs attention. */
export const isNear = (expiresAt: string) => left(expiresAt) < NEAR_DAYS * DAY_MS
