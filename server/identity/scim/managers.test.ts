/** The managers whom a source names for its people. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { testPortal } from '../../../test/portal.ts'
import { overlapping } from '../../../test/race.ts'
import { newSource, type TestSource } from '../../../test/scim.ts'

const portal = testPortal()
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
let source: TestSource
before(async () => {
  await portal.ready
  source = await newSource(portal)
})

const named = (manager: unknown) => ({ [ENTERPRISE]: { manager } })
const managerOf = async (id: unknown) => (await portal.admin.get(`/users/${id}/manager`)).body.userId
const patch = (id: unknown, op: string, value?: unknown) =>
  source.call('PATCH', `/Users/${id}`, { Operations: [{ op, path: `${ENTERPRISE}:manager`, ...(value !== undefined && { value }) }] })

test('a source names a manager by the portal’s id, its own id or userName, also before it sends the manager', async () => {
  const chief = await source.person('chief@example.org', { externalId: 'C1' })
  for (const [n, value] of [chief.id, 'C1', 'CHIEF@example.org'].entries()) {
    const { id } = await source.person(`named${n}@example.org`, named({ value }))
    assert.equal(await managerOf(id), Number(chief.id), String(value))
  }
  const early = await source.person('early@example.org', named({ value: 'late@example.org' }))
  assert.equal(await managerOf(early.id), null)
  const late = await source.person('late@example.org')
  assert.equal(await managerOf(early.id), Number(late.id))
  assert.equal((await patch(early.id, 'replace', { value: chief.id })).status, 200)
  assert.equal(await managerOf(early.id), Number(chief.id))
  assert.ok((await patch(early.id, 'remove')).status < 300)
  assert.equal(await managerOf(early.id), null)
})

test('nobody becomes their own manager, and an unknown manager is ignored', async () => {
  const { id } = await source.person('alone@example.org', named({ value: 'alone@example.org' }))
  assert.equal(await managerOf(id), null)
  await patch(id, 'replace', { value: '999999999' })
  assert.equal(await managerOf(id), null)
})

test('while a source names the manager of a person, nobody can set another by hand', async () => {
  const chief = await source.person('boss@example.org')
  const { id } = await source.person('worker@example.org', named({ value: chief.id }))
  const free = await source.person('free@example.org')
  const { status, body } = await portal.admin.put(`/users/${id}/manager`, { userId: portal.admin.id })
  assert.deepEqual([status, body.code, body.source.kind], [409, 'managed_elsewhere', 'source'])
  const items = [id, free.id].map((userId) => ({ userId: Number(userId), managerId: portal.admin.id }))
  assert.deepEqual((await portal.admin.put('/users/managers', { items })).body, { doneIds: [Number(free.id)], failedIds: [Number(id)] })
  assert.equal(await managerOf(id), Number(chief.id))
  await patch(id, 'remove')
  assert.equal((await portal.admin.put(`/users/${id}/manager`, { userId: portal.admin.id })).status, 200)
})

test('a person who comes back loses a manager that the source no longer names, and keeps one set by hand', async () => {
  const chief = await source.person('head@example.org')
  const comeBack = async (id: string, userName: string, more: object = {}) => {
    assert.equal((await source.call('DELETE', `/Users/${id}`)).status, 204)
    assert.equal((await source.person(userName, more)).id, id)
    return managerOf(id)
  }
  const { id } = await source.person('returning@example.org', named({ value: chief.id }))
  assert.equal(await comeBack(id, 'returning@example.org', named({ value: chief.id })), Number(chief.id))
  assert.equal(await comeBack(id, 'returning@example.org'), null)
  assert.equal((await portal.admin.put(`/users/${id}/manager`, { userId: portal.admin.id })).status, 200)
  assert.equal(await comeBack(id, 'returning@example.org'), portal.admin.id)
})

test('a source that takes over an account and names no manager leaves the one that was set by hand', async () => {
  const known = await portal.person('taken.over')
  assert.equal((await portal.admin.put(`/users/${known.id}/manager`, { userId: portal.admin.id })).status, 200)
  assert.equal((await source.person('taken.over@example.org')).id, String(known.id))
  assert.equal(await managerOf(known.id), portal.admin.id)
  assert.equal((await source.call('DELETE', `/Users/${known.id}`)).status, 204)
  const next = await newSource(portal)
  const { id: chief } = await next.person('next.chief@example.org')
  assert.equal((await next.person('taken.over@example.org', named({ value: chief }))).id, String(known.id))
  assert.equal(await managerOf(known.id), Number(chief))
})

test('a manager set by hand while no source managed the person stays, whichever source takes them next', async () => {
  const chief = await source.person('first.chief@example.org')
  const { id } = await source.person('between@example.org', named({ value: chief.id }))
  for (const next of [source, await newSource(portal)]) {
    assert.equal((await source.call('DELETE', `/Users/${id}`)).status, 204)
    assert.equal((await portal.admin.put(`/users/${id}/manager`, { userId: portal.admin.id })).status, 200)
    assert.equal((await next.person('between@example.org')).id, id)
    assert.equal(await managerOf(id), portal.admin.id)
    if (next === source) assert.equal((await patch(id, 'replace', { value: chief.id })).status, 200)
  }
})

for (const first of [0, 1] as const) {
  const word = first === 0 ? 'before' : 'after'
  const userName = (name: string) => `${name}.${word}@example.org`
  const post = (name: string, more: object = {}) => source.call('POST', '/Users', { userName: userName(name), ...more })

  test(`a person and their manager are linked although they are sent at the same time, the person just ${word} the manager`, async () => {
    const both = [() => post('member', named({ value: userName('lead') })), () => post('lead')] as const
    const [member, lead] = await overlapping(first)(portal, [...both])
    assert.deepEqual([member.status, lead.status], [201, 201])
    assert.equal(await managerOf(member.body.id), Number(lead.body.id))
  })

  test(`a person who gets another manager just ${word} the first one is created keeps the other`, async () => {
    const [member, other] = [
      await source.person(userName('moved'), named({ value: userName('early') })),
      await source.person(userName('other')),
    ]
    const both = [() => patch(member.id, 'replace', { value: other.id }), () => post('early')] as const
    const [patched, early] = await overlapping(first)(portal, [...both])
    assert.deepEqual([patched.status, early.status], [200, 201])
    assert.equal(await managerOf(member.id), Number(other.id))
  })
}

test('a manager with the value null is removed', async () => {
  const chief = await source.person('nulled.chief@example.org')
  const { id } = await source.person('nulled@example.org', named({ value: chief.id, displayName: 'Chief' }))
  assert.equal((await patch(id, 'replace', { value: null })).status, 200)
  assert.deepEqual((await source.get(`/Users/${id}`)).body[ENTERPRISE].manager, { displayName: 'Chief' })
  assert.equal(await managerOf(id), null)
})
