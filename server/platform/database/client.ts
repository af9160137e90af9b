import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** As which PostgreSQL refuses connections while it starts. */
const BOOTING = '57P03'
const BOOT_WITHIN_MS = 30_000
const PAUSE_MS = 200

/** Connects; waits up to 30 s for a database that is still starting. */
async function connect(connection: pg.PoolConfig) {
  for (const deadline = performance.now() + BOOT_WITHIN_MS; ; await sleep(PAUSE_MS)) {
    const client = new pg.Client({ connectionTimeoutMillis: 5000, ...connection })
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      if ((error as pg.DatabaseError).code !== BOOTING || performance.now() > deadline) throw error
    }
  }
}

/** Lends a connection of its own to `work`, outside the pools: for what is done once, at a start. */
export async function withClient<T>(connection: pg.PoolConfig, work: (client: pg.Client) => Promise<T>) {
  const client = await connect(connection)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
