import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { until } from '../../test/portal.ts'
import { isPublicAddress, mayAsk, type Outbound, OutboundError, openOutbound } from './outbound.ts'

/** A server on this machine, and outbound calls that may reach it. */
async function open(listener: RequestListener, options: Parameters<typeof openOutbound>[0] = {}) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const outbound = openOutbound({ internalHosts: ['127.0.0.1'], ...options })
  after(async () => {
    await outbound.close()
    server.closeAllConnections()
    server.close()
  })
  return { outbound, server, at: (path: string, host = '127.0.0.1') => new URL(`http://${host}:${port}${path}`) }
}
/** The error of a call that gets no answer. */
async function failure(outbound: Outbound, url: URL) {
  const error = await outbound.ask(url).then(
    () => assert.fail('it was answered'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof OutboundError)
  return error
}

const isPublic: Record<string, boolean> = {
  ...Object.fromEntries(
    '8.8.8.8 1.1.1.1 100.63.255.255 100.128.0.1 172.32.0.1 2606:4700::1 2a00:1450::1 ::ffff:8.8.8.8 ::ffff:808:808'
      .split(' ')
      .map((address) => [address, true]),
  ),
  ...Object.fromEntries(
    `0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 127.0.0.1 127.255.255.255 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1
     192.168.0.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::ffff:10.0.0.1 ::ffff:7f00:1
     64:ff9b::808:808 64:ff9b:1::1 100::1 1::1 2001::1 2001:db8::1 2002:808:808:: 3fff::1 5f00::1 4000::1 fc00::1 fd00::1 fe80::1 fe80::1%lo fec0::1
     ff02::1 127.1 0x7f.1 2130706433 localhost`
      .split(/\s+/)
      .map((address) => [address, false]),
  ),
}
test('an address is public if the internet can reach it', () =>
  assert.deepEqual(Object.fromEntries(Object.keys(isPublic).map((address) => [address, isPublicAddress(address)])), isPublic))

test('a host is judged by its name, unless the operator lists it', () => {
  for (const host of ['example.org', 'example.org.', '8.8.8.8', '[2606:4700::1]']) assert.ok(mayAsk(host, []), host)
  for (const host of ['localhost', 'a.localhost.', 'a.local', 'a.internal', 'machine', '10.0.0.1', '[::1]']) {
    assert.ok(!mayAsk(host, ['other']), host)
    assert.ok(mayAsk(host, [host.replace(/^\[|\]$|\.$/g, '')]), host)
  }
})

test('an answer has its status, its headers, and as much of its text as was asked for', async () => {
  const { outbound, at } = await open((request, response) =>
    response
      .writeHead(203, { Date: 'Thu, 26 Nov 2026 10:00:00 GMT', 'X-Colour': ['red', 'blue'] })
      .end(request.method! + 'x'.repeat(1_000_000)),
  )
  const { headers, ...answer } = await outbound.ask(at('/'), { mostBytes: 5 })
  assert.deepEqual(answer, { status: 203, text: 'GETxx' })
  assert.deepEqual([headers['date'], headers['x-colour']], ['Thu, 26 Nov 2026 10:00:00 GMT', ['red', 'blue']])
  const sent = await outbound.ask(at('/'), { method: 'POST', body: Buffer.from('x') })
  assert.deepEqual([sent.status, sent.text, sent.headers['date']], [203, '', 'Thu, 26 Nov 2026 10:00:00 GMT'])
})

test('a redirect is returned, and not followed', async () => {
  const asked: string[] = []
  const { outbound, at } = await open((request, response) => {
    asked.push(request.url!)
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  assert.equal((await outbound.ask(at('/'))).status, 302)
  assert.deepEqual(asked, ['/'])
})

const answers: [addresses: string[], isRefused: boolean][] = [
  [['127.0.0.1'], true],
  [['8.8.8.8', '10.0.0.1'], true],
  [['2606:4700::1', '::ffff:127.0.0.1'], true],
  [['64:ff9b::7f00:1'], true],
  [[], true],
]
for (const [addresses, isRefused] of answers)
  test(`a name that leads to ${addresses.join(' and ') || 'nowhere'} gets no connection`, async () => {
    let connections = 0
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const { outbound, server, at } = await open((_request, response) => response.end(), {
      resolve: async () => found,
    })
    server.on('connection', () => connections++)
    const error = await failure(outbound, at('/secret', 'push.example.org'))
    assert.deepEqual([error.isRefused, error.message], [isRefused, 'push.example.org has an address that may not be asked'])
    assert.equal(connections, 0)
  })

test('a name that the operator lists may lead to an internal address', async () => {
  const { outbound, at } = await open((_request, response) => response.end(), {
    internalHosts: ['push.example.org'],
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  assert.equal((await outbound.ask(at('/', 'push.example.org'))).status, 200)
})

test('an origin that cannot be reached is not called for half a minute', async (t) => {
  const { outbound, server, at } = await open((_request, response) => response.end())
  server.close()
  await once(server, 'close')
  assert.equal((await failure(outbound, at('/secret'))).message, '127.0.0.1 could not be asked (ECONNREFUSED)')
  server.listen(Number(at('/').port), '127.0.0.1')
  await once(server, 'listening')
  assert.equal((await failure(outbound, at('/secret'))).message, '127.0.0.1 did not answer a moment ago')
  const now = performance.now() + 30_001
  t.mock.method(performance, 'now', () => now)
  assert.equal((await outbound.ask(at('/'))).status, 200)
})

test('an origin that does not answer in time is not called for a while; one that hangs up is called again', async (t) => {
  const { outbound, at } = await open((request, _response) => request.url === '/hang-up' && request.socket.destroy())
  for (let round = 0; round < 2; round++)
    assert.match((await failure(outbound, at('/hang-up'))).message, /^127.0.0.1 could not be asked \([A-Z_]+\)$/)
  const inTime = AbortSignal.timeout(50)
  t.mock.method(AbortSignal, 'timeout', () => inTime)
  assert.equal((await failure(outbound, at('/silence'))).message, '127.0.0.1 could not be asked (timeout)')
  assert.equal((await failure(outbound, at('/'))).message, '127.0.0.1 did not answer a moment ago')
})

/** Outbound calls whose names resolve only once the test calls their functions in `asked`. */
async function withNames(patience = 15) {
  const asked = new Map<string, (address?: string) => void>()
  const opened = await open((_request, response) => response.end(), {
    internalHosts: ['127.0.0.1', 'honest.example.org'],
    patience,
    resolve: (hostname, signal) =>
      new Promise((resolve, reject) => {
        asked.set(hostname, (address = '10.0.0.1') => resolve([{ address, family: 4 }]))
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  })
  const begin = (host: string, person?: number) => opened.outbound.ask(opened.at('/', host), { person })
  return { ...opened, asked, begin }
}
const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => assert.fail('it was answered'),
    (error: Error) => error.message,
  )

test('at most two lookups of a domain and four calls of a person run at once, and all finish in the end', async () => {
  const { asked, begin } = await withNames()
  const sameDomain = Array.from({ length: 5 }, (_, n) => reasonOf(begin(`name${n}.slow.co.uk`)))
  const samePerson = Array.from({ length: 6 }, (_, n) => reasonOf(begin(`name.slow${n}.org`, 7)))
  const other = reasonOf(begin('name.other.org', 8))
  await until('as many as may be are asked for', () => asked.size === 7)
  assert.deepEqual(
    [...asked.keys()].toSorted(),
    ['name.other.org', ...[0, 1, 2, 3].map((n) => `name.slow${n}.org`), 'name0.slow.co.uk', 'name1.slow.co.uk'].toSorted(),
  )
  let ended = 0
  for (const one of [...sameDomain, ...samePerson, other]) one.then(() => ended++)
  await until('all have ended', () => {
    for (const answer of asked.values()) answer()
    return ended === 12
  })
  assert.equal(asked.size, 12)
})

test('a call that only waited in line does not block its origin', async (t) => {
  const { asked, begin } = await withNames()
  const slow = ['a', 'b', 'c', 'd'].map((name) => reasonOf(begin(`${name}.example.org`, 7)))
  await until('the person’s calls are under way or wait', () => asked.size === 2)
  const soon = AbortSignal.timeout(50)
  const waits = t.mock.method(AbortSignal, 'timeout', () => soon, { times: 1 })
  assert.equal(await reasonOf(begin('honest.example.org', 7)), 'honest.example.org was not asked: too many calls wait')
  waits.mock.restore()
  await until('nobody is waited for', () => {
    for (const answer of asked.values()) answer()
    return asked.size === 4
  })
  for (const answer of asked.values()) answer()
  await Promise.all(slow)
  const answered = begin('honest.example.org', 7)
  await until('the honest name is asked for', () => asked.has('honest.example.org'))
  asked.get('honest.example.org')!('127.0.0.1')
  assert.equal((await answered).status, 200)
})

test('while three calls of a person are slow, their further calls fail at once, and other people’s succeed', async () => {
  const { begin, asked } = await withNames(1)
  const slow = [0, 1, 2].map((n) => reasonOf(begin(`name.slow${n}.org`, 7)))
  await until('they are slow', async () => {
    const why = await begin('127.0.0.1', 7).catch((error: Error) => error.message)
    return why === '127.0.0.1 keeps too many calls waiting'
  })
  assert.equal((await begin('127.0.0.1', 8)).status, 200)
  for (const answer of asked.values()) answer()
  await Promise.all(slow)
  assert.equal((await begin('127.0.0.1', 7)).status, 200)
})

test('an origin gets as many calls at once as were requested, even if they hang', async () => {
  const hanging: (() => void)[] = []
  const { outbound, at } = await open((_request, reply) => void hanging.push(() => reply.end()), { isEager: true, connections: 40 })
  const calls = Array.from({ length: 40 }, (_, n) => outbound.fetch(at(`/${n}`), { withinMs: 600_000 }))
  await until('all have arrived', () => hanging.length === 40)
  for (const end of hanging) end()
  await Promise.all(calls)
})

test('closing waits a moment for running calls, then aborts them', async () => {
  const asked = Promise.withResolvers<() => void>()
  const { at } = await open((request, response) => {
    if (request.url === '/soon') asked.resolve(() => response.end())
  })
  const outbound = openOutbound({ internalHosts: ['127.0.0.1'] })
  const [soon, never] = [outbound.ask(at('/soon')), failure(outbound, at('/never'))]
  const answer = await asked.promise
  const closing = outbound.close()
  answer()
  await closing
  assert.equal((await soon).status, 200)
  assert.equal((await never).message, '127.0.0.1 could not be asked (stopped)')
})

test('closing without running calls leaves nothing that keeps the process alive', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
  const before = timers()
  await openOutbound().close()
  assert.equal(timers(), before)
})

for (const before of ['a call', 'nothing'])
  test(`nothing is called after a close that follows ${before}`, async () => {
    let calls = 0
    const { at } = await open((_request, response) => {
      calls++
      response.end()
    })
    const outbound = openOutbound({ internalHosts: ['127.0.0.1'] })
    if (before === 'a call') await outbound.ask(at('/'))
    const called = calls
    await outbound.close()
    assert.equal((await failure(outbound, at('/'))).message, '127.0.0.1 could not be asked (stopped)')
    assert.equal(calls, called)
  })
