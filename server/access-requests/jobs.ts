import { changedIf } from '../platform/changes/outcome.ts'
import type { Job } from '../platform/jobs/runner.ts'
import { noteLapses } from './lapses.ts'
import { noteReminders } from './reminders.ts'

const BATCH = 200

/** Notes that requests lapsed without a decision, and reminds approvers of those that wait. */
export const followAccessRequests: Job = async (_payload, { transact }) => {
  for (const note of [noteLapses, noteReminders]) {
    const noteSome = () =>
      transact(null, async (tx) => {
        const changes = await note(tx, BATCH)
        return changedIf(changes.length, changes)
      })
    while ((await noteSome()) === BATCH);
  }
}
