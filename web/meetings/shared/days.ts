/** Days as the pages write them. */
import { longDay } from '../../platform/dates.ts'
import { locale } from '../../platform/language.ts'

export const fullDay = (date: string) => longDay(date, 'UTC')
/** "Wednesday 25 November". */
export const dayName = (date: string) =>
  new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long' }).format(new Date(date))
export const weekday = (date: string) => new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', weekday: 'long' }).format(new Date(date))
