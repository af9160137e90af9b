/**
 * The depth of the tests: the numbers of racers, rounds, kills and random runs grow with `TEST_DEPTH`. 1, the default, takes a few
 * minutes; CI uses 10.
 */
export const FULL_DEPTH = 10
const depth = Number(process.env['TEST_DEPTH'] || 1)
if (!(depth > 0)) throw new Error(`TEST_DEPTH is no depth: ${process.env['TEST_DEPTH']}`)

/** A number for the current depth: `full` at depth 10, proportionally less below, but at least `least`. */
export const deep = (full: number, least = 1) => Math.max(least, Math.round((full * depth) / FULL_DEPTH))
