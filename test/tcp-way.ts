/** TCP forwarders to the Unix socket of the tests' PostgreSQL, which other accounts of the machine cannot reach. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { after } from 'node:test'
import { TLSSocket } from 'node:tls'
import type pg from 'pg'
import type { makeCertificate } from './certificate.ts'

type Meet = (near: Duplex) => void

/** Listens on a free port until the tests end. */
export async function listen(meet: Meet) {
  const server = createServer((near) => meet(near.on('error', () => {}))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return (server.address() as { port: number }).port
}

/** As `listen`, but behind TLS with PostgreSQL's negotiation. `certificate` is called for each connection. */
export const listenSecurely = (certificate: () => ReturnType<typeof makeCertificate>, meet: Meet) =>
  listen((socket) =>
    socket.once('data', () => {
      socket.write('S')
      meet(new TLSSocket(socket, { isServer: true, ...certificate() }).on('error', () => {}))
    }),
  )

/** Forwards connections to the database. */
export const leadTo =
  ({ host, port }: pg.PoolConfig): Meet =>
  (near) => {
    const far = connect(`${host}/.s.PGSQL.${port}`).on('error', () => {})
    near.pipe(far).pipe(near)
  }

/** Opens a forwarder until the tests end; calls `onConnection` for each connection. */
export function openWay(connection: pg.PoolConfig, onConnection = () => {}) {
  const lead = leadTo(connection)
  return listen((near) => {
    onConnection()
    lead(near)
  })
}
