import { changedIf } from '../../platform/changes/outcome.ts'
import type { Job } from '../../platform/jobs/runner.ts'
import { noteLapses } from './lapses.ts'
import { endWaits } from './waiting.ts'

const BATCH = 200

/** Ends the waits whose `until` has passed. */
export const endOrderWaits: Job = async (_payload, { transact }) => {
  const endSome = () =>
    transact(null, async (tx) => {
      const changes = await endWaits(tx, BATCH)
      return changedIf(changes.length, changes)
    })
  while ((await endSome()) === BATCH);
}

/** Ends orders that were not approved in time, or whose beneficiary is deleted or inactive. */
export const followApprovals: Job = async (_payload, { transact }) => {
  const noteSome = () =>
    transact(null, async (tx) => {
      const changes = await noteLapses(tx, BATCH)
      return changedIf(changes.length, changes)
    })
  while ((await noteSome()) >= BATCH);
}
