/** WORKERS=n: processes that answer requests on one port, started and kept alive by the main one. */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

const LONG_RUN_MS = 30_000
const LONGEST_PAUSE_MS = 5000

/**
 * Starts `count` workers with `env` added to their environment. `ready` fails when the first cannot answer: what ails it would
 * ail them all. Later, one that ends is replaced: at once after a long run, else after a pause that doubles up to 5 s.
 */
export function startWorkers(count: number, env: Record<string, string>, log: Logger) {
  const stopping = new AbortController()
  const { signal } = stopping
  const workers = new Set<Worker>()

  /** A worker that answers, and how it ended. */
  async function startOne() {
    const worker = cluster.fork(env)
    workers.add(worker)
    let failure: string | undefined
    worker.on('message', (message) => {
      failure = message.failure ?? failure
    })
    const ended = once(worker, 'exit').then(([code, signal]) => {
      workers.delete(worker)
      return failure ?? (signal ? `it was killed by ${signal}` : `it exited with code ${code}`)
    })
    const isListening = await Promise.race([once(worker, 'listening').then(() => true), ended.then(() => false)])
    return { isListening, ended }
  }

  async function keepOne(first: Awaited<ReturnType<typeof startOne>>) {
    let pauseMs = 0
    for (let { ended } = first, since = Date.now(); ; ) {
      const ending = await ended
      if (signal.aborted) return
      pauseMs = Date.now() - since > LONG_RUN_MS ? 0 : Math.min(LONGEST_PAUSE_MS, pauseMs * 2 || 50)
      log.warn(`a worker ended (${ending}); starting another in ${pauseMs} ms`)
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      since = Date.now()
      ended = (await startOne()).ended
    }
  }

  async function startAll() {
    const first = await startOne()
    if (!first.isListening) throw new Error(await first.ended)
    const others = await Promise.all(Array.from({ length: count - 1 }, startOne))
    for (const worker of [first, ...others]) void keepOne(worker)
  }

  return {
    ready: startAll(),
    /** Lets every worker finish what it has begun. */
    async stop() {
      stopping.abort()
      const endings = [...workers].map((worker) => once(worker, 'exit'))
      for (const worker of workers) worker.process.kill('SIGTERM')
      await Promise.all(endings)
    },
  }
}
