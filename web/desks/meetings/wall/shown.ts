/** The content of a wall display: the current or next meeting, and the meetings after it. Pure. */
import type { Meeting } from '../shared/day.ts'
import { minutesOf } from '../shared/slots.ts'

const NEXT = 3

/** The meetings to show at a time, sorted by start instead of the running order; meetings without a time are left out. */
export function shownOn(day: readonly Meeting[], time: string) {
  const coming = day
    .filter(({ status, startTime, endTime }) => status === 'scheduled' && startTime && (endTime ? endTime > time : startTime >= time))
    .toSorted((one, other) => minutesOf(one.startTime!) - minutesOf(other.startTime!))
  const [first, ...rest] = coming
  return { first, isOn: first !== undefined && first.startTime! <= time, next: rest.slice(0, NEXT) }
}

/** The share of a meeting that has passed, from 0 to 1; undefined without an end. */
export function passedOf({ startTime, endTime }: Pick<Meeting, 'startTime' | 'endTime'>, time: string) {
  if (!startTime || !endTime) return undefined
  const [start, end] = [minutesOf(startTime), minutesOf(endTime)]
  return Math.min(1, Math.max(0, (minutesOf(time) - start) / (end - start)))
}

/** Whether the screen is dimmed, from 19:00 to 06:00, because nobody is there. */
export const isNight = (time: string) => time >= '19:00' || time < '06:00'
