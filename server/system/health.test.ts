import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { openInstance, testPortal, until, untilClosed } from '../../test/portal.ts'
import { recordRefusal } from '../../test/provoked.ts'
import { isStopping } from '../platform/http/draining.ts'

const portal = testPortal()

test('the portal is well while its database answers', async () => {
  const { status, body } = await portal.stranger().get('/healthz')
  assert.deepEqual([status, body], [200, { status: 'ok' }])
})

test('whoever asks while it stops hears that it is not well any more, and shall hang up', async () => {
  const other = await openInstance(portal.connection)
  const taken = once(other.app.server, 'connection')
  const socket = connect(Number(new URL(other.base).port), '127.0.0.1')
  await taken
  const closed = other.close()
  await until('it stops', () => isStopping(other.app))
  const told: string[] = []
  socket.setEncoding('utf8').on('data', (text: string) => told.push(text))
  socket.write('GET /api/healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await Promise.all([closed, untilClosed(socket)])
  const [head, body] = told.join('').split('\r\n\r\n')
  assert.match(head!, /^HTTP\/1\.1 503 .*\r\nconnection: close\r\n/is)
  const { status, code } = JSON.parse(body!)
  assert.deepEqual([status, code], ['unavailable', 'unavailable'])
  recordRefusal('GET', '/healthz', code)
})
