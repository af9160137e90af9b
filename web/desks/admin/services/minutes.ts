/** Minutes of working time as people type them: `45`, `1:30`, `١:٣٠`. */
import { folded } from '../../../platform/folded.ts'
import { formatNumber, listed } from '../../../platform/language.ts'

const A_DIGIT = '[0-9٠-٩۰-۹]'
/** The pattern of a target. Without it, a text that is not a time would be saved as no target. */
export const A_TIME = `\\s*(${A_DIGIT}+(:${A_DIGIT}{2})?)?\\s*`

/** A typed target in minutes; null for no target. */
export function minutesIn(typed: string) {
  const [, first, last] = /^(\d+)(?::(\d\d))?$/.exec(folded(typed).trim()) ?? []
  if (first === undefined) return null
  return last === undefined ? Number(first) : Number(first) * 60 + Number(last)
}

/** Minutes in the form in which they can be typed again. */
export function typedOf(minutes: number | null) {
  if (minutes === null) return ''
  return minutes < 60 ? String(minutes) : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

/** "1 hour and 30 minutes". */
export function minutesInWords(minutes: number) {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const of = (count: number, unit: 'hour' | 'minute') => formatNumber(count, { style: 'unit', unit, unitDisplay: 'long' })
  return listed([...(hours > 0 ? [of(hours, 'hour')] : []), ...(rest > 0 || hours === 0 ? [of(rest, 'minute')] : [])])
}
