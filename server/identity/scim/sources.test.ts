/** Sources: their settings, their tokens, and the calls that the tokens allow. */
import assert from 'node:assert/strict'
import { before, mock, test } from 'node:test'
import { runJob } from '../../../test/jobs.ts'
import { testPortal } from '../../../test/portal.ts'
import { newSource, SCIM, type TestSource } from '../../../test/scim.ts'
import { tokenOf, withToken } from '../../../test/tokens.ts'

const portal = testPortal()
const SOURCES = '/admin/provisioning/sources'
let source: TestSource
before(async () => {
  await portal.ready
  source = await newSource(portal)
})

test('a new source has the documented defaults, and at most two valid tokens', async () => {
  const { status, body } = await portal.admin.post(SOURCES, { name: 'plain' })
  const { isActive, adoptPeople, adoptGroups, nameLanguage, mayGrantAdmin, invite, userCount, heldAt, baseUrl, refusals } = body
  assert.deepEqual(
    [status, isActive, adoptPeople, adoptGroups, nameLanguage, mayGrantAdmin, invite, userCount, heldAt, refusals],
    [201, false, true, true, 'auto', false, false, 0, null, []],
  )
  assert.equal(baseUrl, 'http://localhost:3000/api/scim/v2')
  const tokens = `${SOURCES}/${body.id}/tokens`
  const made = await portal.admin.post(tokens, { name: 'One', expiresInDays: 1095 })
  assert.match(made.body.token, /^bwi_[0-9A-Za-z]{42}$/)
  assert.equal((await portal.admin.post(tokens, { name: 'Two' })).status, 201)
  const third = await portal.admin.post(tokens, { name: 'Three' })
  assert.deepEqual([third.status, third.body.code, third.body.quota], [409, 'quota_exceeded', 'source_tokens'])
  assert.equal((await portal.admin.send('DELETE', `${tokens}/${made.body.id}`)).status, 204)
  assert.equal((await portal.admin.send('DELETE', `${tokens}/${made.body.id}`)).body.code, 'not_found')
  assert.equal((await portal.admin.post(tokens, { name: 'Long', expiresInDays: 1096 })).status, 400)
})

test('the name of a source is unique among sources and accounts, and there are at most ten sources', async () => {
  assert.equal((await portal.admin.post(SOURCES, { name: source.name })).body.code, 'name_taken')
  await portal.admin.post('/users', { username: 'scim-mine', email: 'mine@example.org', password: 'a long password' })
  assert.equal((await portal.admin.post(SOURCES, { name: 'mine' })).body.code, 'username_taken')
  for (const name of ['', 'Big', 'a b', 'x'.repeat(41)]) assert.equal((await portal.admin.post(SOURCES, { name })).status, 400)
  let last = await portal.admin.post(SOURCES, { name: 'many-0' })
  for (let n = 1; last.status === 201; n++) last = await portal.admin.post(SOURCES, { name: `many-${n}` })
  assert.deepEqual([last.body.code, last.body.quota, last.body.allowed], ['quota_exceeded', 'sources', 10])
  for (const { id, name } of (await portal.admin.get(SOURCES)).body)
    if (name.startsWith('many-')) assert.equal((await portal.admin.send('DELETE', `${SOURCES}/${id}`)).status, 204)
})

test('an unknown source is not found', async () => {
  const path = `${SOURCES}/2147483647`
  for (const [method, at, body] of [
    ['GET', path],
    ['PATCH', path, { invite: true }],
    ['DELETE', path],
    ['POST', `${path}/tokens`, { name: 'x' }],
    ['DELETE', `${path}/tokens/1`],
    ['POST', `${path}/release`, { allow: 1 }],
  ] as const)
    assert.equal((await portal.admin.send(method, at, body && JSON.stringify(body))).body.code, 'not_found', `${method} ${at}`)
})

test('a source’s token opens nothing but SCIM, and no other token opens SCIM', async () => {
  for (const path of ['/users', '/auth/me', '/groups', '/admin/audit-logs', '/service-accounts'])
    assert.equal((await withToken(portal, source.token).get(path)).status, 403, path)
  const person = await tokenOf(portal, portal.admin.id, { scopes: ['admin:write', 'people:read'] })
  const { status, body, headers } = await person.get(`${SCIM}/Users`)
  assert.deepEqual(
    [status, body.status, body.code, headers.get('content-type')],
    [403, '403', 'insufficient_scope', 'application/scim+json; charset=utf-8'],
  )
  assert.equal((await portal.admin.get(`${SCIM}/Users`)).body.code, 'forbidden')
  const stranger = await withToken(portal, 'bwi_nothing').get(`${SCIM}/Users`)
  assert.deepEqual([stranger.status, stranger.headers.get('www-authenticate')], [401, 'Bearer error="invalid_token"'])
  const [account] = await portal.sql<{ id: number }>('select user_id as id from provisioning_sources where id = $1', [source.id])
  assert.equal((await portal.admin.get(`/service-accounts/${account!.id}`)).status, 404)
  assert.equal((await portal.admin.post('/auth/me/tokens', { name: 'x', scopes: ['scim'] })).status, 400)
})

test('calls of a source that is switched off are refused, and its refusals are noted without values', async () => {
  const off = await newSource(portal)
  const { id } = await off.person('off-person@example.org')
  assert.equal((await off.patch(`/Users/${id}`, { op: 'add', path: 'emails[[', value: 'secret' })).body.scimType, 'invalidPath')
  assert.equal((await portal.admin.patch(`${SOURCES}/${off.id}`, { isActive: false })).status, 200)
  for (const [method, path, body] of [
    ['GET', '/Users'],
    ['POST', '/Users', { userName: 'late@example.org' }],
    ['PATCH', `/Users/${id}`, { Operations: [{ op: 'replace', path: 'active', value: false }] }],
    ['DELETE', `/Users/${id}`],
    ['POST', '/Groups', { displayName: 'Late' }],
  ] as const)
    assert.equal((await off.call(method, path, body)).status, 403, `${method} ${path}`)
  const { refusals } = (await portal.admin.get(`${SOURCES}/${off.id}`)).body
  assert.deepEqual(
    refusals.map(({ call, code }: { call: string; code: string }) => `${call} ${code}`),
    [
      'POST /Groups forbidden',
      'DELETE /Users/:id forbidden',
      'PATCH /Users/:id forbidden',
      'POST /Users forbidden',
      'GET /Users forbidden',
      'PATCH /Users/:id validation_failed',
    ],
  )
})

test('an answer is cut off once its source is switched off', async () => {
  const off = await newSource(portal)
  const { id } = await off.person('cut@example.org')
  const group = await off.group('Cut', [id])
  const set = async (isActive: boolean) => assert.equal((await portal.admin.patch(`${SOURCES}/${off.id}`, { isActive })).status, 200)
  const { sessions } = portal.instance
  const authenticate = sessions.authenticateToken.bind(sessions)
  for (const path of ['/Users', '/Groups', `/Groups/${group.id}`]) {
    let asked = 0
    const asking = mock.method(sessions, 'authenticateToken', async (token: string, ip: string) => {
      // The reader is asked for again before the second piece.
      if (++asked === 2) await set(false)
      return authenticate(token, ip)
    })
    await assert.rejects(off.get(path), ({ cause }: { cause?: { code?: string } }) => cause?.code === 'UND_ERR_SOCKET', path)
    asking.mock.restore()
    await set(true)
  }
})

test('a call of a source that is switched off is refused before its content is checked', async () => {
  const off = await newSource(portal)
  const { id } = await off.person('off-body@example.org')
  const group = await off.group('Off')
  await portal.admin.patch(`${SOURCES}/${off.id}`, { isActive: false })
  for (const [method, path] of [
    ['POST', '/Users'],
    ['PUT', `/Users/${id}`],
    ['PATCH', `/Users/${id}`],
    ['POST', '/Users/.search'],
    ['POST', '/Groups'],
    ['PUT', `/Groups/${group.id}`],
    ['PATCH', `/Groups/${group.id}`],
    ['POST', '/Groups/.search'],
  ] as const) {
    const { status } = await off.call(method, path, { Operations: 'x', displayName: [], userName: [], count: 'x' })
    assert.equal(status, 403, `${method} ${path}`)
  }
})

test('nobody but the source activates a person whom the source has deactivated', async () => {
  const own = await newSource(portal)
  const set = async (id: string, isActive: boolean) => {
    const { status, body } = await portal.admin.patch(`/users/${id}`, { isActive })
    return status === 200 ? 'done' : body.code
  }
  const off = { op: 'replace', path: 'active', value: 'False' }
  const { id, userName, emails } = await own.person('left@example.org')
  assert.equal(await set(id, false), 'done')
  assert.equal((await own.patch(`/Users/${id}`, { op: 'add', path: 'title', value: 'Clerk' })).status, 200)
  assert.deepEqual([await set(id, true), await set(id, false)], ['done', 'done'])
  const first = await portal.traces(() => own.patch(`/Users/${id}`, off))
  assert.deepEqual(first.audit[0]!.metadata, { changed: { switchedOff: { from: false, to: true } } })
  assert.deepEqual((await portal.traces(() => own.patch(`/Users/${id}`, off))).audit, [])
  assert.equal(await set(id, true), 'managed_elsewhere')
  assert.equal((await own.call('PUT', `/Users/${id}`, { userName, emails, active: true })).status, 200)
  assert.equal(await set(id, false), 'done')
  assert.equal((await own.call('PUT', `/Users/${id}`, { userName, emails, active: false })).status, 200)
  assert.equal(await set(id, true), 'managed_elsewhere')
  const gone = await own.person('back@example.org')
  assert.equal((await own.call('DELETE', `/Users/${gone.id}`)).status, 204)
  assert.equal((await own.person('back@example.org', { active: false })).id, gone.id)
  assert.equal(await set(gone.id, true), 'managed_elsewhere')
})

test('the last call of a source is known after its token is gone', async () => {
  const own = await newSource(portal)
  const [token] = await portal.sql<{ id: number; userId: number }>(
    `update api_tokens set last_used_at = '2026-01-02T03:04:05Z'
     where user_id = (select user_id from provisioning_sources where id = ${own.id}) returning id, user_id as "userId"`,
  )
  assert.equal((await portal.admin.delete(`${SOURCES}/${own.id}/tokens/${token!.id}`)).status, 204)
  await portal.meddle('user', token!.userId, `update sessions set ended_at = now() - interval '2 days' where user_id = ${token!.userId}`)
  await runJob(portal, 'clean_up')
  assert.deepEqual(await portal.sql(`select from api_tokens where id = ${token!.id}`), [])
  assert.equal((await portal.admin.get(`${SOURCES}/${own.id}`)).body.lastCallAt, '2026-01-02T03:04:05.000Z')
  await portal.admin.delete(`${SOURCES}/${own.id}`)
})

test('people and groups are listed by the source that manages them', async () => {
  const own = await newSource(portal)
  const { id } = await own.person('listed@example.org')
  await own.call('DELETE', `/Users/${(await own.person('unlisted@example.org')).id}`)
  const group = await own.group('Listed', [id])
  for (const [path, expected] of [
    ['/users', id],
    ['/groups', group.id],
  ]) {
    const { body, headers } = await portal.admin.get(`${path}?sourceId=${own.id}&limit=5`)
    assert.deepEqual([body.map((one: { id: number }) => one.id), headers.get('x-total-count')], [[Number(expected)], '1'])
  }
  await portal.admin.delete(`${SOURCES}/${own.id}`)
})

test('the people and groups of a deleted source stay as they are, without a source', async () => {
  const gone = await newSource(portal)
  const { id } = await gone.person('orphan@example.org', { active: false })
  const group = await gone.group('Orphans', [id])
  const traces = await portal.traces(async () => {
    assert.equal((await portal.admin.send('DELETE', `${SOURCES}/${gone.id}`)).status, 204)
  })
  assert.deepEqual(
    traces.audit.map(({ action }) => action),
    ['source.delete'],
  )
  assert.equal((await gone.get('/Users')).status, 401)
  assert.deepEqual((await portal.admin.get(`/groups/${group.id}`)).body.userIds, [Number(id)])
  assert.equal((await portal.admin.patch(`/users/${id}`, { isActive: true })).status, 200)
})

test('administrators see which source manages a person or a group, and what the source sent', async () => {
  const own = await newSource(portal)
  const { id, emails } = await own.person('shown@example.org', { externalId: 'E1', title: 'Clerk', active: false })
  const group = await own.group('Shown', [id], { externalId: 'G1' })
  const read = async (path: string) => (await portal.admin.get(`${path}/provisioning`)).body
  const managing = { id: own.id, name: own.name }
  const standing = {
    source: managing,
    userName: 'shown@example.org',
    externalId: 'E1',
    isSwitchedOff: true,
    isUnproven: false,
    hasOlderWays: false,
  }
  assert.deepEqual(await read(`/users/${id}`), { ...standing, attributes: { emails, title: 'Clerk' } })
  assert.deepEqual(await read(`/groups/${group.id}`), { source: managing, externalId: 'G1' })
  await own.call('DELETE', `/Users/${id}`)
  await own.call('DELETE', `/Groups/${group.id}`)
  const nobody = { ...standing, source: null, userName: null, externalId: null, attributes: {}, isSwitchedOff: false }
  assert.deepEqual(await read(`/users/${id}`), nobody)
  for (const path of [`/groups/${group.id}`, '/users/2147483647']) assert.equal((await read(path)).code, 'not_found')
})

test('discovery answers anybody, and unknown URLs are answered in SCIM’s format', async () => {
  const anyone = withToken(portal, 'bwi_wrong')
  const config = (await anyone.get(`${SCIM}/ServiceProviderConfig`)).body
  assert.deepEqual(
    [config.patch.supported, config.bulk.supported, config.filter.maxResults, config.etag.supported],
    [true, false, 500, true],
  )
  assert.deepEqual(
    (await anyone.get(`${SCIM}/ResourceTypes`)).body.Resources.map(({ id }: { id: string }) => id),
    ['User', 'Group'],
  )
  assert.equal((await anyone.get(`${SCIM}/Schemas`)).body.totalResults, 4)
  assert.equal((await anyone.get(`${SCIM}/Schemas/urn:ietf:params:scim:schemas:core:2.0:User`)).body.name, 'User')
  assert.equal((await anyone.get(`${SCIM}/ResourceTypes/Group`)).body.endpoint, '/Groups')
  for (const path of ['/ResourceTypes/Nothing', '/Schemas/urn:nothing'])
    assert.equal((await anyone.get(SCIM + path)).body.code, 'not_found')
  for (const [method, path] of [
    ['POST', '/Bulk'],
    ['GET', '/Me'],
    ['GET', '/Nowhere'],
  ] as const) {
    const { status, body } = await source.call(method, path)
    assert.deepEqual([status, body.code, body.schemas], [404, 'route_not_found', ['urn:ietf:params:scim:api:messages:2.0:Error']])
  }
  const wrong = await source.call('DELETE', '/Users')
  assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET, HEAD, POST'])
})
