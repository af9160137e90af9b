/** The days and hours of a week in words. */
import { plus } from '../../../parts/forms/calendar/days.ts'
import { format } from '../../../platform/dates.ts'
import { withDigits } from '../../../platform/language.ts'
import type { Weekly } from './data.ts'

const A_SUNDAY = '2026-11-22'
/** The name of a day of the week; Sunday is 0. */
export const weekdayName = (day: number) => format(plus(A_SUNDAY, day), { weekday: 'long', timeZone: 'UTC' })

/** The hours of a week on one line: "Sunday 08:00–16:00; Monday …". */
export const weekInWords = (weekly: Weekly) =>
  weekly
    .flatMap((hours, day) =>
      hours.length > 0 ? [`${weekdayName(day)} ${hours.map(({ from, to }) => withDigits(`${from}–${to}`)).join(' ')}`] : [],
    )
    .join(' · ')
