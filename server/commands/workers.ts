/** With WORKERS=n, the main process starts and restarts processes that serve requests on one port. */
import cluster from 'node:cluster'
import { once } from 'node:events'
import type { Logger } from 'pino'
import { mainCounters } from '../platform/metrics/counters.ts'
import { type Running, supervise } from '../platform/process/supervise.ts'

const WORKER = 'BAWABA_WORKER'
/** The number of this worker, which its replacement keeps; undefined in the main process. */
export const workerNumber = process.env[WORKER]

interface Worker extends Running {
  /** False if the worker ends before it accepts requests. */
  isListening: Promise<boolean>
}

/**
 * Starts `count` workers with `env` added to their environment: one first and, once it accepts requests, the others. `ready` rejects if the
 * first cannot start, because all others would fail as well. A worker that ends later is replaced.
 */
export function startWorkers(count: number, env: Record<string, string>, log: Logger) {
  const stopping = new AbortController()
  const start = (number: number) => startWorker({ ...env, [WORKER]: String(number) })
  const first = start(1)
  const endings: Promise<unknown>[] = []

  const keep = (worker: Worker, at: number) =>
    supervise(
      worker,
      async () => start(at + 1),
      stopping.signal,
      (ending, pauseMs) => {
        mainCounters.workerRestarts.inc()
        log.warn(`a worker ended (${ending}); starting another in ${pauseMs} ms`)
      },
    ).ended

  async function startAll() {
    if (!(await first.isListening)) throw new Error(await first.ended)
    const others = Array.from({ length: count - 1 }, (_, at) => start(at + 2))
    endings.push(...[first, ...others].map(keep))
    await Promise.all(others.map(({ isListening }) => isListening))
  }

  return {
    ready: startAll(),
    /** Stops every worker after it has finished its requests. */
    async stop() {
      stopping.abort()
      await first.stop()
      await Promise.all(endings)
    },
  }
}

function startWorker(env: Record<string, string>): Worker {
  const worker = cluster.fork(env)
  let failure: string | undefined
  worker.on('message', (message) => {
    failure = message.failure ?? failure
  })
  const ended = once(worker, 'exit').then(
    ([code, signal]) => failure ?? (signal ? `it was killed by ${signal}` : `it exited with code ${code}`),
  )
  return {
    isListening: Promise.race([once(worker, 'listening').then(() => true), ended.then(() => false)]),
    ended,
    stop() {
      worker.process.kill('SIGTERM')
      return ended
    },
  }
}
