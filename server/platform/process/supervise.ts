/** Supervises processes and runners that must live as long as their owner: the portal, the embedded database, the workers, the job runner. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Running {
  /** Resolves when the process or runner has ended, with the reason in words; never rejects. */
  ended: Promise<string>
  stop(): Promise<unknown>
}

const LONG_RUN_MS = 30_000
const SHORTEST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 5000

/**
 * The pause before a restart in milliseconds: none after a long run, otherwise 50 ms at first, then twice the previous pause, up to 5 s.
 */
export const pauseAfter = (ranMs: number, pauseBeforeMs: number) =>
  ranMs > LONG_RUN_MS ? 0 : Math.min(LONGEST_PAUSE_MS, pauseBeforeMs * 2 || SHORTEST_PAUSE_MS)

/**
 * Starts a new process or runner whenever the current one ends or cannot start, until the signal aborts; then stops the current one.
 * `report` is called with each ending before the pause. `ended` resolves when the last one has ended, and rejects when it cannot be
 * stopped.
 */
export function supervise<R extends Running>(
  first: R,
  startAnother: (before: R) => Promise<R>,
  signal: AbortSignal,
  report: (ending: string, pauseMs: number) => void,
) {
  let current = first
  const stopping = untilAborted(signal)

  async function untilEnded(one: R) {
    await Promise.race([one.ended, stopping])
    if (signal.aborted) await one.stop()
    return one.ended
  }

  async function keepRunning() {
    let pauseMs = 0
    let startedAt = performance.now()
    let ending = await untilEnded(first)
    while (!signal.aborted) {
      pauseMs = pauseAfter(performance.now() - startedAt, pauseMs)
      report(ending, pauseMs)
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      startedAt = performance.now()
      const next = await startAnother(current).catch((error: Error) => error)
      if (next instanceof Error) {
        ending = next.message
      } else {
        current = next
        ending = await untilEnded(next)
      }
    }
  }

  return { current: () => current, ended: keepRunning() }
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
