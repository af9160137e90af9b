import { changedIf } from '../platform/changes/outcome.ts'
import type { Job } from '../platform/jobs/runner.ts'
import { announced } from './making.ts'
import { noteReminders } from './queries.ts'

const BATCH = 500

/** Tells the owners of tokens that end within 14 days, and again within 3. */
export const remindOfTokens: Job = async (_payload, { transact }) => {
  const remind = () =>
    transact(null, async (tx) => {
      const due = await noteReminders(tx, BATCH)
      return changedIf(
        due.length,
        due.map(({ userId, name, lastFour, expiresAt }) =>
          announced({ targetId: userId, facts: { news: 'ends_soon', name, lastFour, expiresAt: expiresAt.toISOString() } }),
        ),
      )
    })
  while ((await remind()) >= BATCH);
}
