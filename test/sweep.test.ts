/** Calls every endpoint of the running portal; checks which callers the endpoint admits, and the headers of its answers. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { isRecorded } from '../server/platform/http/endpoint.ts'
import { type Answer, type Client, testPortal } from './portal.ts'
import { hasHead, isPublic, type Route, routes } from './running.ts'

const portal = testPortal()

const names = (some: Route[]) => some.map(({ at }) => at)
const nonsense = ({ method }: Route) => (method === 'GET' ? undefined : '{"nonsense": [')
const ask = (who: Client, route: Route, method = route.method) =>
  who.send(method, `${route.address(() => 'nonsense')}?limit=nonsense`, nonsense(route))

/** The routes that answer an invalid request of this person with this status and code. */
async function whichAnswer(some: Route[], who: Client, status: number, code: string, method?: string) {
  const found: Route[] = []
  for (const route of some) {
    const answer = await ask(who, route, method)
    if (answer.status === status && (method === 'HEAD' || answer.body?.code === code)) found.push(route)
  }
  return found
}

const needsStanding = ({ endpoint }: Route) => endpoint.allow !== 'anyone' && endpoint.allow !== 'signed-in'

test('without a session, every endpoint except the public ones answers 401 before it looks at the request', async () => {
  const closed = await whichAnswer(routes, portal.stranger(), 401, 'unauthorized')
  assert.deepEqual(names(closed), names(routes.filter((route) => !isPublic(route))))
})

test('without the needed right, every endpoint that needs one answers 403 before it looks at the request', async () => {
  const closed = routes.filter(needsStanding)
  assert.deepEqual(names(await whichAnswer(closed, await portal.person('powerless'), 403, 'forbidden')), names(closed))
})

test('HEAD is authorised like GET', async () => {
  const heads = routes.filter(hasHead)
  const closed = await whichAnswer(heads, portal.stranger(), 401, '', 'HEAD')
  assert.deepEqual(names(closed), names(heads.filter((route) => !isPublic(route))))
  const guarded = heads.filter(needsStanding)
  assert.deepEqual(names(await whichAnswer(guarded, await portal.person('headless'), 403, '', 'HEAD')), names(guarded))
})

test('a page of another site cannot write in the name of its reader', async () => {
  const person = await portal.person('lured')
  for (const headers of [{ origin: 'https://elsewhere.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }] as Record<
    string,
    string
  >[])
    for (const route of routes.filter(({ method, endpoint }) => method !== 'GET' || isRecorded(endpoint))) {
      const { status, body } = await person.send(
        route.method,
        route.address(() => 1),
        route.method === 'GET' ? undefined : '{}',
        headers,
      )
      assert.deepEqual([status, body?.code, body?.expectedOrigin], [403, 'foreign_origin', 'http://localhost:3000'], route.at)
    }
})

const UNKNOWN = 2147483647
const exported = `?serviceId=${UNKNOWN}&from=2026-01-01&to=2026-01-02`

test('only the portal’s own pages can cause a recorded read, not other pages of the same site', async () => {
  const recorded = routes.filter(({ method, endpoint }) => method === 'GET' && isRecorded(endpoint) && endpoint.status !== 303)
  const causes: [site: string, status: number][] = [
    ['cross-site', 403],
    ['same-site', 403],
    ['anything-else', 403],
    ['same-origin', 404],
    ['none', 404],
  ]
  for (const route of recorded) {
    const path = route.address(() => UNKNOWN) + (route.path === '/service-reports/orders.csv' ? exported : '')
    for (const [site, status] of causes)
      assert.equal((await portal.admin.get(path, { 'sec-fetch-site': site })).status, status, `${route.at} ${site}`)
    assert.equal((await portal.admin.get(path)).status, 404)
  }
  assert.equal((await portal.admin.get('/auth/me', { 'sec-fetch-site': 'cross-site' })).status, 200)
  assert.deepEqual(names(recorded).toSorted(), [
    'GET /notes/:id/thread',
    'GET /service-reports/orders.csv',
    'GET /users/:id/dependents/notes',
  ])
})

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Headers that every answer must have: a request id, and those against sniffing, storing and framing. */
function checkHeaders(headers: Headers, what: string) {
  assert.match(headers.get('x-request-id') ?? '', UUID, what)
  assert.equal(headers.get('x-content-type-options'), 'nosniff', what)
  assert.equal(headers.get('cache-control'), 'no-store', what)
  assert.equal(headers.get('referrer-policy'), 'no-referrer', what)
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; ?frame-ancestors 'none'$/, what)
  assert.deepEqual(
    [...headers.keys()].filter((name) => name.startsWith('access-control-') || /^(server|x-powered-by)$/.test(name)),
    [],
    what,
  )
}
function checkRefusal({ status, body, headers }: Answer, expected: [status: number, code: string], what: string) {
  checkHeaders(headers, what)
  assert.deepEqual([status, body?.code], expected, what)
  assert.deepEqual(Object.keys(body).slice(0, 4), ['error', 'code', 'messageAr', 'messageEn'], what)
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8', what)
}

const json = { 'content-type': 'application/json' }
const ENDLESS = `/users/${'9'.repeat(4000)}`
const refused: [
  expected: [number, string],
  what: string,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
][] = [
  [[401, 'unauthorized'], 'nobody', 'GET', '/auth/me'],
  [[404, 'route_not_found'], 'an unknown route', 'GET', '/nowhere'],
  [[404, 'route_not_found'], 'an unknown route with a body', 'POST', '/nowhere', { some: 'body' }],
  [[405, 'method_not_allowed'], 'a method it does not take', 'PUT', '/auth/login', {}],
  [[405, 'method_not_allowed'], 'another method it does not take', 'DELETE', '/healthz'],
  [[405, 'method_not_allowed'], 'a method that the document does not take', 'POST', '/openapi.json', {}],
  [[404, 'route_not_found'], 'an unknown file of the documentation', 'GET', '/docs/nowhere.js'],
  [
    [405, 'method_not_allowed'],
    'what a browser asks before a foreign call',
    'OPTIONS',
    '/auth/me',
    undefined,
    { origin: 'https://elsewhere.example' },
  ],
  [[400, 'validation_failed'], 'a path that is not UTF-8', 'GET', '/users/%ff'],
  [[400, 'validation_failed'], 'a path that breaks off', 'GET', '/users/%'],
  [[401, 'unauthorized'], 'a stranger’s endless word in a path', 'GET', ENDLESS],
  [[400, 'validation_failed'], 'a body that is not JSON', 'POST', '/auth/login', '{'],
  [[400, 'validation_failed'], 'no body where one is needed', 'POST', '/auth/login', undefined],
  [[400, 'validation_failed'], 'an empty body', 'POST', '/auth/login', '', json],
  [[400, 'validation_failed'], 'a body that is not UTF-8', 'POST', '/auth/login', new Uint8Array([0x7b, 0xff, 0x7d])],
  [[400, 'validation_failed'], 'a text with NUL', 'POST', '/auth/login', '{"username": "a\\u0000", "password": "b"}'],
  [[400, 'validation_failed'], 'a field named NUL', 'POST', '/auth/login', '{"username": "a", "password": "b", "\\u0000": 1}'],
  [[400, 'validation_failed'], 'half a character', 'POST', '/auth/login', '{"username": "a", "password": "\\udc00"}'],
  [[413, 'too_large'], 'a body too large', 'POST', '/auth/login', 'x'.repeat(1024 * 1024 + 1)],
  [[415, 'unsupported_media_type'], 'another media type', 'POST', '/auth/login', '{}', { 'content-type': 'text/plain' }],
  [
    [415, 'unsupported_media_type'],
    'what a form sends',
    'POST',
    '/auth/login',
    'a=b',
    { 'content-type': 'application/x-www-form-urlencoded' },
  ],
]

for (const [expected, what, ...call] of refused)
  test(`${what} gets ${expected.join(' ')}, with every header`, async () => {
    checkRefusal(await portal.stranger().send(...call), expected, what)
  })

test('an id without end is refused as an id', async () => {
  const answer = await portal.admin.get(ENDLESS)
  checkRefusal(answer, [400, 'validation_failed'], ENDLESS)
  assert.deepEqual(
    answer.body.details.map(({ path }: { path: string }) => path),
    ['id'],
  )
})

test('bodies for sign-in and for the caller’s own account are limited to 16 KiB, with a length or in chunks', async () => {
  const path = '/auth/login'
  const bodyOf = (bytes: number) => JSON.stringify({ username: 'nobody', password: 'x' }).padEnd(bytes)
  for (const route of routes.filter(({ path, endpoint }) => path.startsWith('/auth/') && endpoint.body)) {
    const { status, body } = await portal.admin.send(
      route.method,
      route.address(() => 1),
      'x'.repeat(16 * 1024 + 1),
      { 'content-type': route.endpoint.takes?.[0] ?? 'application/json' },
    )
    assert.deepEqual([status, body?.code], [413, 'too_large'], route.at)
  }
  assert.equal((await portal.stranger().post(path, bodyOf(16 * 1024))).status, 401)
  const chunks = new ReadableStream({
    start(controller) {
      for (let n = 0; n < 17; n++) controller.enqueue(new Uint8Array(1024).fill(0x20))
      controller.close()
    },
  })
  const { status } = await fetch(`${portal.base}/api${path}`, { method: 'POST', headers: json, body: chunks, duplex: 'half' })
  assert.equal(status, 413)
})

test('an answer that is not a refusal has every security header, too', async () => {
  for (const path of ['/healthz', '/openapi.json', '/auth/me']) checkHeaders((await portal.admin.get(path)).headers, path)
  const stop = new AbortController()
  const { headers } = await fetch(`${portal.base}/api/events`, { headers: { cookie: portal.admin.cookie }, signal: stop.signal })
  stop.abort()
  checkHeaders(headers, 'the stream')
})

/** The server's answer to raw bytes. */
const say = (bytes: string) =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(portal.base)
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let received = ''
    socket.setTimeout(240_000, () => socket.destroy(new Error(`no answer to ${bytes}`)))
    socket.on('data', (chunk) => (received += chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(received))
  })

const broken: [what: string, bytes: string, status: number][] = [
  ['no HTTP at all', 'good morning\r\n\r\n', 400],
  ['a method nobody knows', 'PLEASE /api/healthz HTTP/1.1\r\nHost: portal\r\n\r\n', 400],
  ['no host', 'GET /api/healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['two hosts', 'GET /api/healthz HTTP/1.1\r\nHost: portal\r\nhost: elsewhere\r\nConnection: close\r\n\r\n', 400],
  [
    'two authorizations',
    'GET /api/auth/me HTTP/1.1\r\nHost: portal\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\nConnection: close\r\n\r\n',
    400,
  ],
  [
    'two types of content',
    'POST /api/auth/login HTTP/1.1\r\nHost: portal\r\nContent-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 41\r\nConnection: close\r\n\r\n{"username":"nobody","password":"nobody"}',
    400,
  ],
  ['two lengths', 'POST /api/auth/login HTTP/1.1\r\nHost: portal\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}', 400],
  [
    'a length and chunks',
    'POST /api/auth/login HTTP/1.1\r\nHost: portal\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  [
    'a broken chunk',
    'POST /api/auth/login HTTP/1.1\r\nHost: portal\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    400,
  ],
  ['headers without end', `GET /api/healthz HTTP/1.1\r\nHost: portal\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['an expectation nobody can meet', 'GET /api/healthz HTTP/1.1\r\nHost: portal\r\nExpect: much\r\nConnection: close\r\n\r\n', 200],
  ['an invalid path', 'GET nowhere HTTP/1.1\r\nHost: portal\r\n\r\n', 400],
]
for (const [what, bytes, status] of broken)
  test(`${what}: ${status} with a request id, and the server continues`, async () => {
    const [head = '', body = ''] = (await say(bytes)).split('\r\n\r\n')
    const [line, ...fields] = head.split('\r\n')
    assert.equal(line!.split(' ')[1], String(status))
    checkHeaders(new Headers(fields.map((field) => field.split(': ') as [string, string])), what)
    if (status >= 400) assert.ok(JSON.parse(body).code)
    assert.equal((await portal.stranger().get('/healthz')).status, 200)
  })

test('a wrong method gets 405, and Allow names the right methods', async () => {
  const allowed = async (method: string, path: string) => (await portal.stranger().send(method, path)).headers.get('allow')
  assert.equal(await allowed('PUT', '/auth/login'), 'POST')
  assert.equal(await allowed('DELETE', '/auth/me/?x=1'), 'GET, HEAD')
  assert.equal(await allowed('PUT', '/users/7'), 'DELETE, GET, HEAD, PATCH')
  assert.equal(await allowed('POST', '/events'), 'GET')
  assert.equal(await allowed('POST', '/openapi.json'), 'GET, HEAD')
  assert.equal(await allowed('POST', '/docs'), 'GET, HEAD')
  assert.equal(await allowed('DELETE', '/docs/'), 'GET, HEAD')
  assert.equal(await allowed('POST', '/nowhere'), null)
})
