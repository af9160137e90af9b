/** Work that happens later: added in the transaction that causes it, run by any instance, tried again until it succeeds. */
import { Logger as WorkerLogger, run, runMigrations, type TaskList } from 'graphile-worker'
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

/** `tries` in all, with growing pauses between them; the jobs of one `queue` run one after the other. */
interface JobOptions {
  queue?: string
  tries?: number
}

/** The job starts after the commit, and never when the transaction is rolled back. */
export const addJob = <N extends keyof Jobs>(tx: Tx, name: N, payload: PayloadOf<N>, { queue, tries = 25 }: JobOptions = {}) =>
  sql`select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json,
    queue_name => ${queue ?? null}::text, max_attempts => ${tries}::int)`.execute(tx)

/** Lost connections are replaced; those in use must be listened to as well, or their loss would end the process. */
function openJobPool(connection: pg.PoolConfig, max: number, onError: (error: Error) => void) {
  const pool = new pg.Pool({ ...connection, max, application_name: 'bawaba jobs' })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/** Brings the queue's own tables to its version. */
export async function migrateJobs(connection: pg.PoolConfig) {
  const pool = openJobPool(connection, 1, () => {})
  try {
    await runMigrations({ pgPool: pool })
  } finally {
    await pool.end()
  }
}

export async function startJobs(desk: Desk) {
  const pool = openJobPool(desk.db.connection, 4, (error) => desk.log.warn({ cause: error.message }, 'a job connection was lost'))
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
