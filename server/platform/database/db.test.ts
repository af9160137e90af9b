import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { cloneDatabase, onServer, until } from '../../../test/portal.ts'
import { addressOf, brokenUnique, connectionsOf, isTransient, isUnavailable, openDb, poolSize } from './db.ts'

const failing = (code: unknown, message = 'x') => Object.assign(new Error(message), { code })

test('a database is unavailable when it cannot be reached, gives no connection, or answers too late', () => {
  for (const code of `ECONNREFUSED ECONNRESET ENOENT ENOTFOUND EPIPE ETIMEDOUT EAI_AGAIN 08006 08P01 57P01 57P03 57014 53300 53100`.split(
    ' ',
  ))
    assert.equal(isUnavailable(failing(code)), true, code)
  for (const message of [
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
    'Cannot use a pool: Client was closed and is not queryable',
  ])
    assert.equal(isUnavailable(new Error(message)), true, message)
})

test('other failures do not count as an unavailable database', () => {
  for (const code of ['23505', '40P01', 'ENOENTX', 'XECONN', '5701', '570141', 7, undefined])
    assert.equal(isUnavailable(failing(code)), false, String(code))
  for (const error of [new Error('a Query read timeout'), 'Query read timeout', null, undefined, {}])
    assert.equal(isUnavailable(error), false)
})

test('a deadlock and a failed serialisation may be retried', () => {
  const codes = ['40P01', '40001', '40002', '23505', undefined]
  assert.deepEqual(
    codes.map((code) => isTransient(failing(code))),
    [true, true, false, false, false],
  )
  assert.equal(isTransient(null), false)
})

test('a violated unique constraint is named', () => {
  assert.equal(brokenUnique(Object.assign(failing('23505'), { constraint: 'name_taken' })), 'name_taken')
  assert.equal(brokenUnique(Object.assign(failing('23503'), { constraint: 'name_taken' })), undefined)
})

test('processes share about twenty connections of each kind, with two to ten each', () => {
  assert.deepEqual([1, 2, 3, 4, 10, 11, 64].map(poolSize), [10, 10, 6, 5, 2, 2, 2])
  assert.deepEqual([1, 4, 20, 64].map(connectionsOf), [200, 200, 280, 852])
})

test('a connection has a URL, with any characters in its password', () => {
  const connection = { host: '/tmp/a b', port: 5432, user: 'ö', password: 'p/@:', database: 'x' }
  assert.equal(addressOf(connection), 'postgres://%C3%B6:p%2F%40%3A@localhost:5432/x?host=%2Ftmp%2Fa%20b')
  assert.equal(addressOf({ connectionString: 'postgres://x' }), 'postgres://x')
})

const message = (type: string, body: string) => `${type}\0\0\0${String.fromCharCode(body.length + 4)}${body}`
const READY = message('Z', 'I')
const AUTHENTICATED = message('R', '\0\0\0\0') + READY

/** A server that speaks PostgreSQL's protocol, accepts every login, and answers no statement. */
async function openStub(t: TestContext) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.once('data', () => socket.write(AUTHENTICATED))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  return { host: '127.0.0.1', port, user: 'x', database: 'x' }
}

test('a statement fails once the database has sent nothing for a while', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const db = openDb(await openStub(t), { patience: 0.25, statementMs: 4_000_000 })
  const waiting = assert.rejects(db.pools.write.query('select'), isUnavailable)
  await until('it is asked', () => db.pools.write.totalCount === 1)
  t.mock.timers.tick(1000)
  await waiting
  await db.close()
})

test('a lost idle connection is reported, unless the pool is closing', async () => {
  const { connection, drop } = await cloneDatabase()
  const reported: Error[] = []
  const db = openDb(connection, { onError: (error) => reported.push(error) })
  const pid = async () => (await db.pools.write.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid
  const [first] = await Promise.all([pid(), pid()])
  await onServer(`select pg_terminate_backend(${first})`)
  await until('it is reported', () => reported.length === 1)
  await db.close()
  await drop()
  assert.equal(reported.length, 1)
})
