import { changedIf } from '../../platform/changes/outcome.ts'
import type { Job } from '../../platform/jobs/runner.ts'
import { noteLapses, tellOfSome } from './lapses.ts'

const BATCH = 200

/** Notes that requests lapsed without a decision. */
export const followAccessRequests: Job = async (_payload, { transact }) => {
  const noteSome = () =>
    transact(null, async (tx) => {
      const changes = await noteLapses(tx, BATCH)
      return changedIf(changes.length, changes)
    })
  while ((await noteSome()) === BATCH);
}

/** Sends the events of lapses to approvers, in portions. */
export const tellOfLapses: Job<{ requestIds: number[] }> = async ({ requestIds }, { transact }) => {
  const tellSome = (ids: number[]) =>
    transact(null, async (tx) => {
      const { left, changes } = await tellOfSome(tx, ids)
      return changedIf(left, changes)
    })
  for (let left = requestIds; left.length > 0; ) left = await tellSome(left)
}
