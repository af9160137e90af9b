/** The geometry of charts. Pure functions. */
import { plus, weekdayOf } from '../../forms/calendar/days.ts'

/** The value of a day, `YYYY-MM-DD`, and of the corresponding day in the period before. */
export interface Point {
  day: string
  value: number
  before?: number | undefined
}

/** A period of more days than this has a point for each week. */
const BY_DAY = 92

/** The points of a chart: one for each day or, for more than a quarter, one for every seven days with their sum. */
export function drawnPoints(points: readonly Point[]): { points: readonly Point[]; isWeekly: boolean } {
  if (points.length <= BY_DAY) return { points, isWeekly: false }
  const weeks: Point[] = []
  for (let from = 0; from < points.length; from += 7) {
    const days = points.slice(from, from + 7)
    const sum = (of: (point: Point) => number) => days.reduce((total, day) => total + of(day), 0)
    const hasBefore = days.every(({ before }) => before !== undefined)
    weeks.push({ day: days[0]!.day, value: sum(({ value }) => value), before: hasBefore ? sum(({ before = 0 }) => before) : undefined })
  }
  return { points: weeks, isWeekly: true }
}

/** At most five round values for a scale, from 0 to a value of at least `most`. */
export function scaleOf(most: number): number[] {
  const rough = Math.max(1, most) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  // The values are counts, so every step is a whole number.
  const step = Math.max(1, power * [1, 2, 2.5, 5, 10].find((by) => by * power >= rough && (power > 1 || by !== 2.5))!)
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step)
}

/** The indexes of the points whose day is labelled: as many as fit, including the first and the last. */
export function ticksOf(count: number, width: number, each = 96): number[] {
  if (count === 0) return []
  const most = Math.max(2, Math.floor(width / each))
  const step = [1, 7, 14, 28, 56].find((by) => (count - 1) / by < most - 1) ?? Math.ceil(count / most)
  const ticks = Array.from({ length: Math.floor((count - 1) / step) + 1 }, (_, index) => index * step)
  if (count > 1 && ticks.at(-1) !== count - 1) {
    // Drop a label that would touch the last one.
    if (ticks.length > 1 && count - 1 - ticks.at(-1)! < step * 0.75) ticks.pop()
    ticks.push(count - 1)
  }
  return ticks
}

/** The weekends, Friday and Saturday, as pairs of indexes with both ends included. */
export function weekends(points: readonly Point[]): [from: number, to: number][] {
  const found: [number, number][] = []
  for (const [index, { day }] of points.entries()) {
    if (weekdayOf(day) < 5) continue
    const last = found.at(-1)
    if (last?.[1] === index - 1) last[1] = index
    else found.push([index, index])
  }
  return found
}

/** The change of a value in whole percent; undefined if it was 0 before. */
export const changeOf = (now: number, before: number) => (before === 0 ? undefined : Math.round(((now - before) / before) * 100))

/** Every day of a span as a point, with 0 for days that are not in `known`. */
export function fillDays(from: string, to: string, known: ReadonlyMap<string, number>): Point[] {
  const points: Point[] = []
  for (let day = from; day <= to; day = plus(day, 1)) points.push({ day, value: known.get(day) ?? 0 })
  return points
}
