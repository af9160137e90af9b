/** A pool in which people take turns, so that nobody waits behind another person's many calls. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { fairSemaphore } from '../concurrency.ts'
import { Pool } from './pool.ts'

const asking = new AsyncLocalStorage<number | string>()

/** Runs work whose statements take turns under one person (an id) or one address. */
export const askingFor = <T>(who: number | string, work: () => T): T => asking.run(who, work)

/** Runs work for many people together: its statements wait only for a free connection. */
export const askingForAll = <T>(work: () => T): T => asking.exit(work)

/** The connections of a pool of `size` that one person may use at once. */
const shareOf = (size: number) => Math.max(1, Math.floor(size * 0.3))

const LINE_WITHIN_MS = 10_000

/**
 * A pool in which each person has a share of the connections, and waiting people are served in rotation. A call fails after 10 s in line.
 * The portal's own statements belong to no person, so no share limits them.
 */
export class FairPool extends Pool {
  readonly #enter: ReturnType<typeof fairSemaphore<number | string | symbol>>
  readonly #withinMs: number

  constructor(config: pg.PoolConfig & { max: number }, patience: number) {
    super(config)
    this.#withinMs = LINE_WITHIN_MS * patience
    this.#enter = fairSemaphore({ lanes: config.max, perKey: shareOf(config.max) })
  }

  protected override async acquire() {
    const leave = await this.#enter(asking.getStore() ?? Symbol(), () => AbortSignal.timeout(this.#withinMs)).catch(() => {
      throw new Error('timeout exceeded when trying to connect')
    })
    try {
      const client = await super.acquire()
      const { release } = client
      client.release = (error) => {
        leave()
        release(error)
      }
      return client
    } catch (error) {
      leave()
      throw error
    }
  }
}
