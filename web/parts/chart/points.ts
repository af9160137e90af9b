/** What a chart draws, worked out without drawing it. */
import { plus, weekdayOf } from '../calendar/days.ts'

/** The value of a day, `YYYY-MM-DD`, and of the same day of the period before. */
export interface Point {
  day: string
  value: number
  before?: number | undefined
}

/** Longer periods are drawn by weeks: so many days. */
const BY_DAY = 92

/** The points as they are drawn: day by day, or the sums of seven days each where there are more than a quarter's. */
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

/** Round values for the lines of a scale, from 0 to the least that is no less than `most`: three to five. */
export function scaleOf(most: number): number[] {
  const rough = Math.max(1, most) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  // What is counted has no halves.
  const step = Math.max(1, power * [1, 2, 2.5, 5, 10].find((by) => by * power >= rough && (power > 1 || by !== 2.5))!)
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step)
}

/** Which points have their day written beneath: so many that they fit, the first and the last among them. */
export function ticksOf(count: number, width: number, each = 96): number[] {
  if (count === 0) return []
  const most = Math.max(2, Math.floor(width / each))
  const step = [1, 7, 14, 28, 56].find((by) => (count - 1) / by < most - 1) ?? Math.ceil(count / most)
  const ticks = Array.from({ length: Math.floor((count - 1) / step) + 1 }, (_, index) => index * step)
  if (count > 1 && ticks.at(-1) !== count - 1) {
    // Two that would touch are one.
    if (ticks.length > 1 && count - 1 - ticks.at(-1)! < step * 0.75) ticks.pop()
    ticks.push(count - 1)
  }
  return ticks
}

/** The stretches of the weekend, Friday and Saturday, by index: both ends belong to them. */
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

/** By how much a value has changed, in whole percent; undefined where there was nothing before. */
export const changeOf = (now: number, before: number) => (before === 0 ? undefined : Math.round(((now - before) / before) * 100))

/** Every day from one to another, as points of what is known of them. */
export function fillDays(from: string, to: string, known: ReadonlyMap<string, number>): Point[] {
  const points: Point[] = []
  for (let day = from; day <= to; day = plus(day, 1)) points.push({ day, value: known.get(day) ?? 0 })
  return points
}
