import { type Change, changedIf } from '../../platform/changes/outcome.ts'
import { inBatches } from '../../platform/jobs/cleaning.ts'
import type { JobContext } from '../../platform/jobs/runner.ts'
import { removeUnproven } from './queries.ts'

/** Forgets secrets for one-time codes that no code has proven in time. */
export const forgetUnprovenSecrets = ({ transact }: JobContext) =>
  inBatches((most) =>
    transact(null, async (tx) => {
      const forgotten = await removeUnproven(tx, most)
      return changedIf(
        forgotten.length,
        forgotten.map((targetId): Change => ({ kind: 'totp.forgotten', targetId, facts: {} })),
      )
    }),
  )
