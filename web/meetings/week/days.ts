/** A week from Sunday on, and the halves of its days. Pure. */
import { plus, weekdayOf } from '../../parts/calendar/days.ts'
import type { Meeting } from '../shared/day.ts'
import { takesPlace } from '../shared/slots.ts'

/** The seven days of the week that contains a day. */
export function weekOf(date: string) {
  const first = plus(date, -weekdayOf(date))
  return Array.from({ length: 7 }, (_, index) => plus(first, index))
}

const NOON = '12:00'

/** The meetings of a day by halves, in running order, and those without a time. */
export function halvesOf(day: readonly Meeting[]) {
  const timed = day.filter(({ startTime }) => startTime !== null)
  const held = timed.filter(takesPlace)
  return {
    morning: timed.filter(({ startTime }) => startTime! < NOON),
    afternoon: timed.filter(({ startTime }) => startTime! >= NOON),
    untimed: day.filter(({ startTime }) => startTime === null),
    /** A meeting that begins before noon and ends after it takes the afternoon too. */
    isAfternoonFree: !held.some(({ startTime, endTime }) => startTime! >= NOON || (endTime ?? startTime!) > NOON),
    isMorningFree: !held.some(({ startTime }) => startTime! < NOON),
  }
}
