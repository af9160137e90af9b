import { changedIf } from '../../platform/changes/outcome.ts'
import type { Job } from '../../platform/jobs/runner.ts'
import { noteLapses } from './lapses.ts'

/** Each lapse has all approvers of its group as recipients, so that more at once could become too large. */
const BATCH = 50

/** Notes that requests lapsed without a decision. */
export const followAccessRequests: Job = async (_payload, { transact }) => {
  const noteSome = () =>
    transact(null, async (tx) => {
      const changes = await noteLapses(tx, BATCH)
      return changedIf(changes.length, changes)
    })
  while ((await noteSome()) === BATCH);
}
