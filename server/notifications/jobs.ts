import { unchanged } from '../platform/changes/outcome.ts'
import type { Job } from '../platform/jobs/runner.ts'
import { removeLongRead } from './queries.ts'

const BATCH = 20_000

/** Deletes notifications 90 days after they were read; unread ones stay. */
export const forgetReadNotifications: Job = async (_payload, { transact }) => {
  const forgetSome = () => transact(null, async (tx) => unchanged(await removeLongRead(tx, BATCH)))
  while ((await forgetSome()) === BATCH);
}
