/** Jobs: added in the transaction that causes them, run by any instance, retried until they succeed. */
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { run, type TaskList, type WorkerEvents, Logger as WorkerLogger } from 'graphile-worker'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Limits } from '../auth/limits.ts'
import type { DeletionHooks } from '../changes/deletion-hooks.ts'
import type { Transact } from '../changes/transact.ts'
import type { Config } from '../config.ts'
import type { Db, Tx } from '../database/db.ts'
import { giveSettings } from '../database/runs.ts'
import type { Hub } from '../events/hub.ts'
import { counters } from '../metrics/counters.ts'
import type { Objects } from '../objects/store.ts'
import type { Providers } from '../oidc/providers.ts'
import type { Outbound } from '../outbound.ts'
import { type Running, supervise } from '../process/supervise.ts'
import type { Registry } from '../registry.ts'
import { openJobPool } from './pool.ts'
import { addRegularJobs } from './regular.ts'

export interface JobContext {
  db: Db
  config: Config
  log: Logger
  transact: Transact
  deletionHooks: DeletionHooks
  hub: Hub
  limits: Limits
  objects: Objects
  outbound: Outbound
  providers: Providers
  /** Set on the last try: a failure is not retried. */
  isLastTry?: boolean
}
export type Job<Payload = unknown> = (payload: Payload, context: JobContext) => Promise<void>

type Jobs = Registry['jobs']
type PayloadOf<N extends keyof Jobs> = Parameters<Jobs[N]>[0]

/** `tries` is the maximum number of tries, with growing pauses between them. Jobs of the same `queue` run one at a time. */
interface JobOptions {
  queue?: string
  tries?: number
}

/** The tries of a mail: they are spread over little more than an hour, the lifetime of a link. */
export const MAIL_TRIES = 9

/** Adds a job that starts after the commit, and never when the transaction is rolled back. */
export const addJob = <N extends keyof Jobs>(tx: Tx, name: N, payload: PayloadOf<N>, { queue, tries = 25 }: JobOptions = {}) =>
  sql`select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json,
    queue_name => ${queue ?? null}::text, max_attempts => ${tries}::int)`.execute(tx)

/** The limit for the runner's own statements, which are short. An unanswered one would block the runner, or the start of the next. */
const ANSWER_WITHIN_MS = 15_000
const STOP_WITHIN_MS = 5000
const END_WITHIN_MS = 500

/** More than there are connections: jobs that wait for another server hold no connection, and must not block other jobs. */
const CONCURRENCY = 12

/** A job with any payload, which `addJob` has checked. It is declared as a method, because a method's parameters may be narrower. */
type AnyJob = { run(payload: unknown, context: JobContext): Promise<void> }['run']

/** Every job by its name, and the crontab (UTC) of the regular ones. */
interface Work {
  jobs: Record<keyof Jobs, AnyJob>
  schedule: string
}

/** Runs jobs until `stop`, which lets running ones finish. A runner that fails, for example when it loses the database, is replaced. */
export async function startJobs(work: Work, context: JobContext, answerWithinMs = ANSWER_WITHIN_MS) {
  const stopping = new AbortController()
  const { signal } = stopping
  const onLoss = (error: Error) => signal.aborted || context.log.warn({ cause: error.message }, 'a job connection was lost')
  const limits = { query_timeout: answerWithinMs, verify: giveSettings({ idle_in_transaction_session_timeout: answerWithinMs }) }
  const start = (before?: Runner) => startRunner(openJobPool(context.db.connection, 4, onLoss, limits), work, context, before)
  const { ended } = supervise(await start(), start, signal, (cause, pauseMs) => {
    counters.jobRunnerRestarts.inc()
    context.log.warn({ cause }, `the job runner stopped; starting another in ${pauseMs} ms`)
  })

  return {
    async stop() {
      stopping.abort()
      await ended
    },
  }
}

interface Runner extends Running {
  /** The name under which the runner locks its jobs. */
  id: string
}

/** Each runner has its own connections, because a hanging runner does not return them. Releases the previous runner's jobs first. */
async function startRunner(pool: pg.Pool, work: Work, context: JobContext, before?: Runner): Promise<Runner> {
  try {
    if (before) await pool.query('select graphile_worker.force_unlock_workers($1)', [[before.id]])
    return await runOn(pool, work, context)
  } catch (error) {
    pool.end().catch(() => {})
    throw error
  }
}

async function runOn(pool: pg.Pool, { jobs, schedule }: Work, context: JobContext): Promise<Runner> {
  const taskList: TaskList = Object.fromEntries(
    Object.entries(jobs).map(([name, job]) => [
      name,
      async (payload, { job: { attempts, max_attempts } }) => {
        const tried = { ...context, isLastTry: attempts >= max_attempts }
        // For a list of payloads, the runner retries those that failed.
        return Array.isArray(payload) ? payload.map((one) => job(one, tried)) : void (await job(payload, tried))
      },
    ]),
  )
  let id = ''
  const events: WorkerEvents = new EventEmitter()
  events.on('pool:create', ({ workerPool }) => {
    id = workerPool.id
  })
  nameRunner(events)
  events.on('job:error', ({ job }) => counters.jobFailures.inc({ job: job.task_identifier }))
  events.on('job:failed', ({ job }) => counters.jobsGivenUp.inc({ job: job.task_identifier }))
  const hung = untilHung(events)
  const runner = await run({
    pgPool: pool,
    taskList,
    parsedCronItems: [],
    concurrency: CONCURRENCY,
    pollInterval: 1000,
    noHandleSignals: true,
    logger: quietLogger(context.log),
    events,
    // With batches, a failure to record a job's end stops the runner; without, it would be an unhandled rejection and end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  })
  const gaveUp = runner.promise.then(
    () => 'it gave up',
    (error: Error) => error.message,
  )
  const over = Promise.race([gaveUp, hung])
  const stopping = new AbortController()
  addRegularJobs(pool, schedule, stopping.signal, ({ message }) =>
    context.log.warn({ cause: message }, 'the regular jobs could not be added'),
  )
  const stop = () => {
    stopping.abort()
    // Stopping a runner twice throws.
    return Promise.race([runner.stop().catch(() => {}), over])
  }
  // Stops the schedule too: a hanging runner would otherwise go on adding regular jobs beside the next runner.
  const close = () => stop().then(() => Promise.race([pool.end(), sleep(END_WITHIN_MS)]))
  return { id, stop, ended: over.finally(close) }
}

/** Resolves when a runner takes too long to stop: one that fails to record a job's end may wait for itself for ever. */
const untilHung = (events: WorkerEvents) =>
  new Promise<string>((resolve) => {
    events.on('pool:gracefulShutdown', () => setTimeout(resolve, STOP_WITHIN_MS, 'it hung').unref())
  })

/** The prefix of a runner's id in the application name of its listening connection. */
export const RUNNER = 'bawaba jobs of '

/** Names the listening connection after its runner, so that a live runner can be told from a dead one. */
function nameRunner(events: WorkerEvents) {
  events.on('pool:listen:success', ({ client, workerPool }) => {
    const name = [RUNNER + workerPool.id]
    client.once('drain', () => client.query(`select set_config('application_name', $1, false)`, name).catch(() => {}))
  })
}

/** The runner's warning about a pool smaller than its concurrency. */
const FEW_CONNECTIONS = /maxPoolSize/

/** Logs names and errors, but never job payloads. */
function quietLogger(log: Logger) {
  const scoped = () => (level: string, message: string) => {
    if (level === 'error') log.error(message)
    else if (level === 'warning' && !FEW_CONNECTIONS.test(message)) log.warn(message)
  }
  return new WorkerLogger(scoped)
}
