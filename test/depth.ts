/**
 * The depth of the tests: the numbers of racers, rounds, kills and random runs grow with `TEST_DEPTH`. 1, the default, takes a few
 * minutes; CI uses 10.
 */
export const FULL_DEPTH = 10
const depth = Number(process.env['TEST_DEPTH'] || 1)
if (!(depth > 0)) throw new Error(`TEST_DEPTH is no depth: ${process.env['TEST_DEPTH']}`)

/** A number for the current depth: `full` at depth 10, proportionally less below, but at least `least`. */
export const deep = (full: number, least = 1) => Math.max(least, Math.round((full * depth) / FULL_DEPTH))

/** Of cases that are alike: all at full depth, below as many as `deep` says, but at least `least`, and others at another `place`. */
export function someOf<T>(cases: readonly T[], least = 1, place = process.pid): T[] {
  const begin = place % cases.length
  return [...cases.slice(begin), ...cases.slice(0, begin)].slice(0, deep(cases.length, least))
}
