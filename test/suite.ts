/**
 * The two suites. A file named `*.slow.test.ts` or `*.slow.spec.ts` belongs to the slow suite. Some slow files only import an ordinary
 * one, which then tries more. `run.ts` runs several files of one suite in a process.
 */
import { test } from 'node:test'

const isSlow = /\.slow\.(test|spec)\.\w+$/.test(process.argv[1] ?? '')

/** How often something is tried, or how much data there is: `few` in the ordinary suite, `many` in the slow one. */
export const scale = (few: number, many: number) => (isSlow ? many : few)

/** Declares a test that only the slow suite runs; its file needs a `*.slow.*` that imports it. */
export const slowTest: (name: string, run: () => Promise<void> | void) => void = isSlow ? test : () => {}

/** The seed of generated cases: the same in every run, unless `TEST_SEED` gives another. */
export const seed = Number(process.env['TEST_SEED'] || 1)
if (!Number.isSafeInteger(seed)) throw new Error(`TEST_SEED is not an integer: ${process.env['TEST_SEED']}`)

/** The parameters of fast-check for `few` cases, or `many` in the slow suite. A failure names the seed. */
export const generated = (few: number, many: number) => ({ seed, numRuns: scale(few, many) })

/** A pseudorandom generator of integers below a limit, which yields the same numbers on every run. */
export function generator(start: number) {
  let state = start
  return (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
