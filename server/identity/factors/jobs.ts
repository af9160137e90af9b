import { type Change, changedIf } from '../../platform/changes/outcome.ts'
import type { Job } from '../../platform/jobs/runner.ts'
import { removeUnproven } from './queries.ts'

/** Forgets secrets for one-time codes that no code has proven in time. */
export const forgetUnprovenSecrets: Job = async (_payload, { transact }) =>
  transact(null, async (tx) =>
    changedIf(
      undefined,
      (await removeUnproven(tx)).map((targetId): Change => ({ kind: 'totp.forgotten', targetId, facts: {} })),
    ),
  )
