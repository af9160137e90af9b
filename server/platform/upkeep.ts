/** What the portal clears away by itself, and the partitions it prepares. */
import { sql } from 'kysely'
import type { Job } from './jobs.ts'

/** Events are kept 24 hours; the horizon remembers the last one gone, so that a stream from before it begins anew. */
export const forgetOldEvents: Job = async (_payload, { db }) => {
  await sql`
    with gone as (delete from events where at < now() - interval '24 hours' returning tx, id),
      last as (select tx, id from gone order by tx desc, id desc limit 1)
    update event_horizon set tx = last.tx, id = last.id from last where (event_horizon.tx, event_horizon.id) < (last.tx, last.id)`.execute(
    db.writes,
  )
}

/** Sessions that ended stay a day, so that their streams learn why. */
export const forgetOldSessions: Job = async (_payload, { db }) => {
  await db.pools.write.query("delete from sessions where coalesce(ended_at, expires_at) < now() - interval '1 day'")
}

export const forgetExpiredLimits: Job = async (_payload, { limits }) => void (await limits.forgetExpired())

/** This month's partition and the next two months'. */
export const prepareMonths: Job = async (_payload, { db }) => {
  await sql`
    select ensure_month(parent, ((now() at time zone 'UTC') + make_interval(months => ahead))::date)
    from unnest(array['changes', 'app_opens']) as parent, generate_series(0, 2) as ahead`.execute(db.writes)
}

/** Before the id of a job runner: the name of the connection on which it listens. */
export const RUNNER = 'bawaba jobs of '

/** Frees the jobs that a runner which is gone had begun; without this they would wait four hours. */
export const freeLostJobs: Job = async (_payload, { db }) => {
  await sql`
    select graphile_worker.force_unlock_workers(array(
      select distinct locked_by from graphile_worker.jobs
      where locked_at < now() - interval '2 minutes'
        and not exists (select from pg_stat_activity where application_name = ${RUNNER} || locked_by)))`.execute(db.writes)
}
