/** A body that no endpoint takes is never read, and every other body is bounded. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { afterEach, test } from 'node:test'
import { boundsOf } from '../server/platform/http/body-bounds.ts'
import { type Client, testPortal, until } from './portal.ts'
import { type Route, routes } from './running.ts'

const portal = testPortal()
const MIB = 1024 * 1024

const open = new Set<Socket>()
afterEach(() => {
  for (const socket of open) socket.destroy()
  open.clear()
})

/** Sends the head of a request that announces `length` bytes, and the part of the body that is given. */
function begin(who: Client, method: string, path: string, length: number, part = '', headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(portal.base)
  const fields = {
    host: 'portal',
    cookie: who.cookie || 'a=b',
    'content-type': 'application/json',
    'content-length': String(length),
    ...headers,
  }
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect(Number(port), hostname, () => socket.write(`${method} /api${path} HTTP/1.1\r\n${head.join('')}\r\n${part}`))
  const begun = { socket, received: '', status: () => until('an answer', () => Number(begun.received.split(' ')[1])) }
  socket.setEncoding('utf8').on('error', () => {})
  socket.on('data', (text) => (begun.received += text))
  open.add(socket)
  return begun
}
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const refusalOf = ({ status, body }: { status: number; body: { code?: string; details?: { rule: string }[] } }) => [
  status,
  body.code,
  body.details?.map(({ rule }) => rule),
]

for (const [what, method, path, status] of [
  ['an address that does not exist', 'POST', '/nothing', 404],
  ['a method that an address does not take', 'PUT', '/healthz', 405],
  ['a call that takes no body', 'POST', '/notifications/read-all', 200],
  ['a sign-out', 'POST', '/auth/logout', 200],
] as const)
  test(`${what} is answered from the head alone, however long the body`, async () => {
    const who = await portal.person(`head${status}${path.length}`)
    assert.equal(await begin(who, method, path, 1000 * MIB, '[[[[').status(), status)
    assert.equal(await begin(who, method, path, 10, '', { 'content-type': ';' }).status(), path === '/auth/logout' ? 401 : status)
  })

test('after an answer sent before the body arrived, the rest of the body is discarded and the next request is read', async () => {
  const call = begin(portal.admin, 'POST', '/notifications/read-all', MIB, 'x')
  await call.status()
  call.socket.write(`${'x'.repeat(MIB - 1)}GET /api/healthz HTTP/1.1\r\nhost: portal\r\n\r\n`)
  await until('the next answer', () => call.received.includes('{"status":"ok"}'))
})

test('a body that no endpoint takes may differ between calls with the same Idempotency-Key', async () => {
  const once = (body: string) => portal.admin.send('POST', '/notifications/read-all', body, { 'idempotency-key': 'unread' })
  assert.deepEqual([(await once('{"a":1}')).status, (await once(nested(9000))).status], [200, 200])
})

test('with the same key, the same bytes are the same call, and equal JSON in different bytes is refused', async () => {
  const once = (body: string) => portal.admin.send('POST', '/notes', body, { 'idempotency-key': 'bytes' })
  const [first, same, spaced] = [await once('{"title":"Plan"}'), await once('{"title":"Plan"}'), await once('{"title": "Plan"}')]
  assert.deepEqual([first.status, same.body.id, spaced.status], [201, first.body.id, 422])
})

test('JSON may be sixteen levels deep and no deeper, with or without an Idempotency-Key', async () => {
  const send = (levels: number, headers = {}) =>
    portal.admin.send('POST', '/notes', `{"title":"Deep","more":${nested(levels - 1)}}`, headers)
  assert.equal((await send(16)).status, 201)
  for (const levels of [17, 9000])
    for (const headers of [{}, { 'idempotency-key': 'deep' }])
      assert.deepEqual(refusalOf(await send(levels, headers)), [400, 'validation_failed', ['maxDepth']])
})

test('a body may have 1,000 values if its shape does not allow more', async () => {
  const send = (values: number) => portal.admin.send('POST', '/notes', `{"title":"Wide","more":[${Array(values - 3).fill('{}')}]}`)
  assert.equal((await send(1000)).status, 201)
  assert.deepEqual(refusalOf(await send(1001)), [400, 'validation_failed', ['maxValues']])
})

test('each operation takes as many bytes as its shape allows, and refuses more from the head alone', async () => {
  const refusal = async ({ endpoint, method, address }: Route, more: number) => {
    const call = begin(
      portal.admin,
      method,
      address(() => 1),
      boundsOf(endpoint, endpoint.body!).bytes + more,
      '{',
    )
    return more ? call.status() : call
  }
  // Forms have a limit of their own.
  const declared = routes.filter(({ endpoint }) => endpoint.body && !endpoint.takes)
  for (const route of declared) assert.equal(await refusal(route, 1), 413, route.at)
  const bytes = Object.fromEntries(declared.map(({ endpoint, at }) => [at, boundsOf(endpoint, endpoint.body!).bytes]))
  assert.deepEqual([bytes['POST /auth/login'], bytes['POST /orders/bulk-delete'], bytes['POST /groups']], [16 * 1024, 16 * 1024, MIB])
})

test('the bodies of one person share 8 MiB: a further body waits and gets 503, while other people are served', async () => {
  const other = await portal.person('patient')
  const bodies = Array.from({ length: 8 }, () => begin(portal.admin, 'POST', '/groups', MIB, ' '.repeat(MIB - 1)))
  await until('there is no more room', async () => (await portal.admin.post('/notes', { title: 'One more' })).status === 503)
  const { status, body, headers } = await portal.admin.post('/notes', { title: 'One more' })
  assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'unavailable', '2'])
  assert.equal((await other.post('/notes', { title: 'Mine' })).status, 201)
  assert.equal((await portal.admin.get('/notes')).status, 200)
  for (const { socket } of bodies) socket.destroy()
  await until('there is room again', async () => (await portal.admin.post('/notes', { title: 'One more' })).status === 201)
})

test('a body that would take more than 8 MiB of memory is always refused', async () => {
  const body = `{"changes":[${'7,'.repeat(MIB / 2 - 100)}7]}`
  const answer = await portal.admin.post('/admin/impact', body)
  assert.deepEqual([answer.status, answer.body.code], [413, 'too_large'])
})

test('signed-out callers at one address share 8 MiB, too', async () => {
  const stranger = portal.stranger()
  const length = 16 * 1024
  const signIn = () => stranger.post('/auth/login', JSON.stringify({ username: 'a', password: 'b' }).padEnd(4096))
  const bodies = Array.from({ length: 512 }, () => begin(stranger, 'POST', '/auth/login', length, ' '.repeat(length - 1)))
  await until('there is no more room', async () => (await signIn()).status === 503)
  assert.equal((await portal.admin.post('/notes', { title: 'Mine' })).status, 201)
  for (const { socket } of bodies) socket.destroy()
  await until('there is room again', async () => (await signIn()).status === 401)
})

test('a body counts against the 8 MiB exactly until its call ends', async () => {
  for (let n = 0; n < 20; n++) {
    const answers = await Promise.all(Array.from({ length: 4 }, () => portal.admin.post('/groups', `{"name": ""${' '.repeat(MIB - 20)}}`)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([400]))
  }
})
