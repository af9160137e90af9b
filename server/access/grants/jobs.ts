import { changedIf } from '../../platform/changes/outcome.ts'
import type { Job } from '../../platform/jobs/runner.ts'
import { removeSomeEnded } from './queries.ts'
import { membershipsExpired, rolesExpired } from './rules.ts'

const BATCH = 500

/** Removes the grants that have ended, with the trace of each. */
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
}
