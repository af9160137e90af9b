import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { cloneDatabase } from '../../../test/portal.ts'
import { leadTo, listen } from '../../../test/tcp-way.ts'
import { patiently, withClient } from './client.ts'

/** An error as PostgreSQL sends it before authentication. */
function refusal(code: string) {
  const fields = Buffer.from(`SFATAL\0C${code}\0Mno\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/** A proxy to the tests' database that refuses the first `times` connections with this code. */
async function opening(t: TestContext, code: string, times: number) {
  const { connection, drop } = await cloneDatabase()
  let tried = 0
  const server = createServer((socket) => {
    socket.on('error', () => {})
    if (tried++ < times) return void socket.once('data', () => socket.end(refusal(code)))
    const real = connection.host!.startsWith('/')
      ? connect(`${connection.host}/.s.PGSQL.${connection.port}`)
      : connect(connection.port!, connection.host!)
    real.on('error', () => socket.destroy())
    socket.pipe(real).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.close()
    await drop()
  })
  const { port } = server.address() as AddressInfo
  return { connection: { ...connection, host: '127.0.0.1', port }, tried: () => tried }
}
const ask = async (connection: Parameters<typeof withClient>[0]) =>
  withClient(connection, async (client) => (await client.query('select 1 as one')).rows[0].one)

test('connecting waits for a database that is still starting', async (t) => {
  const { connection, tried } = await opening(t, '57P03', 2)
  assert.equal(await ask(connection), 1)
  assert.equal(tried(), 3)
})

test('other refusals of a connection are not retried', async (t) => {
  const { connection, tried } = await opening(t, '28P01', 2)
  await assert.rejects(ask(connection), { code: '28P01' })
  assert.equal(tried(), 1)
})

/** A proxy to the tests' database that sends nothing to the first `times` connections. */
async function silentAt(t: TestContext, times: number) {
  const { connection, drop } = await cloneDatabase()
  t.after(drop)
  let tried = 0
  const port = await listen((near) => {
    if (tried++ < times) near.resume()
    else leadTo(connection)(near)
  })
  return { ...connection, host: '127.0.0.1', port }
}

test('a database that is slow to accept a connection is tried again', async (t) => {
  const connection = await silentAt(t, 1)
  const { rows } = await withClient(connection, (client) => client.query('select 1 as one'), 12_000)
  assert.deepEqual(rows, [{ one: 1 }])
})

test('a database that never accepts a connection fails in the end, with its address and the cause of the wait', async (t) => {
  const connection = await silentAt(t, Number.POSITIVE_INFINITY)
  const waited = withClient(connection, async () => {}, 600)
  await assert.rejects(
    waited,
    new RegExp(`^Error: waited 0\\.6 s for 127\\.0\\.0\\.1:${connection.port} to accept a connection: .*timeout`),
  )
})

test('a last try that the deadline cuts short does not hide the earlier failures', async () => {
  let tries = 0
  const ask = async (tryMs: number) => {
    if (tryMs >= (++tries * 600) / 6) throw Object.assign(new Error('the database is a standby'), { code: '57P03' })
    await pause(tryMs)
    throw new Error('timeout expired')
  }
  await assert.rejects(patiently('the primary', ask, 600), { message: 'waited 0.6 s for the primary to start: the database is a standby' })
})
