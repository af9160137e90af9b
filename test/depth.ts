/**
 * How deep the tests go: racers, rounds, kills, random runs and sizes grow with `TEST_DEPTH`. 1 finds what breaks in a few minutes, 10
 * is what CI runs, and more may be asked for.
 */
const FULL_DEPTH = 10
const depth = Number(process.env['TEST_DEPTH'] || 1)
if (!(depth > 0)) throw new Error(`TEST_DEPTH is no depth: ${process.env['TEST_DEPTH']}`)

/** So much of something: `full` in CI, in proportion elsewhere, never below `least`. */
export const deep = (full: number, least = 1) => Math.max(least, Math.round((full * depth) / FULL_DEPTH))
