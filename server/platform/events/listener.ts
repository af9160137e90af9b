import pg from 'pg'

/** A connection that listens for commits on any instance. It may be lost, so its owner calls `listen` regularly. */
export function openListener(connection: pg.PoolConfig, onCommit: () => void, onError: (error: unknown) => void) {
  let current: pg.Client | null = null
  let isClosed = false

  async function listen() {
    if (isClosed || current) return
    const client = new pg.Client({ ...connection, application_name: 'bawaba events' })
    const giveUp = () => {
      if (current === client) current = null
    }
    current = client
    client.on('notification', onCommit)
    client.on('end', giveUp)
    client.on('error', (error) => {
      onError(error)
      giveUp()
    })
    try {
      await client.connect()
      await client.query('listen bawaba_events')
    } catch (error) {
      giveUp()
      client.end()
      onError(error)
    }
  }

  return {
    /** Connects unless there is a connection already. */
    listen,
    async close() {
      isClosed = true
      await current?.end()
    },
  }
}
