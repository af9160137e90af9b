import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, mock, test } from 'node:test'
import { type Client, openInstance, PASSWORD, testPortal, until, untilClosed } from './portal.ts'

const portal = testPortal()

const opened: { close(): void }[] = []
async function listen(client: Client, lastEventId?: string) {
  const stream = await client.listen(lastEventId)
  opened.push(stream)
  return stream
}

/** Signs the same person in again, as in another browser. */
const elsewhere = ({ username }: Client) => portal.stranger().signIn(username)
const sessionOf = async (client: Client) =>
  (await client.get('/auth/me/sessions')).body.find(({ current }: { current: boolean }) => current).id as number

const endings: Record<string, (one: Client) => Promise<unknown>> = {
  logout: (one) => one.post('/auth/logout'),
  revoked: async (one) => (await elsewhere(one)).delete(`/auth/me/sessions/${await sessionOf(one)}`),
  password_changed: async (one) =>
    (await elsewhere(one)).post('/auth/me/password', { currentPassword: PASSWORD, newPassword: 'another one' }),
  password_reset: async (one) => {
    const { resetUrl } = (await portal.admin.post(`/auth/admin/users/${one.id}/issue-reset-link`)).body
    await portal.stranger().post('/auth/reset-password', { token: new URL(resetUrl).searchParams.get('token'), newPassword: 'another one' })
  },
  deactivated: (one) => portal.admin.patch(`/users/${one.id}`, { isActive: false }),
  deleted: (one) => portal.admin.delete(`/users/${one.id}`),
  expired: (one) => portal.sql(`update sessions set expires_at = now() where user_id = ${one.id}`),
  ended: (one) => portal.sql(`update sessions set ended_at = now() where user_id = ${one.id}`),
}

for (const [reason, act] of Object.entries(endings)) {
  test(`a stream ends with its reason: ${reason}`, async () => {
    const one = await portal.person(reason)
    const stream = await listen(one)
    await act(one)
    await until('it is closed', () => !stream.isOpen)
    assert.deepEqual(
      stream.seen('session_ended').map(({ data }) => data),
      [{ reason }],
    )
    assert.equal((await one.get('/events')).status, 401)
  })
}

test('the end of one session leaves the person’s other streams open', async () => {
  const laptop = await portal.person('two')
  const phone = await elsewhere(laptop)
  const [atLaptop, atPhone] = [await listen(laptop), await listen(phone)]
  await phone.post('/auth/logout')
  await until('the phone is signed out', () => !atPhone.isOpen)
  await portal.sql(`insert into events (event, data, recipients) values ('poke', '{}', array[${laptop.id}])`)
  await atLaptop.next('poke')
  assert.deepEqual(atLaptop.seen('session_ended'), [])
})

test('the reason for the end of a stream is sent even while an older transaction delays the events', async () => {
  const salem = await portal.person('held')
  const stream = await listen(salem)
  const [{ xid }] = (await portal.sql<{ xid: string }>(`select pg_current_xact_id()::text as xid`)) as [{ xid: string }]
  await portal.sql(
    `insert into events (tx, event, data, recipients) values ('${BigInt(xid) + 1_000_000_000n}', 'poke', '{}', array[${salem.id}])`,
  )
  await salem.post('/auth/logout')
  await until('it is closed', () => !stream.isOpen)
  assert.deepEqual(
    stream.events.map(({ data }) => data),
    [{ reason: 'logout' }],
  )
})

/** The number of open streams. Each test begins without any. */
const size = () => portal.instance.hub.size
afterEach(async () => {
  for (const stream of opened.splice(0)) stream.close()
  await until('all streams are closed', () => size() === 0)
})

/** Opens a stream and never reads it. */
async function openDeaf({ cookie }: Client) {
  const { hostname, port } = new URL(portal.base)
  const socket = connect(Number(port), hostname)
  socket.write(`GET /api/events HTTP/1.1\r\nHost: portal\r\nCookie: ${cookie}\r\n\r\n`)
  await until('the stream is open', () => size() === 1)
  return socket
}

test('a client that does not read is disconnected, and resumes without a gap', async () => {
  const salem = await portal.person('slow')
  const before = await listen(salem)
  before.close()
  await until('it is closed', () => size() === 0)
  const socket = await openDeaf(salem)
  const sent = 300
  for (let n = 0; n < sent; n += 10) {
    await portal.sql(
      `insert into events (event, data, recipients) select 'poke', json_build_object('n', n, 'text', repeat('م', 50000)), array[${salem.id}] from generate_series(${n}, ${n + 9}) as n`,
    )
  }
  await until('it is cut', () => size() === 0)
  socket.destroy()

  // Reconnects and resumes after the last event, as a browser does.
  const seen: number[] = []
  for (let { lastId } = before; seen.length < sent; ) {
    const stream = await listen(salem, lastId)
    await until('it is cut or has all', () => !stream.isOpen || seen.length + stream.events.length >= sent)
    seen.push(...stream.events.map(({ data }) => data.n))
    lastId = stream.lastId
  }
  assert.deepEqual(
    seen,
    Array.from({ length: sent }, (_, n) => n),
  )
})

test('an instance that stops ends its streams cleanly, and the client continues at another', async () => {
  const huda = await portal.person('moving')
  const other = await openInstance(portal.connection, {})
  const response = await fetch(`${other.base}/api/events`, { headers: { cookie: huda.cookie } })
  const text = response.text()
  await until('it is open', () => other.hub.size === 1)
  await other.close()
  const blocks = (await text).split('\n\n')
  assert.deepEqual(blocks.slice(-2), ['retry: 1000', ''])

  await portal.sql(`insert into events (event, data, recipients) values ('poke', '{}', array[${huda.id}])`)
  const [, lastId] = /id: (\S+)/.exec(blocks[1]!)!
  await (await listen(huda, lastId)).next('poke')
})

test('an instance that is stopping ends new streams at once, so that clients reconnect elsewhere', async () => {
  const huda = await portal.person('late')
  const other = await openInstance(portal.connection, {})
  await other.hub.close()
  const response = await fetch(`${other.base}/api/events`, { headers: { cookie: huda.cookie } })
  assert.deepEqual([response.status, await response.text()], [200, 'retry: 1000\n\n'])
  await other.close()
})

test('a connection that sends no request does not delay a stop', async () => {
  const other = await openInstance(portal.connection, {})
  const socket = connect(Number(new URL(other.base).port), '127.0.0.1')
  const isClosed = untilClosed(socket)
  await once(socket, 'connect')
  await other.close()
  await isClosed
})

test('the headers of a stream keep proxies from buffering it', async () => {
  const stop = new AbortController()
  const { headers } = await fetch(`${portal.base}/api/events`, { headers: { cookie: portal.admin.cookie }, signal: stop.signal })
  assert.equal(headers.get('content-type'), 'text/event-stream')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('x-accel-buffering'), 'no')
  assert.ok(headers.get('x-request-id'))
  stop.abort()
})

test('an idle stream gets a heartbeat with its position every 20 s', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  const other = await openInstance(portal.connection, {})
  const huda = await portal.person('still')
  const response = await fetch(`${other.base}/api/events`, { headers: { cookie: huda.cookie } })
  const text = response.text()
  await until('it is open', () => other.hub.size === 1)
  mock.timers.tick(19_999)
  mock.timers.tick(1)
  mock.timers.reset()
  await other.close()
  assert.match(await text, /^retry: 2000\n\nid: \S+\n\n: here\nid: \S+\n\nretry: 1000\n\n$/)
})

test('the portal forgets streams that their clients closed', async () => {
  const streams = await Promise.all(Array.from({ length: 20 }, () => listen(portal.admin)))
  assert.equal(size(), 20)
  for (const stream of streams) stream.close()
  await until('they are forgotten', () => size() === 0)
})
