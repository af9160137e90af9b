import { unchanged } from '../platform/endpoint.ts'
import type { Job } from '../platform/jobs.ts'
import { type Openings, removeSomeOpenings } from './queries.ts'

/** Takes the openings of an app or a person that is gone away, from an instant on, and out of every count with them. */
export const forgetOpeningsFrom: Job<Openings & { from: string }> = async ({ from, ...openings }, { perform }) => {
  for (let next: string | null = from; next; ) {
    const since: string = next
    next = await perform(null, async (tx) => unchanged(await removeSomeOpenings(tx, openings, since)))
  }
}
