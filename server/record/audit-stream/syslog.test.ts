/** A connection to a collector by syslog over TLS. */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createServer, TLSSocket } from 'node:tls'
import { makeCertificate } from '../../../test/certificate.ts'
import { openSyslog } from './syslog.ts'

const { key, cert } = makeCertificate('localhost')

/** Connects to a collector; `collect` gets its end of each connection. */
async function connected(t: TestContext, collect: (socket: TLSSocket) => void) {
  const server = createServer({ key, cert }, (socket) => collect(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `syslog+tls://localhost:${(server.address() as AddressInfo).port}`
  const stream = { kind: 'syslog', url, host: 'localhost', tls: { ca: cert }, format: 'ndjson', framing: 'lf', maxBytes: 8192 } as const
  const syslog = openSyslog(stream)
  t.after(async () => {
    await syslog.close()
    server.close()
  })
  assert.deepEqual(await syslog.connect(), { isNew: true })
  return syslog
}

test('a connection keeps no listeners, however many portions it has sent', async (t) => {
  const warnings: string[] = []
  const note = ({ name }: Error) => void warnings.push(name)
  process.on('warning', note)
  t.after(() => process.off('warning', note))
  const syslog = await connected(t, (socket) => socket.resume())
  for (let n = 0; n < 30; n++) assert.deepEqual(await syslog.send('one line\n'), { isTaken: true })
  await setImmediate()
  assert.equal(warnings.includes('MaxListenersExceededWarning'), false)
})

test('a slow collector is not cut off as long as it takes something within ten seconds', async (t) => {
  const syslog = await connected(t, (socket) => socket.resume())
  const taking: ((error?: Error) => void)[] = []
  t.mock.method(TLSSocket.prototype, 'write', (_piece: Buffer, taken: (error?: Error) => void) => taking.push(taken))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sending = syslog.send('x'.repeat(100_000))
  let pieces = 0
  for (; taking.length; pieces++) {
    t.mock.timers.tick(9_000)
    taking.shift()!()
    await setImmediate()
  }
  assert.deepEqual(await sending, { isTaken: true })
  assert.ok(pieces > 5)
  const stuck = syslog.send('x'.repeat(100_000))
  t.mock.timers.tick(10_000)
  assert.deepEqual(await stuck, { isTaken: false, error: 'timeout', status: null })
})

test('a connection that breaks in the middle of a portion is a failure, and the next portion goes out on a new connection', async (t) => {
  let isBreaking = true
  const syslog = await connected(t, (socket) => socket.on('data', () => isBreaking && socket.destroy()))
  assert.deepEqual(await syslog.send('x'.repeat(16 * 1024 ** 2)), { isTaken: false, error: 'closed', status: null })
  isBreaking = false
  assert.deepEqual(await syslog.connect(), { isNew: true })
  assert.deepEqual(await syslog.send('one line\n'), { isTaken: true })
})
