/** Moves pushes to the job queue from the table in which transactions store them. */
import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'

const POLL_MS = 1000
const GATHER_MS = 100
const MOST = 1000
/** The pushes per job: several, because a job costs more than sending a push. Only the failed pushes of a job are retried. */
const TOGETHER = 20

/** With delays that grow by a factor of e up to 6 hours, the last attempt comes after 22 hours. */
const TRIES = 13

/**
 * Adding a job sends NOTIFY, which serialises commits. A transaction therefore only writes its pushes to a table, and this
 * statement moves many of them to the queue at once, atomically: none is lost or doubled.
 */
const HAND_OVER = sql<{ count: number }>`
    with due as (select notification_id, subscription_id from pushes limit ${sql.lit(MOST)} for update skip locked),
    taken as (
      delete from pushes using due where (pushes.notification_id, pushes.subscription_id) = (due.notification_id, due.subscription_id)
      returning pushes.notification_id, pushes.subscription_id),
    bundles as (
      select min(place) as place, json_agg(json_build_object('notificationId', notification_id, 'subscriptionId', subscription_id)) as pushes
      from (select *, row_number() over (order by notification_id, subscription_id) - 1 as place from taken) as numbered
      group by place / ${sql.lit(TOGETHER)}),
    specs as (
      select array_agg(('send_push', pushes, null, null, ${sql.lit(TRIES)}, null, null, null)::graphile_worker.job_spec order by place) as all
      from bundles having count(*) > 0),
    added as (select count(*) from specs, graphile_worker.add_jobs(specs.all))
    select count(*) as count from taken where (select count from added) >= 0`

/** Hands over all pushes that wait. */
export async function handOver(writes: Db['writes']) {
  for (;;) {
    const { rows } = await HAND_OVER.execute(writes)
    if (rows[0]!.count < MOST) return
  }
}

/** Call `wake` after a commit that may have stored pushes; polling finds the pushes of an instance that died. */
export function openHandOver(writes: Db['writes'], onError: (error: unknown) => void) {
  let closed = false
  let handing: Promise<void> | null = null
  let soon: NodeJS.Timeout | null = null

  function look() {
    handing ??= handOver(writes)
      .catch(onError)
      .finally(() => {
        handing = null
      })
  }
  function wake() {
    if (closed) return
    soon ??= setTimeout(() => {
      soon = null
      look()
    }, GATHER_MS)
  }
  const poll = setInterval(look, POLL_MS)

  return {
    wake,
    async close() {
      closed = true
      clearInterval(poll)
      if (soon) clearTimeout(soon)
      await handing
    },
  }
}
