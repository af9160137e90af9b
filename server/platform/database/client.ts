import pg from 'pg'

/** Lends a connection of its own to `work`, outside the pools: for what is done once, at a start. */
export async function withClient<T>(connection: pg.PoolConfig, work: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client({ connectionTimeoutMillis: 5000, ...connection })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
