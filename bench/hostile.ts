/** Measures the cost of generated requests: the time of the slowest answer, and the memory that is not released. */
import { errorLog, inOrder, openFuzz } from '../test/fuzz/fuzz.ts'
import { openTestPortal } from '../test/portal.ts'
import { routes } from '../test/running.ts'
import { globalSetup, globalTeardown } from '../test/setup.ts'
import { note } from './figures.ts'
import { measureMemory } from './memory.ts'

const ROUNDS = 4
const PER_ENDPOINT = Math.ceil(4000 / routes.length)
const MOST_MS = 2000
const TRIES = 3
/** The most MB by which reachable memory may grow in the second half of the run, because caches still fill. */
const MOST_GROWTH = 64

export async function benchHostile() {
  await globalSetup()
  const { log, logged } = errorLog()
  const { portal, close } = await openTestPortal({}, log)
  const fuzz = await openFuzz(portal, logged)
  const reachable: number[] = []
  let slowest = 0
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const route of inOrder)
        for (const { request, ms } of await fuzz.attack(route, round, PER_ENDPOINT)) {
          // A request that was slow among many is timed again alone.
          let alone = ms
          for (let tried = 0; alone > MOST_MS && tried < TRIES; tried++)
            alone = Math.min(alone, (await fuzz.sender.send(route, [request]))[0]!.ms)
          slowest = Math.max(slowest, alone)
        }
      reachable.push(measureMemory().reachable)
    }
    const growth = reachable.at(-1)! - reachable[ROUNDS / 2 - 1]!
    return [
      note({ what: 'slowest answer to a generated request', unit: 'ms', rounds: [slowest], atMost: MOST_MS }),
      note({ what: 'memory that the second half of them took', unit: 'MB', rounds: [growth], atMost: MOST_GROWTH }),
    ].every(Boolean)
  } finally {
    await fuzz.close()
    await close()
    await globalTeardown()
  }
}
