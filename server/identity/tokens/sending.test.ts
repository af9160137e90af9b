/** Calls with a token: beside cookies, with an unknown token, and by a sender whose rights end during the call. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { mock, test } from 'node:test'
import { dayAhead } from '../../../test/access-reviews.ts'
import { inDays } from '../../../test/grants.ts'
import { silence } from '../../../test/makers.ts'
import { type Client, PASSWORD, testPortal, until } from '../../../test/portal.ts'
import { giveToken, tokenOf, withToken } from '../../../test/tokens.ts'
import { newApiToken } from '../../platform/auth/api-tokens.ts'
import { hashToken } from '../../platform/auth/tokens.ts'

const portal = testPortal({ RATE_LIMITS: 'on' })
const refusal = ({ status, body, headers }: Awaited<ReturnType<Client['get']>>) => [status, body?.code, headers.get('www-authenticate')]
const INVALID = [401, 'unauthorized', 'Bearer error="invalid_token"']

test('beside a token, cookies are ignored, both another person’s and the owner’s', async () => {
  const [owner, other] = [await portal.person('owner'), await portal.person('other')]
  const token = await tokenOf(portal, owner.id, { scopes: ['profile:read', 'notifications:write'] })
  token.cookie = other.cookie
  assert.equal((await token.get('/auth/me')).body.username, 'owner')
  const unknown = withToken(portal, newApiToken('personal'))
  unknown.cookie = owner.cookie
  assert.deepEqual(refusal(await unknown.get('/auth/me')), INVALID)
  token.cookie = owner.cookie
  const answer = await token.get('/notes')
  assert.deepEqual([answer.status, answer.body.code], [403, 'not_for_tokens'])
  for (const text of ['', 'x', owner.cookie.split('=')[1]!]) {
    const malformed = withToken(portal, text)
    malformed.cookie = owner.cookie
    assert.deepEqual(refusal(await malformed.get('/auth/me')), INVALID, text)
  }
})

test('signing in beside a token ends no session of the cookie', async () => {
  const owner = await portal.person('beside')
  const token = await tokenOf(portal, owner.id)
  token.cookie = owner.cookie
  assert.equal((await token.post('/auth/login', { username: 'beside', password: PASSWORD })).status, 200)
  assert.equal((await owner.get('/auth/me')).status, 200)
})

test('a 401 for a call without a token has no WWW-Authenticate header', async () => {
  assert.deepEqual(refusal(await portal.stranger().get('/auth/me')), [401, 'unauthorized', null])
})

test('a page of another origin is refused, whatever token it sends', async () => {
  const owner = await portal.person('framed')
  const token = await tokenOf(portal, owner.id, { scopes: ['notifications:write'] })
  const answer = await token.send('POST', '/notifications/read-all', undefined, { origin: 'https://elsewhere.example' })
  assert.deepEqual([answer.status, answer.body.code], [403, 'foreign_origin'])
})

test('a malformed token never reaches the database', async () => {
  const token = newApiToken('personal')
  const other = token.at(-1) === 'a' ? 'b' : 'a'
  const asked = mock.method(portal.instance.db.pools.sessions, 'query')
  const malformed = [token.slice(0, -1) + other, `bwx${token.slice(3)}`, token.slice(0, -1), 'x']
  for (const text of malformed) assert.equal((await withToken(portal, text).get('/auth/me')).status, 401)
  const sent = JSON.stringify(asked.mock.calls.map((call) => call.arguments))
  asked.mock.restore()
  // Other sessions may be looked up at the same time.
  assert.deepEqual(
    malformed.filter((text) => sent.includes(hashToken(text))),
    [],
  )
})

test('after 100 unknown tokens from an IP address, further ones get 429, and valid ones never do', async () => {
  const owner = await portal.person('neighbour')
  const token = await tokenOf(portal, owner.id)
  const statuses: number[] = []
  for (let n = 0; n < 110; n++) statuses.push((await withToken(portal, n % 2 ? 'x' : newApiToken('personal')).get('/auth/me')).status)
  const refused = statuses.indexOf(429)
  assert.ok(refused > 0 && refused <= 100, String(refused))
  assert.deepEqual(new Set(statuses.slice(refused)), new Set([429]))
  const answer = await withToken(portal, newApiToken('personal')).get('/auth/me')
  assert.ok(Number(answer.headers.get('retry-after')) > 0)
  assert.equal(answer.body.code, 'rate_limited')
  assert.equal((await token.get('/auth/me')).status, 200)
  assert.equal((await owner.get('/auth/me')).status, 200)
})

test('with one idempotency key, a token gets neither the answer of its owner nor that of another token', async () => {
  const owner = await portal.person('keyed')
  const category = (await portal.admin.post('/services', { nameAr: 'قهوة', nameEn: 'Coffee' })).body
  const body = { serviceId: category.id }
  const key = { 'idempotency-key': 'the same' }
  const tokens = [
    await tokenOf(portal, owner.id, { scopes: ['orders:write'] }),
    await tokenOf(portal, owner.id, { scopes: ['orders:write', 'orders:read'] }),
  ]
  const ids: number[] = []
  for (const who of [owner, ...tokens, ...tokens, owner]) {
    const { status, body: order } = await who.send('POST', '/orders', body, key)
    assert.equal(status, 201)
    ids.push(order.id)
  }
  const [own, one, other, oneAgain, otherAgain, ownAgain] = ids
  assert.equal(new Set([own, one, other]).size, 3)
  assert.deepEqual([oneAgain, otherAgain, ownAgain], [one, other, own])
})

const ends: [what: string, status: number, end: (owner: Client, token: { id: number }) => Promise<unknown>][] = [
  ['revoked', 401, (owner, { id }) => owner.delete(`/auth/me/tokens/${id}`)],
  ['ended with all sessions', 401, (owner) => portal.admin.delete(`/users/${owner.id}/sessions`)],
  ['its owner’s, who is deactivated', 401, (owner) => portal.admin.patch(`/users/${owner.id}`, { isActive: false })],
  ['its owner’s, who is deleted', 401, (owner) => portal.admin.delete(`/users/${owner.id}?force=true`)],
  ['its owner’s, who loses the role', 403, (owner) => portal.admin.delete(`/users/${owner.id}/roles/admin`)],
  [
    'its owner’s, whose password is reset',
    401,
    async (owner) => {
      const { resetUrl } = (await portal.admin.post(`/auth/admin/users/${owner.id}/issue-reset-link`)).body
      const token = new URL(resetUrl).searchParams.get('token')
      return portal.stranger().post('/auth/reset-password', { token, newPassword: PASSWORD })
    },
  ],
  [
    'over',
    401,
    (_owner, { id }) =>
      portal.sql(`update sessions set expires_at = now() from api_tokens where session_id = sessions.id and api_tokens.id = $1`, [id]),
  ],
]
for (const [n, [what, expected, end]] of ends.entries())
  test(`a token that is ${what} between the headers and the body makes no change`, async () => {
    const owner = await portal.person(`late${n}`, { roles: ['admin'] })
    const { text, ...token } = await giveToken(portal, owner.id, { scopes: ['admin:write'] })
    const bytes = Buffer.from(JSON.stringify({ siteNameEn: `Late ${n}` }))
    const authenticate = mock.method(portal.instance.sessions, 'authenticateToken')
    const headers = { authorization: `Bearer ${text}`, 'content-type': 'application/json', 'content-length': bytes.length }
    const sending = request(`${portal.base}/api/settings`, { method: 'PATCH', headers, agent: false }).on('error', () => {})
    const answering = once(sending, 'response')
    sending.flushHeaders()
    await until('its sender is being authenticated', () => authenticate.mock.callCount())
    await authenticate.mock.calls[0]!.result
    authenticate.mock.restore()
    await end(owner, token)
    const traces = await portal.traces(async () => {
      sending.end(bytes)
      const [answer] = (await answering) as [IncomingMessage]
      answer.resume()
      assert.equal(answer.statusCode, expected)
    })
    assert.deepEqual(traces, silence)
    assert.notEqual((await portal.stranger().get('/settings')).body.siteNameEn, `Late ${n}`)
  })

test('no table of the database contains a token', async () => {
  const owner = await portal.person('searched')
  const made = await owner.send('POST', '/auth/me/tokens', { name: 'x', scopes: ['profile:read'] }, { 'idempotency-key': 'once' })
  assert.equal(made.status, 201, made.text)
  await withToken(portal, made.body.token).get('/auth/me')
  const tables = await portal.sql<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  assert.ok(tables.length > 40)
  for (const { name } of tables) {
    const found = await portal.sql(`select from ${name} as line where position($1 in line::text) > 0`, [made.body.token.slice(4)])
    assert.deepEqual(found, [], name)
  }
})

test('an administrator’s token cannot make calls that a session would have to confirm', async () => {
  const owner = await portal.person('closed', { roles: ['admin'] })
  const token = await tokenOf(portal, owner.id, { scopes: ['admin:write', 'admin:read'] })
  const other = await portal.person('target')
  const admin = ((await portal.admin.get('/roles')).body as { id: number; name: string }[]).find(({ name }) => name === 'admin')!
  const group = (await portal.admin.post('/groups', { name: 'Closed', userIds: [other.id] })).body
  const giving = (await portal.admin.post('/groups', { name: 'Giving', roleIds: [admin.id] })).body
  const free = (await token.post('/groups', { name: 'Free' })).body
  assert.ok(free.id)
  const chief = await portal.person('chief', { roles: ['admin'] })
  const review = { titleEn: 'Quarter', dueDate: dayAhead(8), roleIds: [admin.id] }
  const { id: reviewId } = (await portal.admin.post('/access-reviews', { ...review, ifSilent: 'remove' })).body
  const calls: [string, string, object?][] = [
    ['POST', `/users/${other.id}/roles`, { roleName: 'admin' }],
    ['POST', `/users/${chief.id}/roles`, { roleName: 'admin', expiresAt: inDays(1) }],
    ['POST', '/access-reviews', { ...review, ifSilent: 'remove' }],
    ['POST', `/access-reviews/${reviewId}/close`, {}],
    ['PUT', `/users/${other.id}/roles`, { roleIds: [admin.id] }],
    ['DELETE', `/users/${owner.id}/roles/admin`],
    ['POST', `/groups/${group.id}/roles`, { roleId: admin.id }],
    ['PATCH', `/groups/${group.id}`, { roleIds: [admin.id] }],
    ['POST', `/groups/${giving.id}/users`, { userId: other.id }],
    ['PATCH', `/users/${other.id}`, { groupIds: [1, giving.id] }],
    ['POST', '/users/bulk-change', { ids: [other.id], set: { addRoleNames: ['admin'] } }],
    ['PATCH', `/users/${other.id}`, { email: 'new@example.org' }],
    ['PATCH', '/settings', { registrationOpen: false }],
    ['PUT', `/roles/${admin.id}/permissions`, { permissionIds: [] }],
    ['DELETE', `/users/${other.id}/sessions`],
    ['POST', `/auth/admin/users/${other.id}/issue-reset-link`],
    ['DELETE', `/groups/${group.id}?force=true`],
  ]
  for (const [method, path, body] of calls) {
    const answer = await token.send(method, path, body)
    assert.deepEqual([answer.status, answer.body?.code], [403, 'not_for_tokens'], `${method} ${path} ${answer.text}`)
  }
  assert.equal((await token.patch(`/users/${other.id}`, { displayNameEn: 'Other' })).status, 200)
  assert.equal((await token.delete(`/groups/${free.id}`)).status, 204)
})
