import { unchanged } from '../../platform/changes/outcome.ts'
import type { Job } from '../../platform/jobs/runner.ts'
import { type AppOpensOf, removeSomeAppOpens } from './app-opens.ts'

/**
 * Deletes the opens of a deleted app or person from the instant `from` on. The daily counts of an app keep the opens of a deleted person.
 */
export const forgetAppOpensFrom: Job<AppOpensOf & { from: string }> = async ({ from, ...appOpens }, { transact }) => {
  const forgetSome = (since: string) => transact(null, async (tx) => unchanged(await removeSomeAppOpens(tx, appOpens, since)))
  for (let next = await forgetSome(from); next; next = await forgetSome(next));
}
