/** Work that happens later: added in the transaction that causes it, run by any instance, tried again until it succeeds. */
import { Logger as WorkerLogger, run, type TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { jobs, schedule } from '../jobs.ts'
import type { Config } from './config.ts'
import type { Db, Tx } from './db.ts'
import type { Hub } from './events.ts'
import type { Limits } from './limits.ts'
import type { Perform } from './perform.ts'

/** What a job works with. */
export interface Desk {
  db: Db
  config: Config
  log: Logger
  perform: Perform
  hub: Hub
  limits: Limits
}
export type Job<Payload = unknown> = (payload: Payload, desk: Desk) => Promise<void>

type Jobs = typeof jobs
type PayloadOf<N extends keyof Jobs> = Parameters<Jobs[N]>[0]

/** The job starts after the commit, and never when the transaction is rolled back. */
export const addJob = <N extends keyof Jobs>(tx: Tx, name: N, payload: PayloadOf<N>) =>
  sql`select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json)`.execute(tx)

export async function startJobs(desk: Desk) {
  const pool = new pg.Pool({ ...desk.db.connection, max: 4, application_name: 'bawaba jobs' })
  pool.on('error', (error) => desk.log.warn({ err: error }, 'a job connection was lost'))
  const taskList: TaskList = Object.fromEntries(
    Object.entries(jobs as Record<string, Job<never>>).map(([name, job]) => [
      name,
      async (payload) => {
        await job(payload as never, desk)
      },
    ]),
  )
  const runner = await run({
    pgPool: pool,
    taskList,
    crontab: schedule,
    concurrency: 3,
    pollInterval: 1000,
    noHandleSignals: true,
    logger: quietLogger(desk.log),
  })
  runner.promise.catch((error) => desk.log.error({ err: error }, 'the job runner stopped'))
  return {
    async stop() {
      await runner.stop().catch(() => {})
      await pool.end()
    },
  }
}

/** Job payloads stay out of the log: only names and errors go in. */
function quietLogger(log: Logger) {
  const scoped = () => (level: string, message: string) => {
    if (level === 'error') log.error(message)
    else if (level === 'warning') log.warn(message)
  }
  return new WorkerLogger(scoped)
}
