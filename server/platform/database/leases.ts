/**
 * Leases: this instance holds a lease until it gives it back or ends, and all instances of the database together hold at most a given
 * number. The database ties them to a separate connection, so that the leases of a killed process end at once.
 */
import pg from 'pg'
import { mutex } from '../concurrency.ts'
import { making } from './runs.ts'

/** If a machine is gone, the server ends its connection within a minute. */
const KEPT_ALIVE = making({ tcp_keepalives_idle: 30, tcp_keepalives_interval: 10, tcp_keepalives_count: 3 })
const ANSWER_MS = 4000
const RECONNECT_MS = 1000

interface Holder {
  client: pg.Client
  /** The number of this connection, under which the database counts its leases. */
  self: Promise<number>
}

export function openLeases(connection: pg.PoolConfig, onError: (error: unknown) => void, patience = 1) {
  const held = new Map<string, number>()
  let holder: Holder | null = null
  let connecting: Promise<Holder> | null = null
  let isClosed = false
  const oneByOne = mutex<pg.Client>()

  /** Connects, and registers the leases this process held before the connection was lost. */
  async function connect() {
    const client = new pg.Client({
      ...connection,
      application_name: 'bawaba leases',
      connectionTimeoutMillis: ANSWER_MS * patience,
      query_timeout: ANSWER_MS * patience,
    })
    client.on('error', onError)
    client.on('end', () => forget(client))
    try {
      await client.connect()
      const asked = client.query<{ self: number }>(`select hold_leases($1, $2) as self, ${KEPT_ALIVE}`, [
        [...held.keys()],
        [...held.values()],
      ])
      holder = { client, self: asked.then(({ rows }) => rows[0]!.self) }
      await holder.self
      return holder
    } catch (error) {
      if (holder?.client === client) holder = null
      connecting = null
      client.end().catch(() => {})
      throw error
    }
  }
  const connected = () => {
    connecting ??= connect()
    return connecting
  }

  function forget(client: pg.Client) {
    if (holder?.client !== client) return
    holder = connecting = null
    countAgain()
  }
  /** Reconnects soon, even if nobody asks for more leases, because the database must count the held leases again. */
  function countAgain() {
    const reconnect = () =>
      connected().catch((error) => {
        onError(error)
        countAgain()
      })
    if (!isClosed && held.size > 0) setTimeout(reconnect, RECONNECT_MS).unref()
  }

  /** Queries on the lease connection. Closes the connection after a failure, because its count of leases is then unknown. */
  async function ask<Row extends pg.QueryResultRow>({ client, self }: Holder, text: string, values: unknown[]) {
    try {
      const number = await self
      const { rows } = await oneByOne(client, () => client.query<Row>(text, [...values, number]))
      return rows[0]!
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
  }

  function giveBack(key: string) {
    const left = held.get(key)! - 1
    if (left > 0) held.set(key, left)
    else held.delete(key)
    if (holder) ask(holder, 'select end_lease($1, $2)', [key]).catch(onError)
  }

  return {
    /** Takes one of `most` leases of a key. Returns a function that gives it back, to be called once; null if all are taken. */
    async take(key: string, most: number) {
      if ((held.get(key) ?? 0) >= most) return null
      const { taken } = await ask<{ taken: boolean }>(await connected(), 'select take_lease($1, $3, $2) as taken', [key, most])
      if (!taken) return null
      held.set(key, (held.get(key) ?? 0) + 1)
      return () => giveBack(key)
    },

    async close() {
      isClosed = true
      const last = await connecting?.catch(() => null)
      await last?.client.end()
    },
  }
}
export type Leases = ReturnType<typeof openLeases>
