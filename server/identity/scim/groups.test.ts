/** Groups whose members a directory manages. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { inDays } from '../../../test/grants.ts'
import { makers } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'
import { newSource, type TestSource } from '../../../test/scim.ts'

const portal = testPortal()
const make = makers(portal)
let source: TestSource
let people: string[]
before(async () => {
  await portal.ready
  source = await newSource(portal)
  people = []
  for (const name of ['one', 'two', 'three']) people.push((await source.person(`${name}@example.org`)).id)
})
const membersOf = async (id: string) => ((await source.get(`/Groups/${id}`)).body.members as { value: string }[]).map(({ value }) => value)

test('members join and leave by each form of patch that directories send', async () => {
  const [one, two, three] = people as [string, string, string]
  const { id } = await source.group('Forms', [one])
  for (const [operation, expected] of [
    [{ op: 'Add', path: 'members', value: [{ value: two, $ref: null, display: 'x' }] }, [one, two]],
    [{ op: 'add', path: 'members', value: [{ value: two }] }, [one, two]],
    [{ op: 'Remove', path: 'members', value: [{ value: one }] }, [two]],
    [{ op: 'remove', path: 'members', value: [] }, [two]],
    [{ op: 'replace', path: 'members', value: [{ value: one }, { value: three }] }, [one, three]],
    [{ op: 'remove', path: `members[value eq "${three}"].value` }, [one]],
    [{ op: 'add', path: 'members', value: [{ value: three }] }, [one, three]],
    [{ op: 'remove', path: `members[value eq "${three}"]` }, [one]],
    [{ op: 'remove', path: 'members', value: [{ value: '2147483647' }, { value: '٧' }] }, [one]],
    [{ op: 'replace', value: { id, displayName: 'Renamed' } }, [one]],
    [{ op: 'remove', path: 'members' }, []],
  ] as const) {
    const { status, text } = await source.patch(`/Groups/${id}`, operation)
    assert.equal(status, 204, text)
    assert.deepEqual(await membersOf(id), expected, JSON.stringify(operation))
  }
  assert.equal((await source.find('displayName eq "renamed"', 'Groups')).body.Resources[0].id, id)
})

test('a path into a member is refused unless it removes the member', async () => {
  const [one, two] = people as [string, string]
  const { id } = await source.group('Paths', [one])
  for (const operation of [
    { op: 'replace', path: `members[value eq "${one}"]`, value: { value: two } },
    { op: 'add', path: `members[value eq "${two}"]`, value: { value: two } },
    { op: 'remove', path: `members[value eq "${one}"].display` },
    { op: 'remove', path: 'members.value' },
    { op: 'replace', path: 'members.display', value: 'x' },
    { op: 'replace', value: { [`members[value eq "${one}"].value`]: two } },
  ]) {
    const { status, body } = await source.patch(`/Groups/${id}`, operation)
    assert.deepEqual([status, body?.scimType], [400, 'invalidPath'], JSON.stringify(operation))
  }
  assert.deepEqual(await membersOf(id), [one])
})

test('a change of members is audited with the ids of the people who joined or left, and a repeated one leaves no trace', async () => {
  const { id } = await source.group('Traced', [people[0]!])
  const one = Number(people[1])
  const traces = await portal.traces(() => source.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: people[1] }] }))
  assert.deepEqual(traces.audit, [{ action: 'group.update', type: 'group', target: Number(id), metadata: { added: [one], removed: [] } }])
  const again = await portal.traces(() => source.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: people[1] }] }))
  assert.deepEqual(again, { audit: [], histories: [], notices: [], events: [] })
  const filter = `id eq "${id}" and members eq "${people[1]}"`
  assert.equal((await source.find(filter, 'Groups')).body.totalResults, 1)
  assert.deepEqual((await source.get(`/Users/${people[1]}`)).body.groups.map(({ value }: { value: string }) => value).includes(id), true)
})

test('an unknown person, a person of another source and a group are refused as members', async () => {
  const { id } = await source.group('Strict')
  const theirs = await (await newSource(portal)).person('theirs@example.org')
  for (const member of [
    { value: '1e9' },
    { value: '0' },
    { value: '٧' },
    { value: theirs.id },
    { value: String(portal.admin.id) },
    { value: id, type: 'Group' },
    { value: people[1], $ref: `http://localhost:3000/api/scim/v2/Groups/${people[1]}` },
  ]) {
    const { status, body } = await source.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: people[0] }, member] })
    assert.deepEqual([status, body.scimType], [400, 'invalidValue'], JSON.stringify(member))
  }
  assert.deepEqual(await membersOf(id), [])
  const other = await source.patch(`/Groups/${id}`, { op: 'replace', value: { id: '1', displayName: 'x' } })
  assert.deepEqual([other.status, other.body.scimType], [400, 'mutability'])
})

test('a source that adopts a group removes the members who are not its people, and the ends of the memberships that stay', async () => {
  const [stranger, staying, from] = [await make.newPerson(), Number(people[0]), inDays(9)]
  const group = await make.newGroup({ userIds: [stranger.id] })
  assert.equal((await portal.admin.post(`/groups/${group.id}/users`, { userId: staying, expiresAt: from })).status, 201)
  const found = (await source.find(`displayName eq "${group.name}"`, 'Groups')).body.Resources[0]
  assert.equal(found.id, String(group.id))
  const traces = await portal.traces(() =>
    source.patch(`/Groups/${found.id}`, { op: 'add', path: 'members', value: [{ value: people[1] }] }),
  )
  assert.deepEqual(traces.audit[0], {
    action: 'group.adopt',
    type: 'group',
    target: group.id,
    metadata: { source: source.name, left: [stranger.id] },
  })
  const moves = traces.audit.filter(({ action }) => action === 'group.member.update').map(({ metadata }) => metadata)
  assert.deepEqual(moves, [{ userId: staying, changed: { expiresAt: { from, to: null } } }])
  assert.deepEqual((await portal.admin.get(`/groups/${group.id}`)).body.memberEnds, [])
  assert.deepEqual(await membersOf(found.id), [people[0], people[1]])
  const byHand = await portal.admin.post(`/groups/${group.id}/users`, { userId: stranger.id })
  assert.deepEqual([byHand.status, byHand.body.code, byHand.body.source.name], [409, 'managed_elsewhere', source.name])
  const admin = await portal.admin.post(`/groups/${group.id}/roles`, {
    roleId: (await make.list('/roles')).find(({ name }) => name === 'admin')!.id,
  })
  assert.deepEqual([admin.status, admin.body.code], [400, 'grants_admin'])
})

test('when a source removes a person, the histories record the end of their memberships', async () => {
  const { id } = await source.person('ending@example.org')
  const [group, expiresAt] = [await source.group('Ending', [id]), inDays(9)]
  // A group that was adopted by an earlier version may still have ends.
  await portal.sql(`begin; alter table memberships disable trigger user;
    update memberships set expires_at = '${expiresAt}' where user_id = ${id} and group_id = ${group.id};
    set constraints all immediate; alter table memberships enable trigger user; commit`)
  const { histories } = await portal.traces(() => source.call('DELETE', `/Users/${id}`))
  assert.deepEqual(
    histories.filter(({ removed }) => removed.length),
    [
      {
        kind: 'user.groups',
        target: Number(id),
        added: [],
        removed: [Number(group.id)],
        ends: [{ id: Number(group.id), from: expiresAt, to: null }],
      },
      {
        kind: 'group.users',
        target: Number(group.id),
        added: [],
        removed: [Number(id)],
        ends: [{ id: Number(id), from: expiresAt, to: null }],
      },
    ],
  )
})

test('a source does not see system groups and groups that give the role admin', async () => {
  const admin = (await make.list('/roles')).find(({ name }) => name === 'admin')!
  const giving = await make.newGroup({ roleIds: [admin.id] })
  for (const name of ['Everyone', giving.name]) {
    assert.equal((await source.find(`displayName eq "${name}"`, 'Groups')).body.totalResults, 0)
    assert.equal((await source.call('POST', '/Groups', { displayName: name })).status, 409)
  }
  assert.equal((await source.get(`/Groups/${giving.id}`)).status, 404)
})

test('a group that a source deletes is removed, but one that gives a role stays without members', async () => {
  const plain = await source.group('Plain', [people[0]!])
  assert.equal((await source.call('DELETE', `/Groups/${plain.id}`)).status, 204)
  assert.equal((await portal.admin.get(`/groups/${plain.id}`)).status, 404)
  const giving = await source.group('Giving', [people[0]!])
  const role = await make.newRole()
  assert.equal((await portal.admin.post(`/groups/${giving.id}/roles`, { roleId: role.id })).status, 201)
  const traces = await portal.traces(() => source.call('DELETE', `/Groups/${giving.id}`))
  assert.deepEqual(
    traces.audit.map(({ action }) => action),
    ['group.release', 'group.update'],
  )
  assert.deepEqual((await portal.admin.get(`/groups/${giving.id}`)).body.userIds, [])
  assert.equal((await source.get(`/Groups/${giving.id}`)).status, 404)
  assert.equal((await source.group('Giving')).id, giving.id)
})

test('a deleted group that stays is found only by its name, and a change by its id adopts it again only if the change names the group', async () => {
  const { id } = await source.group('Forgotten', [people[0]!])
  const role = await make.newRole()
  assert.equal((await portal.admin.post(`/groups/${id}/roles`, { roleId: role.id })).status, 201)
  const forget = async () => {
    assert.equal((await source.call('DELETE', `/Groups/${id}`)).status, 204)
    for (const method of ['GET', 'DELETE']) assert.equal((await source.call(method, `/Groups/${id}`)).status, 404)
    assert.equal((await source.find('displayName eq "Forgotten"', 'Groups')).body.Resources[0]?.id, id)
    assert.deepEqual((await portal.admin.get(`/groups/${id}`)).body.userIds, [])
  }
  const member = [{ value: people[0] }]
  const joining = { op: 'add', path: 'members', value: member }
  const byHand = await make.newPerson()
  for (const [method, body, status] of [
    ['PATCH', { Operations: [joining, { op: 'add', path: 'externalId', value: 'F1' }] }, 204],
    ['PATCH', { Operations: [joining, { op: 'replace', value: { displayName: 'forgotten' } }] }, 204],
    ['PUT', { displayName: 'Forgotten', members: member }, 200],
  ] as const) {
    await forget()
    assert.equal((await portal.admin.post(`/groups/${id}/users`, { userId: byHand.id })).status, 201)
    for (const late of [
      () => source.patch(`/Groups/${id}`, joining),
      () => source.patch(`/Groups/${id}`, { op: 'replace', path: 'displayName', value: 'Remembered' }),
      () => source.call('PUT', `/Groups/${id}`, { displayName: 'Remembered', members: member }),
    ])
      assert.equal((await late()).status, 404)
    assert.deepEqual((await portal.admin.get(`/groups/${id}`)).body.userIds, [byHand.id])
    const { audit } = await portal.traces(async () => assert.equal((await source.call(method, `/Groups/${id}`, body)).status, status))
    assert.equal(audit[0]!.action, 'group.adopt')
    assert.deepEqual(await membersOf(id), [people[0]])
  }
  await forget()
  const other = await newSource(portal)
  assert.equal((await other.find('displayName eq "Forgotten"', 'Groups')).body.Resources[0]?.id, id)
  assert.equal((await source.group('Forgotten', [people[0]!])).id, id)
  assert.deepEqual(await membersOf(id), [people[0]])
})

test('a source sees only its own people in a group that it could adopt', async () => {
  const stranger = await make.newPerson()
  const theirs = await (await newSource(portal)).person('hidden@example.org')
  const { id, name } = await make.newGroup({ userIds: [stranger.id, Number(theirs.id), Number(people[0])] })
  assert.deepEqual(await membersOf(String(id)), [people[0]])
  const [found] = (await source.find(`displayName eq "${name}"`, 'Groups')).body.Resources
  assert.deepEqual(
    found.members.map(({ value }: { value: string }) => value),
    [people[0]],
  )
})

test('a member who has become an exception is neither seen nor moved', async () => {
  const own = await newSource(portal)
  const { id: hidden } = await own.person('guarded@example.org')
  const { id: other } = await own.person('plain@example.org')
  const { id } = await own.group('Guarded', [hidden, other])
  await portal.admin.post(`/users/${hidden}/roles`, { roleName: 'admin' })
  assert.equal((await portal.admin.post(`/users/${hidden}/sign-in-exception`)).status, 200)
  const seen = (condition: string) => own.find(`id eq "${id}" and ${condition}`, 'Groups')
  for (const [condition, total] of [
    [`members eq "${hidden}"`, 0],
    [`members[value eq "${hidden}"]`, 0],
    [`members ne "${hidden}"`, 1],
    [`members.value eq "${other}"`, 1],
  ] as const)
    assert.equal((await seen(condition)).body.totalResults, total, condition)
  const [all, rest] = [[{ value: hidden }, { value: other }], [{ value: other }]]
  for (const [method, body, status] of [
    ['PATCH', { Operations: [{ op: 'remove', path: `members[value eq "${hidden}"]` }] }, 204],
    ['PATCH', { Operations: [{ op: 'remove', path: 'members', value: all }] }, 204],
    ['PATCH', { Operations: [{ op: 'replace', path: 'members', value: all }] }, 204],
    ['PUT', { displayName: 'Guarded', members: rest }, 200],
    ['PUT', { displayName: 'Guarded', members: all }, 200],
    ['PATCH', { Operations: [{ op: 'add', path: 'members', value: all }] }, 400],
  ] as const) {
    assert.equal((await own.call(method, `/Groups/${id}`, body)).status, status, JSON.stringify(body))
    assert.ok((await portal.admin.get(`/groups/${id}`)).body.userIds.includes(Number(hidden)), JSON.stringify(body))
  }
  const { members } = (await own.get(`/Groups/${id}`)).body
  assert.deepEqual(
    members.map(({ value }: { value: string }) => value),
    [other],
  )
  assert.equal((await own.patch(`/Groups/${id}`, { op: 'remove', path: 'members' })).status, 204)
  assert.deepEqual((await portal.admin.get(`/groups/${id}`)).body.userIds, [Number(hidden)])
  assert.equal((await seen('members pr')).body.totalResults, 0)
  const free = await make.newGroup({ userIds: [Number(hidden), Number(other)] })
  assert.equal((await own.patch(`/Groups/${free.id}`, { op: 'replace', path: 'members', value: [] })).status, 204)
  assert.deepEqual((await portal.admin.get(`/groups/${free.id}`)).body.userIds, [Number(hidden)])
})

test('a group is found by the name that was sent, also in another Unicode form or with extra spaces', async () => {
  for (const displayName of ['Equipe\u0301', 'Sales\u200b ', ' Stock\u00a0']) {
    const { id } = await source.group(displayName)
    assert.equal((await source.find(`displayName eq "${displayName}"`, 'Groups')).body.Resources[0]?.id, id, displayName)
    assert.equal((await source.find(`displayName ne "${displayName}" and id eq "${id}"`, 'Groups')).body.totalResults, 0)
  }
  assert.equal((await source.find('displayName co "quipe\u0301"', 'Groups')).body.totalResults, 1)
  const { id } = await make.newGroup({ name: 'Caf\u00e9' })
  assert.equal((await source.find('displayName eq "Cafe\u0301"', 'Groups')).body.Resources[0]?.id, String(id))
})

test('a call can ask for, or exclude, single parts of attributes', async () => {
  const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
  const name = { givenName: 'Huda', familyName: 'Salem' }
  const manager = { value: 'nobody', displayName: 'Nobody' }
  const { id } = await source.person('parts@example.org', { name, [ENTERPRISE]: { manager, department: 'IT' } })
  const group = await source.group('Parts', [id])
  const read = async (query: string, path = `/Users/${id}`) => (await source.get(`${path}?${encodeURI(query)}`)).body
  assert.deepEqual((await read('attributes=name.givenName,name.familyName')).name, name)
  assert.deepEqual((await read('attributes=name,name.familyName')).name, name)
  assert.deepEqual((await read('attributes=emails.type,emails.value')).emails, [{ value: 'parts@example.org', type: 'work' }])
  assert.deepEqual((await read('excludedAttributes=name.familyName')).name, { givenName: 'Huda' })
  assert.deepEqual((await read('excludedAttributes=name.unknown,emails.type,emails.primary')).emails, [{ value: 'parts@example.org' }])
  const rest = { manager: { value: 'nobody' }, department: 'IT' }
  assert.deepEqual((await read(`excludedAttributes=${ENTERPRISE}:manager.displayName`))[ENTERPRISE], rest)
  assert.deepEqual((await read('attributes=members.value', `/Groups/${group.id}`)).members, [{ value: id }])
  const [listed] = (await read(`filter=id eq "${group.id}"&excludedAttributes=members.$ref,members.type`, '/Groups')).Resources
  assert.deepEqual(listed.members, [{ value: id, display: 'Huda Salem' }])
})
