/** Days as the pages write them. */
import { format, longDay } from '../../../platform/dates.ts'
import { path } from '../../../platform/router.ts'
import { officeDay } from './office.ts'

export const fullDay = (date: string) => longDay(date, 'UTC')
/** A day in words, without its year: "Wednesday 25 November". */
export const dayName = (date: string) => format(date, { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long' })
export const weekday = (date: string) => format(date, { timeZone: 'UTC', weekday: 'long' })

/**
 * The day in the current address, otherwise the office’s. It is read from the address because a key may be pressed before the page renders.
 */
export const dayInAddress = () => /\d{4}-\d\d-\d\d/.exec(path.peek())?.[0] ?? officeDay()
