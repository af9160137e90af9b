/** The days on which a wait can end. Pure. */
import { plus } from '../../parts/forms/calendar/days.ts'

const DAY_MS = 86_400_000
/** The longest wait that the portal accepts. */
const MOST_DAYS = 92
/** The hour of the day on which a wait ends. */
const END = '08:00'

export const endOf = (day: string) => new Date(`${day}T${END}`)

/** The first and the last day on which a wait can end: its `END` must be ahead and at most `MOST_DAYS` days away. */
export function waitDays(today: string, now: Date) {
  const last = plus(today, MOST_DAYS)
  return {
    min: endOf(today) > now ? today : plus(today, 1),
    max: endOf(last).getTime() <= now.getTime() + MOST_DAYS * DAY_MS ? last : plus(last, -1),
  }
}
