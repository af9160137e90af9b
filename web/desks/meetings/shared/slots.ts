/** Times of day and their overlaps, by the portal's own rule of clashes. Pure. */

/** A span of a day. Without an end it is a point in time; without a start it clashes with nothing. */
export interface Slot {
  startTime: string | null
  endTime: string | null
}

/** `HH:MM` as minutes since midnight. */
export const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
const pad = (number: number) => String(number).padStart(2, '0')
/** The reverse of `minutesOf`, clamped to the day. */
export const timeAt = (minutes: number) => {
  const within = Math.min(Math.max(0, minutes), 24 * 60 - 1)
  return `${pad(Math.floor(within / 60))}:${pad(within % 60)}`
}

/** Whether two meetings clash. Ends are exclusive. */
export function isInTheWay(one: Slot, of: Slot) {
  const [start, end] = [of.startTime, of.endTime]
  if (!one.startTime || !start) return false
  const endsAfter = one.endTime ? one.endTime > start : one.startTime >= start
  const startsBefore = end ? one.startTime < end : one.startTime <= start
  return endsAfter && startsBefore
}

/** The number of minutes that two meetings share; 0 if one of them is a point in time. */
export function sharedMinutes(one: Slot, other: Slot) {
  if (!one.startTime || !one.endTime || !other.startTime || !other.endTime) return 0
  const start = Math.max(minutesOf(one.startTime), minutesOf(other.startTime))
  const end = Math.min(minutesOf(one.endTime), minutesOf(other.endTime))
  return Math.max(0, end - start)
}

interface Placed extends Slot {
  id?: number | undefined
  status: string
}

/** The scheduled meetings of a day that overlap a given scheduled meeting, sorted by start. */
export function inTheWayOf<M extends Placed>(one: Placed, day: readonly M[]): M[] {
  if (one.status !== 'scheduled') return []
  return day
    .filter((other) => other.id !== one.id && other.status === 'scheduled' && isInTheWay(other, one))
    .toSorted((a, b) => (a.startTime! < b.startTime! ? -1 : a.startTime === b.startTime ? 0 : 1))
}

/** Whether a meeting was neither cancelled nor postponed. */
export const takesPlace = ({ status }: { status: string }) => status === 'scheduled' || status === 'completed'

/** The number of minutes that the meetings of a day take. Overlaps count once. */
export function busyMinutes(day: readonly Placed[]) {
  const timed = day
    .filter((one) => takesPlace(one) && one.startTime && one.endTime)
    .map(({ startTime, endTime }) => [minutesOf(startTime!), minutesOf(endTime!)] as const)
    .toSorted(([one], [other]) => one - other)
  let [total, reached] = [0, 0]
  for (const [start, end] of timed) {
    total += Math.max(0, end - Math.max(start, reached))
    reached = Math.max(reached, end)
  }
  return total
}
