/** A way over TCP to the tests' server of PostgreSQL, whose socket other accounts cannot reach. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { after } from 'node:test'
import type pg from 'pg'

/** Opens a way, on a free port, until the tests are over; `onConnection` hears of each connection. */
export async function openWay({ host, port }: pg.PoolConfig, onConnection = () => {}) {
  const way = createServer((near) => {
    onConnection()
    const far = connect(`${host}/.s.PGSQL.${port}`)
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(way, 'listening')
  after(() => way.close())
  return (way.address() as { port: number }).port
}
