import { folded } from '../../../platform/folded.ts'

const TYPED = /^(\d{1,2})(?:\s*[:.٫]?\s*(\d{2}))?\s*(?:([ap])\.?m\.?|(ص|م))?$/

/** The hour from 0 to 23 of a time with “am” or “pm”; undefined unless `hour` is 1 to 12. */
const hourOf = (hour: number, isAfternoon: boolean) => (hour >= 1 && hour <= 12 ? (hour % 12) + (isAfternoon ? 12 : 0) : undefined)

/**
 * A time that somebody has typed, such as `8`, `8:30`, `0830`, `٨:٣٠` or `8:30 pm`, as `HH:MM`; undefined for any other text, and for a
 * time after `latest`.
 */
export function timeIn(typed: string, latest = '23:59'): string | undefined {
  const [, digits, minute = '00', latin, arabic] = TYPED.exec(folded(typed).trim()) ?? []
  if (digits === undefined || Number(minute) > 59) return undefined
  const half = latin ?? arabic
  const hour = half ? hourOf(Number(digits), half === 'p' || half === 'م') : Number(digits)
  if (hour === undefined) return undefined
  const time = `${String(hour).padStart(2, '0')}:${minute}`
  return time <= latest ? time : undefined
}
