import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { making } from './runs.ts'

/** The SQLSTATE of connections that PostgreSQL refuses while it starts. */
const BOOTING = '57P03'
/** How long a start waits for its database. */
export const START_WITHIN_MS = 30_000
const PAUSE_MS = 200
/**
 * The first try's share of the time. The second has twice as long, the third three times, so that a consistently slow database is reached
 * too.
 */
const FIRST_TRY = 1 / 6

/** The step of the database that is worth waiting for, as the end of a sentence; undefined if the error does not pass by waiting. */
function awaited({ code, message }: Error & { code?: string }) {
  if (code === BOOTING) return 'to start'
  return /timeout/.test(message) ? 'to accept a connection' : undefined
}

/**
 * Calls `ask` until the database answers, as long as it is starting or slow to accept connections. `ask` gets the time for its try in ms.
 */
export async function patiently<T>(database: string, ask: (tryMs: number) => Promise<T>, withinMs = START_WITHIN_MS): Promise<T> {
  const deadline = performance.now() + withinMs
  let reason: Error | undefined
  for (let tries = 1; ; tries++) {
    const leftMs = Math.max(1, deadline - performance.now())
    const tryMs = withinMs * FIRST_TRY * tries
    try {
      return await ask(Math.min(leftMs, tryMs))
    } catch (error) {
      if (!awaited(error as Error)) throw error
      // The failure of a try that the deadline cuts short says nothing about the cause.
      if (leftMs >= tryMs || !reason) reason = error as Error
      if (performance.now() + PAUSE_MS > deadline)
        throw new Error(`waited ${withinMs / 1000} s for ${database} ${awaited(reason)}: ${reason.message}`)
    }
    await sleep(PAUSE_MS)
  }
}

async function connect(connection: pg.PoolConfig, withinMs: number) {
  const { host, port } = new pg.Client(connection)
  const once = async (tryMs: number) => {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: tryMs })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  return patiently(`${host}:${port}`, once, withinMs)
}

/** Runs `work` on a connection outside the pools, for one-time work at a start. */
export async function withClient<T>(connection: pg.PoolConfig, work: (client: pg.Client) => Promise<T>, withinMs = START_WITHIN_MS) {
  const client = await connect(connection, withinMs)
  try {
    await client.query(`select ${making()}`)
    return await work(client)
  } finally {
    await client.end()
  }
}
