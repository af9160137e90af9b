/** A week from Sunday on, and the halves of its days. Pure. */
import { plus, weekdayOf } from '../../../parts/forms/calendar/days.ts'
import type { Meeting } from '../shared/day.ts'
import { takesPlace } from '../shared/slots.ts'

/** The seven days of the week that contains a day. */
export function weekOf(date: string) {
  const first = plus(date, -weekdayOf(date))
  return Array.from({ length: 7 }, (_, index) => plus(first, index))
}

const NOON = '12:00'

/** The meetings of a day before noon, after noon and without a time, each in running order, and which halves are free. */
export function halvesOf(day: readonly Meeting[]) {
  const timed = day.filter(({ startTime }) => startTime !== null)
  const held = timed.filter(takesPlace)
  return {
    morning: timed.filter(({ startTime }) => startTime! < NOON),
    afternoon: timed.filter(({ startTime }) => startTime! >= NOON),
    untimed: day.filter(({ startTime }) => startTime === null),
    /** Not free if a morning meeting ends after noon. */
    isAfternoonFree: !held.some(({ startTime, endTime }) => startTime! >= NOON || (endTime ?? startTime!) > NOON),
    isMorningFree: !held.some(({ startTime }) => startTime! < NOON),
  }
}
