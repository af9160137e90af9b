import { unchanged } from '../platform/http/endpoint.ts'
import type { Job } from '../platform/jobs/runner.ts'
import { type Openings, removeSomeOpenings } from './queries.ts'

/** Takes the openings of an app or a person that is gone away, from an instant on, and out of every count with them. */
export const forgetOpeningsFrom: Job<Openings & { from: string }> = async ({ from, ...openings }, { perform }) => {
  const forgetSome = (since: string) => perform(null, async (tx) => unchanged(await removeSomeOpenings(tx, openings, since)))
  for (let next = await forgetSome(from); next; next = await forgetSome(next));
}
