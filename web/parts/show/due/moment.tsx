import { daysTo } from '../../../platform/ago.ts'
import { exactly, format, shortDay, timeOfDay } from '../../../platform/dates.ts'
import { locale } from '../../../platform/language.ts'
import { me } from '../../../platform/session.ts'

const DAYS_BY_NAME = 6

/**
 * A moment in words: "10:40 today", also for yesterday and tomorrow ("today 10:40" if `isTimeFirst` is false); "Sunday 08:00" within the
 * next six days; otherwise "6 Dec 2026 08:00".
 */
export function momentInWords(at: string, isTimeFirst = true) {
  const days = daysTo(at)
  const time = timeOfDay(at, me.value?.clockHour12 ?? false)
  const isNear = Math.abs(days) < 2
  if (days > DAYS_BY_NAME || (days < 0 && !isNear)) return `${shortDay(at)} ${time}`
  const day = isNear ? new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(days, 'day') : format(at, { weekday: 'long' })
  return isNear && isTimeFirst ? `${time} ${day}` : `${day} ${time}`
}

/** A text about a moment, with the moment in both calendars as a tooltip. */
export const DueMoment = ({ at, children }: { at: string; children: string }) => (
  <time dateTime={at} title={exactly(at)}>
    {children}
  </time>
)
