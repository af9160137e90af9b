import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import argon2 from '@node-rs/argon2'
import { Client, openInstance, PASSWORD, testPortal, until } from '../../../test/portal.ts'

const portal = testPortal()

const signIn = (username: string, password = PASSWORD) => portal.stranger().post('/auth/login', { username, password })
const again = ({ username }: Client) => portal.stranger().signIn(username)
const tokenOf = ({ cookie }: Client) => cookie.split('=')[1]!
const sessionsOf = async (client: Client) => (await client.get('/auth/me/sessions')).body as { id: number; current: boolean }[]
const sessionOf = async (client: Client) => (await sessionsOf(client)).find(({ current }) => current)!.id

test('people sign in with their username or e-mail address, regardless of case', async () => {
  const huda = await portal.person('Huda')
  for (const name of ['Huda', 'hUDA', 'Huda@example.org', 'hUDA@EXAMPLE.ORG', ' huda ']) {
    const { status, body } = await signIn(name)
    assert.deepEqual([status, body.id], [200, huda.id], name)
  }
})

test('signing in leaves no trace but the session', async () => {
  await portal.person('quiet')
  const traces = await portal.traces(() => signIn('quiet'))
  assert.deepEqual(traces, { audit: [], histories: [], notices: [], events: [] })
})

test('a wrong password, an unknown name and a deactivated account get the same answer', async () => {
  const one = await portal.person('gone')
  await portal.person('here')
  await portal.admin.patch(`/users/${one.id}`, { isActive: false })
  const answers = await Promise.all([signIn('here', 'wrong one'), signIn('nobody'), signIn('gone'), signIn('gone', 'wrong one')])
  for (const { status, text, headers } of answers) {
    assert.equal(status, 401)
    assert.equal(text, answers[0]!.text)
    assert.deepEqual([...headers.keys()], [...answers[0]!.headers.keys()])
    assert.deepEqual(headers.getSetCookie(), [])
  }
  assert.equal(answers[0]!.body.code, 'invalid_credentials')
})

test('a sign-in costs one password check, whether the name is known or not', async (t) => {
  const one = await portal.person('left')
  await portal.person('stays')
  await portal.admin.patch(`/users/${one.id}`, { isActive: false })
  const verify = t.mock.method(argon2, 'verify')
  for (const name of ['stays', 'nobody', 'left']) {
    verify.mock.resetCalls()
    await signIn(name, 'wrong one')
    assert.deepEqual(
      verify.mock.calls.map(({ arguments: [, password] }) => password),
      ['wrong one'],
      name,
    )
  }
})

test('a malformed sign-in is refused', async () => {
  for (const body of [
    {},
    { username: 'x' },
    { username: 'x', password: '' },
    { username: ['x'], password: 'x' },
    { username: 'x', password: 'x'.repeat(257) },
  ]) {
    assert.equal((await portal.stranger().post('/auth/login', body)).status, 400, JSON.stringify(body))
  }
})

test('the session cookie is sent only to this portal and is out of reach of scripts', async () => {
  await portal.person('cookie')
  const [cookie] = (await signIn('cookie')).headers.getSetCookie()
  assert.match(cookie!, /^portal_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
})

test('behind https the session cookie is bound to the host and to TLS, and a cookie with another name is ignored', async () => {
  await portal.person('secure')
  const { base, close } = await openInstance(portal.connection, { PUBLIC_URL: 'https://portal.example.org' })
  const client = new Client(base)
  const { headers } = await client.post('/auth/login', { username: 'secure', password: PASSWORD })
  assert.match(headers.getSetCookie()[0]!, /^__Host-portal_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  assert.equal((await client.get('/auth/me')).status, 200)
  assert.equal((await client.send('PATCH', '/auth/me/language', { language: 'en' }, { origin: 'https://portal.example.org' })).status, 200)
  assert.equal((await client.send('PATCH', '/auth/me/language', { language: 'en' }, { origin: 'http://portal.example.org' })).status, 403)
  client.cookie = client.cookie.replace('__Host-', '')
  assert.equal((await client.get('/auth/me')).status, 401)
  await close()
})

test('every sign-in starts a session of its own, stored as a hash', async () => {
  const laptop = await portal.person('many')
  const phone = await again(laptop)
  assert.notEqual(tokenOf(laptop), tokenOf(phone))
  const stored = await portal.sql<{ hash: string; line: string }>(
    `select token_hash as hash, sessions::text as line from sessions where user_id = ${laptop.id} order by id`,
  )
  assert.deepEqual(
    stored.map(({ hash }) => hash),
    [laptop, phone].map((one) => createHash('sha256').update(tokenOf(one)).digest('base64url')),
  )
  assert.ok(stored.every(({ line }) => !line.includes(tokenOf(laptop)) && !line.includes(tokenOf(phone))))
})

test('signing in with an existing session starts a new one', async () => {
  const huda = await portal.person('fixed')
  const before = huda.cookie
  await huda.signIn('fixed')
  assert.notEqual(huda.cookie, before)
})

test('signing out ends this session and clears its cookie, and other sessions continue', async () => {
  const laptop = await portal.person('leaver')
  const phone = await again(laptop)
  const cookie = laptop.cookie
  const { status, body, headers } = await laptop.post('/auth/logout')
  assert.deepEqual([status, body], [200, { success: true }])
  assert.match(headers.getSetCookie()[0]!, /^portal_session=; .*Expires=Thu, 01 Jan 1970/)
  laptop.cookie = cookie
  assert.equal((await laptop.get('/auth/me')).status, 401)
  assert.equal((await laptop.post('/auth/logout')).status, 401)
  assert.equal((await phone.get('/auth/me')).status, 200)
})

test('a malformed or unknown session is refused', async () => {
  const client = portal.stranger()
  const cookies = [
    '',
    'portal_session=',
    `portal_session=${'x'.repeat(43)}`,
    `portal_session=${'x'.repeat(4000)}`,
    'portal_session=%00',
    "portal_session='; drop table users",
  ]
  for (const cookie of cookies) {
    const { status, body } = await client.get('/auth/me', { cookie })
    assert.deepEqual([status, body.error, body.code], [401, 'Unauthorized', 'unauthorized'], cookie)
  }
})

test('a session ends when it is not used for its idle time', async () => {
  const huda = await portal.person('idle')
  const [row] = await portal.sql<{ days: number }>(
    `select extract(epoch from expires_at - created_at)::int / 86400 as days from sessions where user_id = ${huda.id}`,
  )
  assert.equal(row!.days, 7)
  await portal.sql(`update sessions set expires_at = now() where user_id = ${huda.id}`)
  assert.equal((await huda.get('/auth/me')).status, 401)
})

const age = (one: Client, created: string) =>
  portal.sql(
    `update sessions set created_at = now() - interval '${created}', last_used_at = now() - interval '2 minutes', expires_at = now() + interval '1 hour' where user_id = ${one.id}`,
  )
const left = async (one: Client) =>
  (
    await portal.sql<{ seconds: number }>(
      `select extract(epoch from expires_at - now())::int as seconds from sessions where user_id = ${one.id}`,
    )
  )[0]!.seconds

test('each use extends a session by its whole idle time', async () => {
  const huda = await portal.person('renewed')
  await age(huda, '3 days')
  await huda.get('/auth/me')
  await until('it is renewed', async () => (await left(huda)) > 7 * 86400 - 60)
})

test('no session lives longer than 30 days, however often it is used', async () => {
  const huda = await portal.person('aged')
  await age(huda, '29 days 12 hours')
  await huda.get('/auth/me')
  await until('it is renewed', async () => (await left(huda)) > 2 * 3600)
  assert.ok((await left(huda)) <= 12 * 3600)
  await age(huda, '31 days')
  await huda.get('/auth/me')
  await until('it is over', async () => (await huda.get('/auth/me')).status === 401)
})

test('deactivation ends a person’s sessions at once at every instance, and for good', async () => {
  const huda = await portal.person('off')
  const elsewhere = Object.assign(new Client((await portal.another()).base), { cookie: huda.cookie })
  assert.equal((await elsewhere.get('/auth/me')).status, 200)
  await portal.admin.patch(`/users/${huda.id}`, { isActive: false })
  assert.deepEqual([(await huda.get('/auth/me')).status, (await elsewhere.get('/auth/me')).status], [401, 401])
  await portal.admin.patch(`/users/${huda.id}`, { isActive: true })
  assert.equal((await huda.get('/auth/me')).status, 401)
  assert.equal((await signIn('off')).status, 200)
})

test('a sign-in that races with a deactivation leaves no session', async () => {
  for (let round = 0; round < 5; round++) {
    const huda = await portal.person(`race${round}`)
    await Promise.all([
      signIn(huda.username),
      signIn(huda.username),
      portal.admin.patch(`/users/${huda.id}`, { isActive: false }),
      signIn(huda.username),
    ])
    const living = await portal.sql(`select from sessions where user_id = ${huda.id} and ended_at is null`)
    assert.equal(living.length, 0)
  }
})

const senders: [title: string, headers: Record<string, string>, allowed: boolean][] = [
  ['the portal itself', { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }, true],
  ['a client that is no browser', {}, true],
  ['another host', { origin: 'https://evil.example' }, false],
  ['another port', { origin: 'http://localhost:3001' }, false],
  ['another scheme', { origin: 'https://localhost:3000' }, false],
  ['a sandboxed page', { origin: 'null' }, false],
  ['a look-alike', { origin: 'http://localhost:3000.evil.example' }, false],
  ['a page elsewhere, without Origin', { 'sec-fetch-site': 'cross-site' }, false],
]
for (const [title, headers, allowed] of senders) {
  test(`a change sent by ${title} is ${allowed ? 'accepted' : 'refused'}`, async () => {
    const stranger = portal.stranger()
    assert.equal((await portal.admin.send('PATCH', '/auth/me/language', { language: 'ar' }, headers)).status, allowed ? 200 : 403)
    assert.equal((await stranger.send('POST', '/auth/login', { username: 'nobody', password: 'x' }, headers)).status, allowed ? 401 : 403)
    assert.equal((await stranger.send('PATCH', '/auth/me/language', { language: 'ar' }, headers)).status, 401)
    assert.equal((await portal.admin.get('/auth/me', headers)).status, 200)
  })
}

test('a form of another site is refused, because bodies must be JSON', async () => {
  const { status, body } = await portal
    .stranger()
    .send('POST', '/auth/login', 'username=huda&password=x', { 'content-type': 'application/x-www-form-urlencoded' })
  assert.deepEqual([status, body.code], [415, 'unsupported_media_type'])
})

test('people see where they are signed in, last used first', async () => {
  const laptop = await portal.person('seer')
  const phone = portal.stranger()
  await phone.send('POST', '/auth/login', { username: 'seer', password: PASSWORD }, { 'user-agent': 'Phone/1.0' })
  await portal.sql(
    `update sessions set expires_at = now() where token_hash = '${createHash('sha256')
      .update(tokenOf(await again(laptop)))
      .digest('base64url')}'`,
  )
  const { status, body } = await laptop.get('/auth/me/sessions')
  assert.equal(status, 200)
  assert.deepEqual(
    body.map(({ userAgent, ip, current }: Record<string, unknown>) => ({ userAgent, ip, current })),
    [
      { userAgent: 'Phone/1.0', ip: '127.0.0.1', current: false },
      { userAgent: 'node', ip: '127.0.0.1', current: true },
    ],
  )
  assert.deepEqual(Object.keys(body[0]).sort(), ['createdAt', 'current', 'expiresAt', 'id', 'ip', 'lastUsedAt', 'userAgent'])
})

test('at most five hundred characters of a browser’s User-Agent header are stored', async () => {
  const huda = await portal.person('wordy')
  const name = 'x'.repeat(499)
  await huda.send('POST', '/auth/login', { username: 'wordy', password: PASSWORD }, { 'user-agent': `${name}yz` })
  assert.equal((await huda.get('/auth/me/sessions')).body[0].userAgent, `${name}y`)
})

test('people can end their own sessions and nobody else’s', async () => {
  const [huda, salem] = [await portal.person('owner'), await portal.person('other')]
  const phone = await again(huda)
  const id = await sessionOf(phone)
  assert.equal((await salem.delete(`/auth/me/sessions/${id}`)).status, 404)
  const traces = await portal.traces(async () => assert.equal((await huda.delete(`/auth/me/sessions/${id}`)).status, 204))
  assert.deepEqual(traces, {
    audit: [],
    histories: [],
    notices: [],
    events: [{ event: 'session_ended', data: { reason: 'revoked' }, to: [huda.id] }],
  })
  assert.equal((await phone.get('/auth/me')).status, 401)
  assert.equal((await huda.delete(`/auth/me/sessions/${id}`)).status, 404)
  for (const wrong of ['0', '-1', 'x', '2147483648', '1.5'])
    assert.equal((await huda.delete(`/auth/me/sessions/${wrong}`)).status, 400, wrong)
})

test('ending the session in use signs the person out', async () => {
  const huda = await portal.person('self')
  assert.equal((await huda.delete(`/auth/me/sessions/${await sessionOf(huda)}`)).status, 204)
  assert.equal(huda.cookie, '')
})
