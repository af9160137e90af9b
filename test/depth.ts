/**
 * The depth of the tests: the numbers of racers, rounds, kills and random runs grow with `TEST_DEPTH`. 1, the default, takes a few
 * minutes; CI uses 10.
 */
import { type TestContext, test } from 'node:test'

export const FULL_DEPTH = 10
const depth = Number(process.env['TEST_DEPTH'] || 1)
if (!(depth > 0)) throw new Error(`TEST_DEPTH is no depth: ${process.env['TEST_DEPTH']}`)

/** A number for the current depth: `full` at depth 10, proportionally less below, but at least `least`. */
export const deep = (full: number, least = 1) => Math.max(least, Math.round((full * depth) / FULL_DEPTH))

/** So many of the cases, others at another place. */
export function shareOf<T>(cases: readonly T[], count: number, place: number): T[] {
  const begin = place % cases.length
  return [...cases.slice(begin), ...cases.slice(0, begin)].slice(0, count)
}

/**
 * Of cases that are alike, those that a run of all tests tries: as many as `deep` says, but at least `least`, and others in each process.
 * A file that is run by its name tries all.
 */
export const someOf = <T>(cases: readonly T[], least = 1): T[] =>
  process.env['TEST_WHOLE'] ? shareOf(cases, deep(cases.length, least), process.pid) : [...cases]

/** One of so many drills is made. */
const DRILLS = 3

type Work = (t: TestContext) => void | Promise<void>
let place = process.pid

/**
 * Declares a drill: a test that costs seconds, such as one that starts portals in their own processes or fills someone's whole share. A
 * run of all tests makes every third one, others each time; at full depth, and in a file that is run by its name, all are made.
 */
export function drill(name: string, options: { skip: string | false }, work: Work): void
export function drill(name: string, work: Work): void
export function drill(name: string, ...[first, second]: [Work] | [{ skip: string | false }, Work]) {
  if (process.env['TEST_WHOLE'] && depth < FULL_DEPTH && place++ % DRILLS) return
  if (typeof first === 'function') test(name, first)
  else test(name, first, second!)
}
