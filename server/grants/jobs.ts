import { changedIf } from '../platform/changes/outcome.ts'
import type { Job } from '../platform/jobs/runner.ts'
import { noteReminders, removeSomeEnded } from './queries.ts'
import { membershipsExpired, reminders, rolesExpired } from './rules.ts'

const BATCH = 500

/** Removes the grants that have ended, with the trace of each, and reminds people of those that end soon. */
export const expireGrants: Job = async (_payload, { transact }) => {
  const remove = () =>
    transact(
      null,
      async (tx) => {
        const { group, role } = await removeSomeEnded(tx, BATCH)
        return changedIf(Math.max(group.length, role.length), [...membershipsExpired(group), ...rolesExpired(role)])
      },
      { locks: 'access' },
    )
  while ((await remove()) === BATCH);
  const remind = () =>
    transact(null, async (tx) => {
      const due = await noteReminders(tx, BATCH)
      return changedIf(due.length, reminders(due))
    })
  while ((await remind()) >= BATCH);
}
