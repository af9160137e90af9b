import { changedIf } from '../../platform/changes/outcome.ts'
import type { Job } from '../../platform/jobs/runner.ts'
import { tell } from './issue.ts'
import { noteReminders } from './queries.ts'

const BATCH = 500

/** Tells the owners of tokens that end within 14 days, and again within 3. */
export const remindOfTokens: Job = async (_payload, { transact, config }) => {
  const remind = () =>
    transact(null, async (tx) => {
      const due = await noteReminders(tx, BATCH)
      const changes = []
      for (const { userId, name, lastFour, expiresAt } of due)
        changes.push(
          await tell(tx, config, { targetId: userId, facts: { news: 'ends_soon', name, lastFour, expiresAt: expiresAt.toISOString() } }),
        )
      return changedIf(due.length, changes)
    })
  while ((await remind()) >= BATCH);
}
