import type { Sample } from './data.ts'

const STEP_MS = 10 * 60_000
const STEPS = 144

/** A figure over the last 24 hours, every ten minutes, oldest first; undefined where the portal has no sample. */
export function lastDay(samples: readonly Sample[], figure: Exclude<keyof Sample, 'at'>, now: number): (number | undefined)[] {
  const line = Array<number | undefined>(STEPS).fill(undefined)
  for (const sample of samples) {
    const index = STEPS - 1 - Math.floor((now - Date.parse(sample.at)) / STEP_MS)
    if (index >= 0 && index < STEPS) line[index] = sample[figure]
  }
  return line
}

/** The largest value of a line; undefined if it has no values. */
export function mostOf(line: readonly (number | undefined)[]) {
  const known = line.filter((value) => value !== undefined)
  return known.length > 0 ? Math.max(...known) : undefined
}
