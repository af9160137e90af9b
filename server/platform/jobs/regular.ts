/** Regular jobs, added when they are due by the database's clock, not by the portal's. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ParsedCronItem, parseCrontab } from 'graphile-worker'
import type pg from 'pg'

const LOOK_EVERY_MS = 5000
const MINUTE_MS = 60_000
/** How far back to search for the last due minute: each job is due at least daily. */
const DAY_MINUTES = 24 * 60

/** The database's current minute, in minutes since 1970. */
const READ_MINUTE = 'select floor(extract(epoch from now()) / 60)::int as minute'

/** Registers new jobs as just added, so that each is first due at its next time. */
const LEARN = 'insert into regular_jobs (name, last_at) select name, now() from unnest($1::text[]) as name on conflict do nothing'

/**
 * Adds each job that has become due since it was last added: once, however often it was due, and by one instance. Adds none while a job of
 * the same kind waits for a runner; a job that a runner holds does not count, since the runner may be dead. A `last_at` in the future comes
 * from a wrong clock and does not count.
 */
const ADD = `
  with due as (
      select name, to_timestamp(minute * 60) as at from unnest($1::text[], $2::int[]) as due (name, minute)),
    noted as (
      update regular_jobs set last_at = at from due where regular_jobs.name = due.name and (last_at < at or last_at > now())
      returning due.name)
  select graphile_worker.add_job(name) from noted
  where not exists (
    select from graphile_worker.jobs
    where task_identifier = name and locked_at is null and attempts < max_attempts and run_at <= now())`

/** The last minute, up to `now`, in which the job was due. */
function lastDue({ match }: ParsedCronItem, now: number) {
  for (let minute = now; minute > now - DAY_MINUTES; minute--) {
    const at = new Date(minute * MINUTE_MS)
    const [min, hour, date] = [at.getUTCMinutes(), at.getUTCHours(), at.getUTCDate()]
    if (match({ min, hour, date, month: at.getUTCMonth() + 1, dow: at.getUTCDay() })) return minute
  }
  return undefined
}

/** Looks for jobs of a crontab (UTC) that are due, at most once in each minute of the database's clock, and adds them. */
export function openSchedule(pool: pg.Pool, crontab: string) {
  const items = parseCrontab(crontab)
  let last: number | undefined

  return async function look() {
    const { rows } = await pool.query<{ minute: number }>(READ_MINUTE)
    const { minute } = rows[0]!
    if (minute === last) return
    if (last === undefined) await pool.query(LEARN, [items.map(({ identifier }) => identifier)])
    const due = items.flatMap((item) => {
      const at = lastDue(item, minute)
      return at === undefined ? [] : [{ name: item.identifier, at }]
    })
    await pool.query(ADD, [due.map(({ name }) => name), due.map(({ at }) => at)])
    last = minute
  }
}

/** Adds the jobs of a crontab within 5 s of their time, until the signal aborts. Retries failures, and reports the first of a series. */
export async function addRegularJobs(pool: pg.Pool, crontab: string, signal: AbortSignal, onError: (error: Error) => void) {
  if (!crontab) return
  const look = openSchedule(pool, crontab)
  let isFailing = false
  while (!signal.aborted) {
    const failure: Error | null = await look().then(
      () => null,
      (error) => error,
    )
    if (failure && !isFailing && !signal.aborted) onError(failure)
    isFailing = failure !== null
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
  }
}
