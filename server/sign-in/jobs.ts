import { type Change, changedIf } from '../platform/changes/outcome.ts'
import type { Job } from '../platform/jobs/runner.ts'
import { readSettings } from '../settings/queries.ts'
import { forgetOldReminders, noteEnrolmentReminders } from './reminders.ts'
import { enrolmentNotice } from './rules.ts'

const BATCH = 500

/** Reminds people before the time for setting up a second factor is over. */
export const remindOfEnrolment: Job = async (_payload, { transact }) => {
  const remind = () =>
    transact(null, async (tx) => {
      await forgetOldReminders(tx)
      const due = await noteEnrolmentReminders(tx, BATCH)
      const { timeZone } = await readSettings(tx)
      const changes: Change[] = []
      for (const { userId, due: end } of due) {
        const payload = enrolmentNotice(end, timeZone)
        changes.push({ kind: 'user.reminded_of_enrolment', targetId: userId, facts: { due: end.toISOString() }, payload, author: null })
      }
      return changedIf(due.length, changes)
    })
  while ((await remind()) === BATCH);
}
