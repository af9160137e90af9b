import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, mock, test } from 'node:test'
import { Client, openInstance, testPortal } from '../../../test/portal.ts'
import { openOutbound } from '../../platform/outbound.ts'
import { checkVersion, current } from './feed.ts'
import { isNewer } from './rules.ts'

const portal = testPortal()

/** A local feed that counts its requests, and an outbound client that may reach it. */
async function openFeed(listener: RequestListener) {
  const feed = { asked: 0, url: '', check: () => checkVersion(outbound, feed.url) }
  const server = createServer((request, response) => {
    feed.asked++
    listener(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  feed.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed?key=hush`
  const outbound = openOutbound({ internalHosts: ['127.0.0.1'] })
  after(async () => {
    server.closeAllConnections()
    server.close()
    await outbound.close()
  })
  return feed
}
const announcing =
  (announced: unknown): RequestListener =>
  (_request, response) =>
    response.end(typeof announced === 'string' ? announced : JSON.stringify(announced))

test('without a feed, the answer is the running version with the status `not-configured`', async () => {
  const { status, body } = await portal.admin.get('/system/version')
  const nothing = { latest: null, status: 'not-configured', errorMessage: null, checkedAt: null, configured: false }
  assert.deepEqual([status, body], [200, { current, ...nothing }])
  assert.match(body.current.version, /^\d+\.\d+\.\d+$/)
  assert.notEqual(body.current.build, '')
})

test('administrators see a newer version, and many simultaneous requests load the feed once', async () => {
  const latest = { version: '999.0.1', build: 'abc123' }
  const feed = await openFeed(announcing(latest))
  const instance = await openInstance(portal.connection, { VERSION_FEED_URL: feed.url })
  after(() => instance.close())
  const client = new Client(instance.base)
  client.cookie = portal.admin.cookie
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.get('/system/version')))
  for (const { status, body } of answers) {
    const expected = { current, latest, status: 'update-available', errorMessage: null, checkedAt: body.checkedAt, configured: true }
    assert.deepEqual([status, body], [200, expected])
    assert.ok(Math.abs(Date.parse(body.checkedAt) - Date.now()) < 60_000)
  }
  assert.equal(feed.asked, 1)
})

const unread = 'The version feed did not answer with a version and a build.'
const unreached = 'The version feed could not be reached.'
const failures: [what: string, listener: RequestListener, message: string][] = [
  ['is no JSON', announcing('hello'), unread],
  ['is null', announcing('null'), unread],
  ['lacks a build', announcing({ version: '1.2.3' }), unread],
  ['has a number for a version', announcing({ version: 2, build: 'x' }), unread],
  ['has an invalid version', announcing({ version: 'soon', build: 'x' }), unread],
  ['has a build of nothing', announcing({ version: '1.2.3', build: ' \u202E ' }), unread],
  ['has a build without end', announcing({ version: '1.2.3', build: 'x'.repeat(101) }), unread],
  ['is longer than any version', announcing(`${' '.repeat(5000)}{"version":"9.9.9","build":"x"}`), unread],
  [
    'is a failure',
    (_request, response) => response.writeHead(500).end('{"version":"9.9.9","build":"x"}'),
    'The version feed answered with status 500.',
  ],
  [
    'leads elsewhere',
    (request, response) =>
      request.url === '/there'
        ? response.end('{"version":"9.9.9","build":"x"}')
        : response.writeHead(302, { location: '/there' }).end('{"version":"9.9.9","build":"x"}'),
    'The version feed answered with status 302.',
  ],
  ['announces a range of versions', announcing({ version: '1.x', build: 'x' }), unread],
  ['announces the version “newer than a version”', announcing({ version: 'v>9.9.9', build: 'x' }), unread],
  ['breaks off', (request) => request.socket.destroy(), unreached],
]
for (const [what, listener, message] of failures) {
  test(`a feed whose answer ${what} is an error that does not contain its URL`, async () => {
    const feed = await openFeed(listener)
    const { latest, status, errorMessage, configured, checkedAt } = await feed.check()
    assert.deepEqual([latest, status, errorMessage, configured, feed.asked], [null, 'error', message, true, 1])
    assert.ok(checkedAt)
  })
}

test('a feed whose answer never ends is abandoned after 3 s', async (t) => {
  const feed = await openFeed((_request, response) => void response.write('{"version":'))
  const inTime = AbortSignal.timeout(50)
  const { mock: timeout } = t.mock.method(AbortSignal, 'timeout', () => inTime)
  const { status, errorMessage } = await feed.check()
  assert.deepEqual([status, errorMessage], ['error', unreached])
  assert.deepEqual(
    timeout.calls.map(({ arguments: [ms] }) => ms),
    [3000],
  )
})

test('an answer is cached for 10 minutes, a failure for one', async () => {
  let now = performance.now()
  const clock = mock.method(performance, 'now', () => now)
  try {
    let announced: unknown = 'nothing yet'
    const feed = await openFeed((request, response) => announcing(announced)(request, response))
    const statusAfter = async (minutes: number) => {
      now += minutes * 60_000
      return [(await feed.check()).status, feed.asked]
    }
    assert.deepEqual(await statusAfter(0), ['error', 1])
    announced = current
    assert.deepEqual(await statusAfter(0.9), ['error', 1])
    assert.deepEqual(await statusAfter(0.2), ['up-to-date', 2])
    announced = { version: '999.0', build: 'x' }
    assert.deepEqual(await statusAfter(9.9), ['up-to-date', 2])
    assert.deepEqual(await statusAfter(0.2), ['update-available', 3])
  } finally {
    clock.mock.restore()
  }
})

test('a host that is not configured gets no request', async () => {
  const feed = await openFeed(announcing(current))
  const outbound = openOutbound()
  after(outbound.close)
  assert.deepEqual([(await checkVersion(outbound, feed.url)).errorMessage, feed.asked], [unreached, 0])
})

for (const [latest, running, expected] of [
  ['1.2.4 x', '1.2.3 x', true],
  ['1.10 x', '1.9.9 x', true],
  ['1.2.3 x', '1.2.4 x', false],
  ['v2 x', '1.9.9 x', true],
  ['1.2.0 x', '1.2 x', false],
  ['1.2 b', '1.2.0 a', true],
  ['1.2 b', '1.2 source', false],
  ['1.2 a', '1.3 b', false],
  ['1.3.0 x', '1.3.0-rc.1 x', true],
  ['1.3.0-rc.1 x', '1.3.0 x', false],
  ['1.3.0-rc.10 x', '1.3.0-rc.9 x', true],
  ['1.3.0-rc x', '1.3.0-beta.2 x', true],
  ['1.3.0-rc.1 x', '1.3.0-rc x', true],
  ['1.3.0-rc x', '1.3.0-1 x', true],
  ['1.3.0+7 x', '1.3.0+8 x', false],
] as const) {
  test(`${latest} is ${expected ? '' : 'not '}newer than ${running}`, () => {
    const [one, other] = [latest, running]
      .map((text) => text.split(' ') as [string, string])
      .map(([version, build]) => ({ version, build }))
    assert.equal(isNewer(one!, other!), expected)
  })
}
