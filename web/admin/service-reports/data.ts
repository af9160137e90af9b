import { between } from '../../parts/calendar/days.ts'
import { type Days, lastDays } from '../../parts/calendar/span.tsx'
import { day, id, oneOf } from '../../parts/filters/reading.ts'

export const presets = [7, 30, 90] as const
type Preset = (typeof presets)[number]

/** The filters in the address. */
export const kinds = { range: oneOf('7', '30', '90', 'custom'), from: day, to: day, team: id, as: oneOf('table') }

/** The most days of a report. */
const MOST = 92

/** The days in the address; the last thirty if it names none, or too many. */
export function daysOf(range: `${Preset}` | 'custom' | undefined, from: string | undefined, to: string | undefined): Days {
  if (range === 'custom' && from && to && between(from, to) >= 0 && between(from, to) < MOST) return { from, to }
  return lastDays(range && range !== 'custom' ? Number(range) : 30)
}
