import { sql } from 'kysely'
import { type Change, changedIf } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Job } from '../../platform/jobs/runner.ts'
import { noteUnsigned } from './deliveries.ts'
import { pauseFor } from './pausing.ts'

interface Judged {
  id: number
  name: string
  createdBy: number | null
  hasSecret: boolean
  failedLong: boolean
  failedDay: boolean
  failedHour: boolean
  told: number
  hasGivenUp: boolean
}

/** Locks and returns the active webhooks that must be paused, or of whose failures people must be told. */
const findBad = async (tx: Tx) =>
  (
    await sql<Judged>`
      select * from (
        select id, name, created_by, told, secret is not null as has_secret,
          coalesce(failing_since <= now() - interval '72 hours', false) as failed_long,
          coalesce(failing_since <= now() - interval '1 day', false) as failed_day,
          coalesce(failing_since <= now() - interval '1 hour', false) as failed_hour,
          (dead_told_at is null or dead_told_at <= now() - interval '1 day') and exists (
            select from webhook_deliveries where webhook_id = webhooks.id and state = 'dead'
              and settled_at > coalesce(dead_told_at, '-infinity')) as has_given_up
        from webhooks where is_active order by id for no key update) as judged
      where not has_secret or failed_long or failed_day and told < 2 or failed_hour and told < 1 or has_given_up`.execute(tx)
  ).rows

async function judge(tx: Tx, webhook: Judged): Promise<Change[]> {
  const { id, name, createdBy, hasSecret, failedLong, failedDay, failedHour, told, hasGivenUp } = webhook
  const announced = (news: 'hour' | 'day' | 'dead'): Change => ({
    kind: 'webhook.announced',
    targetId: id,
    facts: { name, news, makerId: createdBy },
  })
  const changes: Change[] = []
  if (hasGivenUp) {
    await sql`update webhooks set dead_told_at = now() where id = ${id}`.execute(tx)
    changes.push(announced('dead'))
  }
  if (!hasSecret) return [...changes, ...(await pauseFor(tx, webhook, 'no_secret'))]
  if (failedLong) return [...changes, ...(await pauseFor(tx, webhook, 'failures'))]
  const news = failedDay && told < 2 ? 'day' : failedHour && told < 1 ? 'hour' : undefined
  if (!news) return changes
  await sql`update webhooks set told = ${news === 'day' ? 2 : 1} where id = ${id}`.execute(tx)
  return [...changes, announced(news)]
}

/**
 * Tells administrators, and the makers of webhooks, of webhooks that have failed for an hour or a day, and, once a day, of messages that
 * were given up. Pauses webhooks that have failed for 72 hours or have no secret. Without `SECRETS_KEY`, webhooks that have something to
 * send fail.
 */
export const watchWebhooks: Job = async (_payload, { config, transact }) => {
  await transact(null, async (tx) => {
    const changes: Change[] = []
    for (const webhook of await findBad(tx)) changes.push(...(await judge(tx, webhook)))
    if (config.secretsKey === undefined)
      for (const targetId of await noteUnsigned(tx)) changes.push({ kind: 'webhook.sent', targetId, facts: {} })
    return changedIf(undefined, changes)
  })
}
