/** The refusals of each SCIM call, by SCIM’s codes and by the portal’s. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { testPortal } from '../../../test/portal.ts'
import { newSource, type TestSource } from '../../../test/scim.ts'

const portal = testPortal()
let source: TestSource
before(async () => {
  await portal.ready
  source = await newSource(portal)
})
const UNKNOWN = '2147483647'
const stale = { 'if-match': 'W/"stale"' }

/** Makes each call, and expects the same refusal. */
async function refused(
  of: TestSource,
  expected: readonly unknown[],
  calls: readonly (readonly [method: string, path: string, body?: object, headers?: Record<string, string>])[],
) {
  for (const [method, path, body, headers] of calls) {
    const answer = await of.call(method, path, body, headers)
    assert.deepEqual([answer.status, answer.body.status, answer.body.scimType, answer.body.code], expected, `${method} ${path}`)
  }
}
const patchOf = (path: string, value: unknown) => ({ Operations: [{ op: 'replace', path, value }] })
const off = patchOf('active', false)

test('calls about unknown people and groups, and calls with a stale tag, write nothing', async () => {
  const { id, userName, emails } = await source.person('unknown@example.org')
  const group = await source.group('Unknown')
  const person = { userName, emails }
  await refused(
    source,
    [404, '404', undefined, 'not_found'],
    [
      ['PUT', `/Users/${UNKNOWN}`, person],
      ['PATCH', `/Users/${UNKNOWN}`, off],
      ['DELETE', `/Users/${UNKNOWN}`],
      ['PUT', `/Groups/${UNKNOWN}`, { displayName: 'x' }],
      ['PATCH', `/Groups/${UNKNOWN}`, patchOf('displayName', 'x')],
      ['DELETE', `/Groups/${UNKNOWN}`],
    ],
  )
  await refused(
    source,
    [412, '412', undefined, 'changed_meanwhile'],
    [
      ['PUT', `/Users/${id}`, person, stale],
      ['PATCH', `/Users/${id}`, off, stale],
      ['DELETE', `/Users/${id}`, undefined, stale],
      ['PUT', `/Groups/${group.id}`, { displayName: 'x' }, stale],
      ['PATCH', `/Groups/${group.id}`, patchOf('displayName', 'x'), stale],
      ['DELETE', `/Groups/${group.id}`, undefined, stale],
    ],
  )
  assert.equal((await source.get(`/Users/${id}`)).body.active, true)
  assert.equal((await source.get(`/Groups/${group.id}`)).body.displayName, 'Unknown')
})

test('a required attribute cannot be removed, and a resource cannot be written without it', async () => {
  const { id, emails } = await source.person('required@example.org')
  const group = await source.group('Required')
  const removing = (path: string) => ({ Operations: [{ op: 'Remove', path }] })
  await refused(
    source,
    [400, '400', 'mutability', 'validation_failed'],
    [
      ['PATCH', `/Users/${id}`, removing('userName')],
      ['PATCH', `/Users/${id}`, removing('urn:ietf:params:scim:schemas:core:2.0:User:username')],
      ['PATCH', `/Groups/${group.id}`, removing('displayName')],
    ],
  )
  await refused(
    source,
    [400, '400', 'invalidValue', 'validation_failed'],
    [
      ['PATCH', `/Users/${id}`, patchOf('userName', null)],
      ['PATCH', `/Groups/${group.id}`, patchOf('displayName', '')],
      ['PUT', `/Users/${id}`, { emails }],
      ['PUT', `/Users/${id}`, { userName: null, emails }],
      ['PUT', `/Groups/${group.id}`, { displayName: null }],
      ['POST', '/Users', { emails }],
      ['POST', '/Groups', {}],
    ],
  )
})

test('a filter of schemas, types or the configuration is refused', async () => {
  const paths = [
    'ServiceProviderConfig',
    'ResourceTypes',
    'ResourceTypes/User',
    'Schemas',
    'Schemas/urn:ietf:params:scim:schemas:core:2.0:User',
  ]
  const asking = (query: string) => paths.map((path) => ['GET', `/${path}?${query}`] as const)
  await refused(source, [403, '403', undefined, 'forbidden'], asking('filter=id%20pr'))
  for (const [, path] of asking('filter=')) assert.equal((await source.get(path)).status, 200, path)
})

test('administrators see the person or group that a refused call was about', async () => {
  const own = await newSource(portal)
  const { id } = await own.person('named@example.org')
  const group = await own.group('Named')
  await own.call('PATCH', `/Users/${id}`, off, stale)
  await own.call('DELETE', `/Groups/${group.id}`, undefined, stale)
  await own.call('POST', '/Users', { userName: 'NAMED@example.org' })
  await own.call('PATCH', `/Users/${UNKNOWN}`, off)
  await own.call('POST', '/Users', {})
  const { refusals } = (await portal.admin.get(`/admin/provisioning/sources/${own.id}`)).body
  type Refused = { call: string; user: { id: number; username: string } | null; group: { id: number; name: string } | null }
  assert.deepEqual(
    refusals.map(({ call, user, group }: Refused) => [call, user?.username ?? null, group]),
    [
      ['POST /Users', null, null],
      ['PATCH /Users/:id', null, null],
      ['POST /Users', 'named', null],
      ['DELETE /Groups/:id', null, { id: Number(group.id), name: 'Named' }],
      ['PATCH /Users/:id', 'named', null],
    ],
  )
})

test('names, ids and addresses that are taken are refused', async () => {
  await source.person('first@example.org', { externalId: 'First' })
  const { id, emails } = await source.person('second@example.org')
  await source.group('First', [], { externalId: 'First' })
  const group = await source.group('Second')
  const mine = { userName: 'second@example.org', emails }
  const theirs = [{ value: 'first@example.org' }]
  await refused(
    source,
    [409, '409', 'uniqueness', 'username_taken'],
    [
      ['POST', '/Users', { ...mine, userName: 'FIRST@example.org' }],
      ['PUT', `/Users/${id}`, { ...mine, userName: 'first@example.org' }],
      ['PUT', `/Users/${id}`, { ...mine, externalId: 'First' }],
      ['PATCH', `/Users/${id}`, patchOf('userName', 'First@example.org')],
    ],
  )
  await refused(
    source,
    [409, '409', 'uniqueness', 'email_taken'],
    [
      ['POST', '/Users', { userName: 'third', emails: theirs }],
      ['PUT', `/Users/${id}`, { ...mine, emails: theirs }],
      ['PATCH', `/Users/${id}`, patchOf('emails', theirs)],
    ],
  )
  await refused(
    source,
    [409, '409', 'uniqueness', 'name_taken'],
    [
      ['POST', '/Groups', { displayName: 'Third', externalId: 'First' }],
      ['PUT', `/Groups/${group.id}`, { displayName: 'first' }],
      ['PATCH', `/Groups/${group.id}`, patchOf('displayName', 'First')],
      ['PATCH', `/Groups/${group.id}`, patchOf('externalId', 'First')],
    ],
  )
})

test('no call lets a source that may not make administrators change who is one', async () => {
  const own = await newSource(portal, { mayGrantAdmin: true })
  const { id, userName, emails } = await own.person('chief@example.org', { externalId: 'C1' })
  const { id: other } = await own.person('deputy@example.org')
  const group = await own.group('Chiefs', [id])
  const role = (await portal.admin.get('/roles')).body.find(({ name }: { name: string }) => name === 'admin')
  assert.equal((await portal.admin.post(`/groups/${group.id}/roles`, { roleId: role.id })).status, 201)
  assert.equal((await portal.admin.patch(`/admin/provisioning/sources/${own.id}`, { mayGrantAdmin: false })).status, 200)
  await refused(
    own,
    [409, '409', 'uniqueness', 'grants_admin'],
    [
      ['PUT', `/Groups/${group.id}`, { displayName: 'Chiefs', members: [{ value: other }] }],
      ['PATCH', `/Groups/${group.id}`, patchOf('members', [])],
      ['DELETE', `/Groups/${group.id}`],
      ['PATCH', `/Users/${id}`, off],
      ['PATCH', `/Users/${id}`, patchOf('externalId', 'X1')],
      ['PATCH', `/Users/${id}`, { Operations: [{ op: 'remove', path: 'externalId' }] }],
      ['PUT', `/Users/${id}`, { userName, emails, externalId: 'X1' }],
    ],
  )
  assert.deepEqual((await portal.admin.get(`/groups/${group.id}`)).body.userIds, [Number(id)])
  assert.equal((await own.get(`/Users/${id}`)).body.externalId, 'C1')
})

test('while deactivations are held, every call that would deactivate somebody is refused', async () => {
  const own = await newSource(portal)
  const { id, userName, emails } = await own.person('kept@example.org')
  // The most deactivations that are never held.
  await portal.sql(`insert into source_deactivations (source_id, active_before) select ${own.id}, 20 from generate_series(1, 19)`)
  await portal.admin.post('/users', { username: 'free', email: 'free@example.org', password: 'a long password', displayNameEn: 'Free' })
  await refused(
    own,
    [429, '429', undefined, 'rate_limited'],
    [
      ['PUT', `/Users/${id}`, { userName, emails, active: false }],
      ['PATCH', `/Users/${id}`, off],
      ['DELETE', `/Users/${id}`],
      ['POST', '/Users', { userName: 'free@example.org', active: false }],
    ],
  )
  assert.equal((await own.get(`/Users/${id}`)).body.active, true)
  const changes = await portal.sql(`select from ledger where kind = 'source.held' and target_id = ${own.id}`)
  assert.deepEqual([changes.length, (await portal.admin.get(`/admin/provisioning/sources/${own.id}`)).body.heldCount], [1, 2])
})

test('a hold counts people, however often the directory tries, and what it leaves of a release ends a day later', async () => {
  const own = await newSource(portal)
  const ids = [(await own.person('first.held@example.org')).id, (await own.person('second.held@example.org')).id]
  await portal.sql(`insert into source_deactivations (source_id, active_before) select ${own.id}, 20 from generate_series(1, 19)`)
  const path = `/admin/provisioning/sources/${own.id}`
  const heldCount = async () => (await portal.admin.get(path)).body.heldCount
  const statusOf = async (id: string) => (await own.call('PATCH', `/Users/${id}`, off)).status
  const later = (time: string) =>
    portal.sql(
      `update provisioning_sources set held_at = held_at - $2::interval, held_since = held_since - $2::interval,
         released_at = released_at - $2::interval where id = $1`,
      [own.id, time],
    )
  for (let n = 0; n < 3; n++) for (const id of ids) assert.equal(await statusOf(id), 429)
  assert.equal(await heldCount(), 2)
  assert.equal((await portal.admin.post(`${path}/release`, { allow: 2 })).status, 200)
  assert.equal(await heldCount(), 0)
  await later('25 hours')
  assert.equal(await statusOf(ids[0]!), 429)
  assert.equal(await heldCount(), 1)
  await later('61 minutes')
  assert.deepEqual([await statusOf(ids[1]!), await heldCount()], [429, 1])
  assert.equal((await portal.admin.post(`${path}/release`, { allow: 2 })).status, 200)
  await later('23 hours')
  assert.equal(await statusOf(ids[0]!), 200)
})

test('a group’s tag changes whenever what SCIM shows of the group changes', async () => {
  const { id } = await source.person('leaving@example.org')
  const { id: other } = await source.person('guarded@example.org')
  const group = await source.group('Watched', [id, other])
  let before = (await source.get(`/Groups/${group.id}`)).headers.get('etag')
  const moved = async (what: string) => {
    const { headers, body } = await source.get(`/Groups/${group.id}`)
    assert.notEqual(headers.get('etag'), before, what)
    assert.equal(headers.get('etag'), body.meta.version)
    before = headers.get('etag')
  }
  assert.equal((await portal.admin.patch(`/groups/${group.id}`, { name: 'Watched by hand' })).status, 200)
  await moved('renamed by an administrator')
  assert.equal((await portal.admin.send('DELETE', `/users/${id}?force=true`)).status, 204)
  await moved('a member deleted by an administrator')
  await portal.admin.post(`/users/${other}/roles`, { roleName: 'admin' })
  assert.equal((await portal.admin.post(`/users/${other}/sign-in-exception`)).status, 200)
  await moved('a member made an exception')
  assert.deepEqual((await source.get(`/Groups/${group.id}`)).body.members, [])
  assert.equal((await source.patch(`/Groups/${group.id}`, { op: 'remove', path: 'members', value: [] })).headers.get('etag'), before)
})
