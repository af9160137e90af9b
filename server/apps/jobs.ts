import { unchanged } from '../platform/changes/outcome.ts'
import type { Job } from '../platform/jobs/runner.ts'
import { type AppOpensOf, removeSomeAppOpens } from './app-opens.ts'

/** Takes the opens of an app or a person that is gone away, from an instant on, and out of every count with them. */
export const forgetAppOpensFrom: Job<AppOpensOf & { from: string }> = async ({ from, ...appOpens }, { transact }) => {
  const forgetSome = (since: string) => transact(null, async (tx) => unchanged(await removeSomeAppOpens(tx, appOpens, since)))
  for (let next = await forgetSome(from); next; next = await forgetSome(next));
}
