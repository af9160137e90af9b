/** One's own grants, and giving a membership back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asking, bodyOf, refusalOf } from '../../../test/access-requests.ts'
import { inDays, passDays } from '../../../test/grants.ts'
import { accessChangedFor, silence, tracing } from '../../../test/makers.ts'
import { type Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { make, openGroup, setPolicy, ask, approve, membersOf } = asking(portal)
const { traced, silent } = tracing(portal)
const [EVERYONE, UNKNOWN] = [1, 2147483647]
interface Grant {
  kind: string
  id: number
  name: string
  since: string | null
  expiresAt: string | null
  requestId: number | null
  canGiveBack: boolean
  apps: { id: number }[]
}
const grants = async (by: Client, query = '') => (await bodyOf(by.get(`/auth/me/grants${query}`))) as Grant[]
const groupOf = async (by: Client, id: number) => (await grants(by)).find((one) => one.kind === 'group' && one.id === id)

test('a person’s grants are sorted by their ends, and then by name', async () => {
  const [zebra, ant, bee] = [await make.newRole([], 'zebra'), await make.newGroup({ name: 'Ant' }), await make.newGroup({ name: 'Bee' })]
  const person = await make.newPerson({ groupIds: [ant.id] })
  await bodyOf(portal.admin.post(`/groups/${bee.id}/users`, { userId: person.id, expiresAt: inDays(2) }), 201)
  await bodyOf(portal.admin.post(`/users/${person.id}/roles`, { roleName: zebra.name, expiresAt: inDays(1) }))
  const all = await grants(person)
  assert.deepEqual(
    all.map(({ kind, name }) => [kind, name]),
    [
      ['role', 'zebra'],
      ['group', 'Bee'],
      ['group', 'Ant'],
      ['group', 'Everyone'],
      ['role', 'user'],
    ],
  )
  assert.deepEqual(
    all.map(({ expiresAt }) => expiresAt !== null),
    [true, true, false, false, false],
  )
  assert.deepEqual(await grants(person, '?limit=2&offset=1'), all.slice(1, 3))
  const [entry] = (await bodyOf(portal.admin.get(`/users/${person.id}/audit?limit=1`))).entries
  assert.equal(all[0]!.since, entry.createdAt)
  assert.deepEqual((await portal.stranger().get('/auth/me/grants')).status, 401)
})

test('an ended grant is not listed, even before a job has removed it', async () => {
  const [person, group] = [await make.newPerson(), await make.newGroup()]
  await bodyOf(portal.admin.post(`/groups/${group.id}/users`, { userId: person.id, expiresAt: inDays(1) }), 201)
  assert.ok(await groupOf(person, group.id))
  await passDays(portal, 1)
  assert.equal(await groupOf(person, group.id), undefined)
  assert.deepEqual(await refusalOf(person.delete(`/auth/me/groups/${group.id}`)), [404, 'not_found'])
})

test('a grant lists the active apps that it shows, by its own role or a role of its group', async () => {
  const permission = await make.newPermission()
  const role = await make.newRole([permission.name])
  const [byRole, byGroup] = [
    await make.newApp({ permissionIds: [permission.id] }),
    await make.newApp({ permissionIds: [(await make.newPermission()).id] }),
  ]
  const inactive = await make.newApp({ isActive: false })
  const group = await make.newGroup({ roleIds: [role.id], appIds: [byGroup.id, inactive.id] })
  const person = await make.newPerson({ groupIds: [group.id], roles: [role.name] })
  const apps = new Map((await grants(person)).map(({ kind, id, apps }) => [`${kind} ${id}`, apps.map((app) => app.id)]))
  assert.deepEqual(apps.get(`group ${group.id}`), [byRole.id, byGroup.id])
  assert.deepEqual(apps.get(`role ${role.id}`), [byRole.id])
  assert.deepEqual(apps.get(`group ${EVERYONE}`), [])
})

test('a grant names the request it came from, until it is given in another way', async () => {
  const [person, group] = [await make.newPerson(), await openGroup()]
  const requestOf = async () => (await groupOf(person, group.id))?.requestId
  const first = await ask(person, group.id, { days: 2 })
  await bodyOf(approve(portal.admin, first))
  assert.equal(await requestOf(), first)
  const sooner = await ask(person, group.id, { days: 1 })
  await bodyOf(approve(portal.admin, sooner))
  assert.equal(await requestOf(), first)
  const later = await ask(person, group.id, { days: 3 })
  await bodyOf(approve(portal.admin, later))
  assert.equal(await requestOf(), later)
  await bodyOf(portal.admin.post(`/groups/${group.id}/users`, { userId: person.id, expiresAt: inDays(9) }), 201)
  assert.equal(await requestOf(), later)
  await bodyOf(portal.admin.delete(`/groups/${group.id}/users/${person.id}`), 204)
  await bodyOf(portal.admin.post(`/groups/${group.id}/users`, { userId: person.id }), 201)
  assert.equal(await requestOf(), null)
})

test('a member gives their membership back, with the whole trace', async () => {
  const [person, group] = [await make.newPerson(), await openGroup()]
  await bodyOf(approve(portal.admin, await ask(person, group.id)))
  assert.equal((await groupOf(person, group.id))!.canGiveBack, true)
  const { answer, ...traces } = await traced(() => person.delete(`/auth/me/groups/${group.id}`))
  assert.deepEqual([answer.status, answer.text], [204, ''])
  assert.deepEqual(traces, {
    ...silence,
    audit: [{ action: 'group.member.remove', type: 'group', target: group.id, metadata: { userId: person.id, givenBack: true } }],
    histories: [
      { kind: 'group.users', target: group.id, added: [], removed: [person.id] },
      { kind: 'user.groups', target: person.id, added: [], removed: [group.id] },
    ],
    events: accessChangedFor(person.id),
  })
  assert.deepEqual(await membersOf(group.id), [])
  assert.deepEqual(await refusalOf(silent(() => person.delete(`/auth/me/groups/${group.id}`))), [404, 'not_found'])
  const [entry] = (await bodyOf(portal.admin.get(`/groups/${group.id}/audit`))).entries
  assert.equal(entry.actor.id, person.id)
})

test('nobody can give back a membership that they lack, or one of a group that cannot be asked for', async () => {
  const [person, group] = [await make.newPerson(), await openGroup()]
  const closed = await make.newGroup({ userIds: [person.id] })
  const giveBack = (id: number) => refusalOf(silent(() => person.delete(`/auth/me/groups/${id}`)))
  for (const id of [group.id, UNKNOWN]) assert.deepEqual(await giveBack(id), [404, 'not_found'])
  for (const id of [closed.id, EVERYONE]) {
    assert.deepEqual(await giveBack(id), [400, 'not_requestable'])
    assert.equal((await groupOf(person, id))!.canGiveBack, false)
  }
  await setPolicy(closed.id, { requestable: true })
  await bodyOf(person.delete(`/auth/me/groups/${closed.id}`), 204)
})

test('a receiver who gives up the right to receive orders also hands back the orders they work on', async () => {
  const role = await make.newRole(['orders.receive'])
  const [person, group] = [await make.newPerson(), await openGroup({}, { roleIds: [role.id] })]
  await bodyOf(approve(portal.admin, await ask(person, group.id)))
  const service = await make.newService()
  const { id } = await bodyOf(portal.admin.post('/orders', { serviceId: service.id }), 201)
  await bodyOf(person.patch(`/orders/${id}/confirm-receipt`))
  await bodyOf(person.delete(`/auth/me/groups/${group.id}`), 204)
  const { status, assignedTo } = await bodyOf(portal.admin.get(`/orders/${id}`))
  assert.deepEqual([status, assignedTo], ['pending', null])
})
