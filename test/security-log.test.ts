/** The lines of the log under `security`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import pino from 'pino'
import { Refusal, type RefusalCode } from '../server/platform/errors/refusal.ts'
import { openSecurityLog, type SecurityEvent } from '../server/platform/security-log.ts'
import { addPasskey, assertionOf } from './factors.ts'
import { PASSWORD, testPortal } from './portal.ts'
import { withToken } from './tokens.ts'

const lines: string[] = []
const log = pino({ level: 'info', base: null, timestamp: false }, { write: (line: string) => void lines.push(line) })
const portal = testPortal({ RATE_LIMITS: 'on', TRUST_PROXY: '1' }, log)

const address = '192.0.2.17'
type Line = Record<string, unknown>
/** The lines under `security` that `act` causes, without the ids of their requests. */
async function noted(act: () => Promise<unknown>) {
  lines.length = 0
  await act()
  return lines
    .map((line): Line => JSON.parse(line))
    .filter(({ part }) => part === 'security')
    .map(({ level: _, part: _part, msg: _msg, reqId, ...line }) => {
      if (reqId !== undefined) assert.match(String(reqId), /^[0-9a-f-]{36}$/)
      return line
    })
}
const guess = (username: string, from = address) =>
  portal.stranger().send('POST', '/auth/login', { username, password: 'a wrong guess' }, { 'x-forwarded-for': from })

test('failed and limited sign-ins are logged with the address and the same hash for the same name', async () => {
  const found = await noted(async () => {
    for (let n = 0; n < 11; n++) await guess(n % 2 ? 'Somebody' : 'somebody')
  })
  const [first, ...others] = found
  assert.match(String(first!['name']), /^[\w-]{22}$/)
  const line = { event: 'invalid_credentials', method: 'POST', route: '/api/auth/login', ip: address, name: first!['name'] }
  assert.deepEqual(found, [...Array(10).fill(line), { ...line, event: 'rate_limited' }])
  assert.equal(others.length, 10)
  // The guess comes from a network that has not used up its ten lines of this second.
  const [other] = await noted(() => guess('somebody-else', '198.51.100.17'))
  assert.notEqual(other!['name'], first!['name'])
})

test('forbidden calls are logged with their caller', async () => {
  const huda = await portal.person('curious')
  const found = await noted(async () => {
    await huda.get('/users/1')
    await huda.send('PATCH', '/auth/me/language', { language: 'en' }, { origin: 'https://elsewhere.example' })
  })
  assert.deepEqual(found, [
    { event: 'forbidden', method: 'GET', route: '/api/users/:id', ip: '127.0.0.1', user: huda.id },
    { event: 'foreign_origin', method: 'PATCH', route: '/api/auth/me/language', ip: '127.0.0.1', user: huda.id },
  ])
})

test('resets and ended sessions are logged without any secret', async () => {
  const huda = await portal.person('resetting')
  let token = ''
  const found = await noted(async () => {
    const { body } = await portal.admin.post(`/auth/admin/users/${huda.id}/issue-reset-link`)
    token = new URL(body.resetUrl).searchParams.get('token')!
    await portal.stranger().post('/auth/reset-password', { token, newPassword: 'another one' })
    await portal.stranger().post('/auth/reset-password', { token, newPassword: 'another one' })
    const again = await portal.stranger().signIn('resetting', 'another one')
    await again.post('/auth/logout')
  })
  assert.deepEqual(found, [
    { event: 'user.reset_link_issued', user: huda.id, by: portal.admin.id },
    { event: 'user.password_reset', user: huda.id, by: huda.id },
    { event: 'session.ended', user: huda.id, by: huda.id, reason: 'password_reset', sessions: 1 },
    { event: 'invalid_token', method: 'POST', route: '/api/auth/reset-password', ip: '127.0.0.1' },
    { event: 'session.ended', user: huda.id, by: huda.id, reason: 'logout', sessions: 1 },
  ])
  const all = lines.join('\n')
  for (const secret of [token, PASSWORD, 'another one', huda.cookie, 'resetting']) assert.ok(!all.includes(secret), secret)
})

test('calls without a bearing on security are not logged', async () => {
  const found = await noted(async () => {
    const huda = await portal.stranger()
    await huda.get('/auth/me')
    await huda.post('/auth/login', {})
    await portal.admin.get('/users/2147483647')
    await huda.get('/auth/oidc/nosuch/callback?state=x')
  })
  assert.deepEqual(found, [])
})

test('all instances give a name the same hash', async () => {
  const other = await portal.another()
  const nameOf = async (base: string) => {
    const [line] = await noted(() =>
      fetch(`${base}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'wanderer', password: 'x' }),
      }),
    )
    return line!['name']
  }
  assert.equal(await nameOf(other.base), await nameOf(portal.base))
})

test('under a flood, the log gets a hundred lines a second and the number of the lines left out', (t) => {
  t.mock.method(performance, 'now', () => now)
  let now = 5000
  let networks = 0
  const { written, refuse } = openAlone()
  const flood = (count: number) => {
    written.length = 0
    for (let n = 0; n < count; n++, networks++) refuse('foreign_origin', `10.0.${networks >> 8}.${networks & 255}`)
    return written.filter(({ event }) => event === 'foreign_origin').length
  }
  assert.equal(flood(250), 100)
  now = 5999
  assert.equal(flood(10), 0)
  now = 6000
  assert.equal(flood(250), 90)
  assert.deepEqual([written.length, written[0]!['event'], written[0]!['count']], [100, 'left_out', 1])
  now = 7000
  assert.equal(flood(60), 60)
  now = 7900
  assert.equal(flood(40), 30)
  now = 8100
  assert.equal(flood(100), 60, 'in the second after the first line, and not in every second that begins')
})

test('a flood from a few networks leaves room in the log for committed changes, which count towards the same limit', (t) => {
  t.mock.method(performance, 'now', () => 5000)
  const { written, security, refuse } = openAlone()
  for (let n = 0; n < 500; n++) refuse(n % 2 ? 'foreign_origin' : 'invalid_token', `192.0.2.${n % 10}`)
  const calls = written.length
  security.noteChanges(
    null,
    Array.from({ length: 150 }, (_, targetId) => ({ kind: 'x', targetId, facts: {} })),
  )
  const changes = written.filter(({ event }) => event === 'x').map(({ user }) => user)
  assert.ok(changes.length >= 40)
  assert.deepEqual(
    changes,
    Array.from({ length: 100 - calls }, (_, n) => n),
  )
})

test('many events from a few networks leave half of the log to networks that were silent', (t) => {
  t.mock.method(performance, 'now', () => 5000)
  const events = ['invalid_credentials', 'invalid_factor', 'invalid_token', 'rate_limited', 'foreign_origin'] as const
  const flood = (networks: number) => {
    const log = openAlone()
    for (const event of events) for (let n = 0; n < 10 * networks; n++) log.refuse(event, `192.0.2.${n % networks}`)
    return log
  }
  assert.equal(flood(2).written.length, 40, 'twenty lines of each network')
  const { written, refuse } = flood(10)
  assert.equal(written.length, 60, 'the first of each, and fifty more')
  for (let n = 0; n < 30; n++) refuse('invalid_credentials', `198.51.100.${n}`)
  assert.equal(written.filter(({ ip }) => String(ip).startsWith('198.51.100.')).length, 30)
})

/** Opens a separate security log. `refuse` notes the refusal of a request from an address; `kept` has the events for the audit stream. */
function openAlone(processes = 1) {
  const written: Line[] = []
  const kept: SecurityEvent[] = []
  const sink = pino({ base: null }, { write: (line: string) => void written.push(JSON.parse(line)) })
  const security = openSecurityLog(sink, 'key', kinds, processes, (event) => kept.push(event))
  const refuse = (code: RefusalCode, ip: string) => security.noteRefusal(new Refusal(code), requestFrom(ip))
  return { written, kept, security, refuse }
}
const requestFrom = (ip: string) => ({ id: 'id', method: 'POST', routeOptions: { config: {} }, ip }) as unknown as FastifyRequest
const kinds = new Map([
  ['x', { targetType: 'user', isWarning: false }],
  ['y', { targetType: 'user', isWarning: true }],
])

test('every refusal and failed attempt is a warning to the audit stream, whatever its code; a change is a warning only if its kind says so', (t) => {
  let now = 5000
  t.mock.method(performance, 'now', () => now)
  const { kept, security, refuse } = openAlone()
  const codes = [
    'forbidden',
    'confirmation_required',
    'not_for_tokens',
    'insufficient_scope',
    'registration_closed',
    'rate_limited',
  ] as const
  for (const code of codes) refuse(code, address)
  security.noteRefusal(new Refusal('invalid_factor', { logged: { event: 'passkey_cloned', user: 7 } }), requestFrom(address))
  security.noteCut(requestFrom(address))
  security.noteFailedAttempt({ ip: address })
  for (let n = 0; n < 20; n++) refuse('foreign_origin', '198.51.100.1')
  now = 6000
  for (const kind of ['x', 'y']) security.noteChanges(null, [{ kind, targetId: 7, facts: {} }])
  refuse('enrolment_required', address)
  assert.deepEqual(Object.fromEntries(kept.map(({ event, isWarning }) => [event, isWarning])), {
    ...Object.fromEntries([...codes, 'foreign_origin', 'enrolment_required'].map((code) => [code, true])),
    ...{ passkey_cloned: true, cut: true, sso_failed: true, left_out: true, x: false, y: true },
  })
})

test('one network gets ten lines a second of one event, and its flood hides neither other networks nor its other events', (t) => {
  let now = 5000
  t.mock.method(performance, 'now', () => now)
  const { written, refuse } = openAlone()
  for (let n = 0; n < 3000; n++) refuse('foreign_origin', '192.0.2.1')
  refuse('invalid_credentials', '192.0.2.1')
  refuse('foreign_origin', '192.0.2.2')
  const seen = () => written.splice(0).map(({ event, ip, of, network, count }) => (count ? [event, of, network, count] : [event, ip]))
  assert.deepEqual(seen(), [
    ...Array(10).fill(['foreign_origin', '192.0.2.1']),
    ['invalid_credentials', '192.0.2.1'],
    ['foreign_origin', '192.0.2.2'],
  ])
  now = 6000
  refuse('invalid_credentials', '192.0.2.3')
  assert.deepEqual(seen(), [
    ['left_out', 'foreign_origin', '192.0.2.1', 2990],
    ['invalid_credentials', '192.0.2.3'],
  ])
})

test('the addresses of one IPv6 network share its ten lines', (t) => {
  t.mock.method(performance, 'now', () => 5000)
  const { written, refuse } = openAlone()
  for (let n = 0; n < 50; n++) refuse('invalid_credentials', `2001:db8::${n.toString(16)}`)
  refuse('invalid_credentials', '2001:db8:0:1::1')
  assert.equal(written.length, 11)
})

test('lines left out in a flood from thousands of networks are counted, and the counts do not flood the log', (t) => {
  let now = 5000
  t.mock.method(performance, 'now', () => now)
  const { written, refuse } = openAlone()
  for (let n = 0; n < 5000; n++) refuse('foreign_origin', `10.0.${n >> 8}.${n & 255}`)
  let sum = written.splice(0).length
  assert.equal(sum, 100)
  for (let second = 0; second < 110; second++) {
    now += 1000
    refuse('invalid_credentials', '192.0.2.1')
    const lines = written.splice(0)
    assert.equal(lines.at(-1)!['event'], 'invalid_credentials')
    assert.ok(lines.length <= 11)
    for (const { count = 0 } of lines) sum += count as number
  }
  assert.equal(sum, 5000)
})

test('several processes share the ten lines of a network', (t) => {
  t.mock.method(performance, 'now', () => 5000)
  const { written, refuse } = openAlone(4)
  for (let n = 0; n < 50; n++) refuse('invalid_credentials', '192.0.2.1')
  assert.equal(written.length, 2)
})

test('several processes together log a hundred lines a second', (t) => {
  t.mock.method(performance, 'now', () => 5000)
  let count = 0
  for (let process = 0; process < 4; process++) {
    const { written, refuse } = openAlone(4)
    for (let n = 0; n < 50; n++) refuse('invalid_credentials', `192.0.2.${n}`)
    count += written.length
  }
  assert.equal(count, 100)
})

test('an invalid factor is logged, and a copied passkey is logged as such with its person', async () => {
  const one = await portal.person('copied')
  const { authenticator } = await addPasskey(one)
  const browser = portal.stranger()
  const signIn = async (lie: object) =>
    browser.post('/auth/passkeys/sign-in', { assertion: await assertionOf(browser, authenticator, 'sign_in', lie) })
  await signIn({ counter: 7 })
  const line = { method: 'POST', route: '/api/auth/passkeys/sign-in', ip: '127.0.0.1' }
  assert.deepEqual(await noted(() => signIn({ counter: 6 })), [{ event: 'passkey_cloned', ...line, user: one.id }])
  assert.deepEqual(await noted(() => signIn({ turnsBit: true })), [{ event: 'invalid_factor', ...line }])
})

test('no line of the log contains an API token', async () => {
  lines.length = 0
  const owner = await portal.person('programmer')
  const { body } = await owner.post('/auth/me/tokens', { name: 'Logged', scopes: ['profile:read'] })
  const client = withToken(portal, body.token)
  assert.deepEqual([(await client.get('/auth/me')).status, (await client.get('/notes')).status], [200, 403])
  await portal.stranger().post('/tokens/revoke', { token: body.token })
  assert.equal((await client.get('/auth/me')).status, 401)
  assert.ok(lines.length > 0)
  assert.deepEqual(
    lines.filter((line) => line.includes(body.token.slice(4))),
    [],
  )
})
