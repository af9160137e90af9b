/** The portal's own upkeep: deletes old events and idempotency keys, prepares partitions, and releases lost jobs. */
import { sql } from 'kysely'
import type { Db, Reads } from '../database/db.ts'
import { inBatches } from './cleaning.ts'
import { type Job, type JobContext, RUNNER } from './runner.ts'

/** Events are stored for 24 hours. The horizon is the last deleted event: a stream that resumes from an earlier event gets `resync`. */
export const forgetOldEvents = ({ db }: JobContext) => inBatches((most) => forgetSomeEvents(db, most))

/** Deletes at most `most` old events and moves the horizon. Returns the number of deleted events. */
async function forgetSomeEvents(db: Db, most: number) {
  const { rows } = await db.pools.write.query<{ count: number }>(`
    with gone as (
        delete from events where (tx, id) in (
          select tx, id from events where at < now() - interval '24 hours' order by at limit ${most})
        returning tx, id),
      last as (select tx, id from gone order by tx desc, id desc limit 1),
      moved as (
        update event_horizon as horizon set tx = last.tx, id = last.id from last
        where (horizon.tx, horizon.id) < (last.tx, last.id))
    select count(*) as count from gone`)
  return rows[0]!.count
}

/** The maximum number of idempotency keys stored for each person. */
const MOST_KEYS = 100_000

/** Forgets all but the last 100,000 idempotency keys of each person. */
export const forgetExcessKeys = (db: Db['writes']) =>
  sql`
    with beyond as materialized (
        select user_id, (select created_at from idempotency_keys as one
          where one.user_id = many.user_id order by created_at desc offset ${MOST_KEYS} limit 1) as last
        from (select user_id from idempotency_keys group by user_id having count(*) > ${MOST_KEYS}) as many)
    delete from idempotency_keys as old using beyond where old.user_id = beyond.user_id and old.created_at <= beyond.last`.execute(db)

/** Creates the partitions of this month and the next two, for every table partitioned by month. */
export const prepareMonths: Job = async (_payload, { db, log }) => {
  for (const table of await tablesOfMonths(db.reads)) {
    for (const ahead of [0, 1, 2]) {
      await prepareMonth(db, table, ahead).catch((error) => {
        if (error.code !== CHECK_VIOLATION) throw error
        log.warn({ table, ahead }, 'no partition for this month: its rows stay in the default partition')
      })
    }
  }
}

/** The tables that are partitioned by month. */
export async function tablesOfMonths(db: Reads) {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_partitioned_table join pg_class on oid = partrelid
    where relnamespace = 'public'::regnamespace order by name`.execute(db)
  return rows.map(({ name }) => name)
}

const CHECK_VIOLATION = '23514'

/** Waits at most 2 s for the lock on the table, because writers queue behind the waiting statement. */
const prepareMonth = (db: Db, table: string, ahead: number) =>
  db.writes.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '2s'`.execute(tx)
    await sql`select ensure_month(${table}, ((now() at time zone 'UTC') + make_interval(months => ${ahead}::int))::date)`.execute(tx)
  })

/** Releases the jobs of dead runners, which would otherwise wait for four hours, and single jobs that have been locked for too long. */
export const freeLostJobs: Job = async (_payload, { db }) => {
  await sql`
    select graphile_worker.force_unlock_workers(array(
      select distinct locked_by from graphile_worker.jobs
      where locked_at < now() - interval '30 seconds'
        and not exists (select from pg_stat_activity where application_name = ${RUNNER} || locked_by)))`.execute(db.writes)
  await freeForgottenJobs(db.writes)
}

/**
 * Releases the jobs that a live runner locked without learning of it: no job takes a quarter of an hour. The other jobs of the runner stay
 * locked, because it is running them. A job and its queue are locked together.
 */
export const freeForgottenJobs = (db: Db['writes']) =>
  sql`
    with freed as (
      update graphile_worker._private_jobs as job set locked_at = null, locked_by = null from graphile_worker._private_jobs as former
      where former.id = job.id and job.locked_at < now() - interval '15 minutes'
      returning job.job_queue_id as queue, former.locked_by as runner)
    update graphile_worker._private_job_queues as job_queue set locked_at = null, locked_by = null from freed
    where job_queue.id = freed.queue and job_queue.locked_by = freed.runner`.execute(db)
