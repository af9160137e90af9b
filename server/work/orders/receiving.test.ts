/** A person who loses the right to work on orders gives back the orders that they work on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inDays, passDays } from '../../../test/grants.ts'
import { makers, tracing } from '../../../test/makers.ts'
import { orderPortal } from '../../../test/orders.ts'
import { type Answer, type Client, testPortal } from '../../../test/portal.ts'
import { addProgram } from '../../../test/service-accounts.ts'
import { tokenOf } from '../../../test/tokens.ts'

const portal = testPortal()
const { traced } = tracing(portal)
const { holderOf, idsOfPermissions, newGroup, newPerson, newRole, newService, newTeam } = makers(portal)
const { place, rowOf } = orderPortal(portal)

/** A receiver with the right to receive orders by a role of their own. */
async function byRole() {
  const role = await newRole(['orders.receive'])
  return { receiver: await holderOf(role), role, group: await newGroup() }
}
/** A receiver with the right to receive orders only by a role of a group. */
async function byGroup() {
  const [receiver, role] = [await newPerson(), await newRole(['orders.receive'])]
  return { receiver, role, group: await newGroup({ userIds: [receiver.id], roleIds: [role.id] }) }
}
type Setting = Awaited<ReturnType<typeof byRole>>

const remove = (path: string) => portal.admin.delete(path)
const change = (path: string, fields: object) => portal.admin.patch(path, fields)
/** Every way to lose the right to work on orders. */
const losses: [who: string, give: () => Promise<Setting>, lose: (setting: Setting) => Promise<Answer>][] = [
  ['who is deactivated', byRole, ({ receiver }) => change(`/users/${receiver.id}`, { isActive: false })],
  ['who loses the role', byRole, ({ receiver, role }) => remove(`/users/${receiver.id}/roles/${role.name}`)],
  ['whose role gets other permissions', byRole, ({ role }) => portal.admin.put(`/roles/${role.id}/permissions`, { permissionIds: [] })],
  [
    'whose role loses the permission',
    byRole,
    async ({ role }) => remove(`/roles/${role.id}/permissions/${await idsOfPermissions('orders.receive')}`),
  ],
  ['who is taken out of the group', byGroup, ({ receiver, group }) => remove(`/groups/${group.id}/users/${receiver.id}`)],
  ['whose group gets other members', byGroup, ({ group }) => change(`/groups/${group.id}`, { userIds: [] })],
  ['who is given other groups', byGroup, ({ receiver }) => change(`/users/${receiver.id}`, { groupIds: [] })],
  ['whose group loses the role', byGroup, ({ group, role }) => remove(`/groups/${group.id}/roles/${role.id}`)],
  ['whose group gets other roles', byGroup, ({ group }) => change(`/groups/${group.id}`, { roleIds: [] })],
  ['whose group is deleted', byGroup, ({ group }) => remove(`/groups/${group.id}?force=true`)],
]

async function placeEach(owner: Client, receiver: Client) {
  const [received, preparing, completed] = ['received', 'preparing', 'completed'].map((state) => ({ state, owner, assignee: receiver }))
  return [await place(received!), await place(preparing!), await place(completed!)]
}
async function assigneesOf(orders: { id: number }[]) {
  const rows = await Promise.all(orders.map(({ id }) => rowOf(id)))
  return rows.map((row) => [row!.status, row!.assigned_to])
}
const notification = ({ id: user }: Client, titleEn: string) => ({ user, type: 'order', titleEn })

for (const [who, give, lose] of losses)
  test(`a receiver ${who} gives back the orders in work, and everyone involved is notified`, async () => {
    const [setting, owner] = [await give(), await newPerson()]
    const { receiver } = setting
    const orders = await placeEach(owner, receiver)
    const { answer, audit, notices, events } = await traced(() => lose(setting))
    assert.ok(answer.status < 300 && audit.length === 1, answer.text)
    assert.deepEqual(await assigneesOf(orders), [
      ['pending', null],
      ['pending', null],
      ['completed', receiver.id],
    ])
    const one = [notification(owner, 'Your order is waiting again'), notification(receiver, 'An order is no longer yours')]
    assert.deepEqual(notices, [...one, ...one])
    const changes = events.filter(({ event }) => event === 'order_incoming_changed').map(({ data }) => data)
    assert.deepEqual(
      changes,
      orders.slice(0, 2).map(({ id }) => ({ orderId: id, status: 'pending', assignedTo: null, change: 'changed' })),
    )
    assert.deepEqual(
      events.filter(({ event }) => event === 'order_updated').map(({ to }) => to),
      [[owner.id], [owner.id]],
    )
  })

test('a receiver who has the right from two sources keeps their orders when one of the sources is lost', async () => {
  const { receiver, role, group } = await byGroup()
  await portal.admin.post(`/users/${receiver.id}/roles`, { roleName: role.name })
  const { id } = await place({ state: 'preparing', owner: await newPerson(), assignee: receiver })
  const { answer, notices } = await traced(() => remove(`/groups/${group.id}?force=true`))
  assert.deepEqual([answer.status, notices, (await rowOf(id))!.status], [204, [], 'preparing'])
})

test('an assignee whose right has ended is not told of a cancellation, even if no job has taken the order back', async () => {
  const [receiver, kept, owner] = [await newPerson(), await holderOf('orders.receive'), await newPerson()]
  const { name: roleName } = await newRole(['orders.receive'])
  assert.equal((await portal.admin.post(`/users/${receiver.id}/roles`, { roleName, expiresAt: inDays(1) })).status, 200)
  const orders = [await place({ state: 'received', owner, assignee: receiver }), await place({ state: 'received', owner, assignee: kept })]
  await passDays(portal, 2)
  const told = []
  for (const { id } of orders) {
    const { notices } = await traced(() => owner.patch(`/orders/${id}/status`, { status: 'cancelled' }))
    told.push(notices.map(({ user }) => user).filter((user) => user !== owner.id))
  }
  assert.deepEqual(told, [[], [kept.id]])
})

test('a refused change of access leaves everyone’s orders with them', async () => {
  const { receiver, role } = await byRole()
  const { id } = await place({ state: 'received', owner: await newPerson(), assignee: receiver })
  assert.equal((await remove(`/roles/${role.id}`)).body.code, 'has_dependents')
  assert.equal((await rowOf(id))!.assigned_to, receiver.id)
})

test('a cancelled order whose receiver lost the right is restored to pending', async () => {
  const [{ receiver, role }, owner] = [await byRole(), await newPerson()]
  const { id } = await place({ state: 'cancelled', owner, assignee: receiver })
  assert.deepEqual((await owner.get(`/orders/${id}`)).body.next, ['received'])
  await remove(`/users/${receiver.id}/roles/${role.name}`)
  assert.deepEqual((await owner.get(`/orders/${id}`)).body.next, ['pending'])
  assert.equal((await owner.patch(`/orders/${id}/status`, { status: 'received' })).body.code, 'invalid_transition')
  const { status, body } = await owner.patch(`/orders/${id}/status`, { status: 'pending' })
  assert.deepEqual([status, body.status, body.assignedTo], [200, 'pending', null])
})

/** A service account with this role, in these groups, and a client with its token. */
async function newProgram(username: string, role: { name: string }, groupIds: number[] = []) {
  const { id } = await addProgram(portal, username, { roles: [role.name], groupIds })
  return tokenOf(portal, id, { kind: 'service', scopes: ['orders:receive'] })
}
/** Changes the access of somebody else, after which the portal takes back the orders of everybody who has lost the right to them. */
const changeAccess = async () => change(`/users/${(await newPerson()).id}`, { groupIds: [] })

test('a service account keeps the orders that it has claimed until it loses the right to them', async () => {
  const role = await newRole(['orders.receive'])
  const [program, owner] = [await newProgram('kitchen', role), await newPerson()]
  const { id } = await place({ state: 'pending', owner })
  assert.equal((await program.patch(`/orders/${id}/confirm-receipt`)).status, 200)
  await changeAccess()
  assert.deepEqual(await assigneesOf([{ id }]), [['received', program.id]])
  const { answer, notices } = await traced(() => portal.admin.patch(`/service-accounts/${program.id}`, { roleNames: [] }))
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(await assigneesOf([{ id }]), [['pending', null]])
  assert.deepEqual(notices, [notification(owner, 'Your order is waiting again')])
})

test('a deactivated service account gives back its orders in work', async () => {
  const program = await newProgram('printer', await newRole(['orders.receive']))
  const { id } = await place({ state: 'preparing', owner: await newPerson(), assignee: program })
  assert.equal((await portal.admin.patch(`/service-accounts/${program.id}`, { isActive: false })).status, 200)
  assert.deepEqual(await assigneesOf([{ id }]), [['pending', null]])
})

test('a service account keeps the orders of a team while it is in a group of the team', async () => {
  const group = await newGroup()
  const [team, { id: serviceId }] = [await newTeam({ groupIds: [group.id] }), await newService()]
  await portal.admin.put(`/services/${serviceId}/handling`, { teamId: team.id })
  const program = await newProgram('scanner', await newRole(['orders.receive']), [group.id])
  const { id } = await place({ state: 'received', owner: await newPerson(), assignee: program, serviceId })
  await changeAccess()
  assert.deepEqual(await assigneesOf([{ id }]), [['received', program.id]])
  await change(`/groups/${group.id}`, { members: { remove: [program.id] } })
  assert.deepEqual(await assigneesOf([{ id }]), [['pending', null]])
})

test('a restored or reopened order goes back to the service account that had it, if the account still receives orders', async () => {
  const [program, owner, { id: serviceId }] = [
    await newProgram('courier', await newRole(['orders.receive'])),
    await newPerson(),
    await newService(),
  ]
  const cancelled = await place({ state: 'cancelled', owner, assignee: program })
  assert.deepEqual((await owner.get(`/orders/${cancelled.id}`)).body.next, ['received'])
  await portal.admin.put(`/services/${serviceId}/handling`, { reopenDays: 7 })
  const { id } = await place({ state: 'received', owner, assignee: program, serviceId })
  assert.equal((await program.patch(`/orders/${id}/status`, { status: 'completed' })).status, 200)
  const { status, body, text } = await owner.post(`/orders/${id}/reopen`, { text: 'It is cold.' })
  assert.deepEqual([status, body.status, body.assignedTo], [200, 'received', program.id], text)
})
