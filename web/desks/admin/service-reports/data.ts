import { lastDays, spanProblem } from '../../../parts/forms/calendar/days.ts'
import { day, id, oneOf } from '../../../parts/lists/filters/reading.ts'

export const presets = [7, 30, 90] as const
type Preset = (typeof presets)[number]

/** The filters in the address. */
export const kinds = { range: oneOf('7', '30', '90', 'custom'), from: day, to: day, team: id, as: oneOf('table') }

/** The most days of a report. */
export const MOST = 92

interface Period {
  range: `${Preset}` | 'custom' | undefined
  from: string | undefined
  to: string | undefined
}
/** The days in the address, and whether there can be a report on them. Without a period in the address, the last thirty days. */
export function daysOf({ range, from = '', to = '' }: Period, now: string) {
  const days = range === 'custom' ? { from, to } : lastDays(Number(range ?? 30), now)
  return { days, isValid: !spanProblem(days, MOST) }
}
