/** No order stays with someone who can no longer work on it; and receivers give orders back, or are handed them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers, silence } from '../../test/makers.ts'
import { orderPortal } from '../../test/orders.ts'
import { type Client, testPortal } from '../../test/portal.ts'

const portal = testPortal()
const { holderOf, idsOfPermissions, newGroup, newPerson, newRole } = makers(portal)
const { place, placeFor, rowOf, who } = orderPortal(portal)

interface Scene {
  receiver: Client
  role: { id: number; name: string }
  group: { id: number }
  permissionId: number
}
const own = async (): Promise<Scene> => {
  const [role, group, [permissionId]] = [await newRole(['orders.receive']), await newGroup(), await idsOfPermissions('orders.receive')]
  return { receiver: await holderOf(role), role, group, permissionId: permissionId! }
}
/** The receiver has the role through the group only. */
const grouped = async (): Promise<Scene> => {
  const [role, [permissionId]] = [await newRole(['orders.receive']), await idsOfPermissions('orders.receive')]
  const receiver = await newPerson()
  return { receiver, role, group: await newGroup({ userIds: [receiver.id], roleIds: [role.id] }), permissionId: permissionId! }
}
type Loss = (scene: Scene) => Promise<{ status: number; text: string }>

const admin = () => portal.admin
/** Every way to lose the right to work on orders. */
const losses: [string, () => Promise<Scene>, Loss][] = [
  ['is deactivated', own, ({ receiver }) => admin().patch(`/users/${receiver.id}`, { isActive: false })],
  ['loses the role', own, ({ receiver, role }) => admin().delete(`/users/${receiver.id}/roles/${role.name}`)],
  ['has a role whose permissions are replaced', own, ({ role }) => admin().put(`/roles/${role.id}/permissions`, { permissionIds: [] })],
  [
    'has a role that the permission is taken from',
    own,
    ({ role, permissionId }) => admin().delete(`/roles/${role.id}/permissions/${permissionId}`),
  ],
  ['is taken out of the group', grouped, ({ receiver, group }) => admin().delete(`/groups/${group.id}/users/${receiver.id}`)],
  ['is in a group whose members are replaced', grouped, ({ group }) => admin().patch(`/groups/${group.id}`, { userIds: [] })],
  ['is given other groups', grouped, ({ receiver }) => admin().patch(`/users/${receiver.id}`, { groupIds: [] })],
  ['is in a group that loses the role', grouped, ({ group, role }) => admin().delete(`/groups/${group.id}/roles/${role.id}`)],
  ['is in a group whose roles are replaced', grouped, ({ group }) => admin().patch(`/groups/${group.id}`, { roleIds: [] })],
  ['is in a group that is deleted', grouped, ({ group }) => admin().delete(`/groups/${group.id}?force=true`)],
]

for (const [how, furnish, lose] of losses)
  test(`a receiver who ${how} gives back what they were working on, and all are told`, async () => {
    const [scene, owner] = [await furnish(), await newPerson()]
    const { receiver } = scene
    const received = await place({ state: 'received', owner, assignee: receiver })
    const preparing = await place({ state: 'preparing', owner, assignee: receiver })
    const completed = await place({ state: 'completed', owner, assignee: receiver })
    const { audit, notices, events } = await portal.traces(async () => {
      const { status, text } = await lose(scene)
      assert.ok(status < 300, text)
    })
    assert.equal(audit.length, 1)
    for (const { id } of [received, preparing]) {
      const { status, assigned_to } = (await rowOf(id))!
      assert.deepEqual([status, assigned_to], ['pending', null])
      const told = events.find(({ event, data }) => event === 'order_incoming_changed' && (data as { orderId: number }).orderId === id)
      assert.deepEqual(told!.data, { orderId: id, status: 'pending', assignedTo: null, change: 'changed' })
    }
    assert.equal((await rowOf(completed.id))!.assigned_to, receiver.id)
    const waiting = { user: owner.id, type: 'order', titleEn: 'Your order is waiting again' }
    const taken = { user: receiver.id, type: 'order', titleEn: 'An order is no longer yours' }
    assert.deepEqual(notices, [waiting, taken, waiting, taken])
    assert.deepEqual(
      events.filter(({ event }) => event === 'order_updated').map(({ to }) => to),
      [[owner.id], [owner.id]],
    )
  })

test('whoever keeps the right in another way keeps their orders', async () => {
  const { receiver, role, group } = await grouped()
  await portal.admin.post(`/users/${receiver.id}/roles`, { roleName: role.name })
  const { id } = await place({ state: 'preparing', owner: await newPerson(), assignee: receiver })
  const { notices } = await portal.traces(async () => {
    assert.equal((await portal.admin.delete(`/groups/${group.id}?force=true`)).status, 204)
  })
  assert.deepEqual([notices, (await rowOf(id))!.status], [[], 'preparing'])
})

test('a change of access that is refused leaves everyone’s orders with them', async () => {
  const { receiver, role } = await own()
  const { id } = await place({ state: 'received', owner: await newPerson(), assignee: receiver })
  assert.equal((await portal.admin.delete(`/roles/${role.id}`)).body.code, 'has_dependents')
  assert.equal((await rowOf(id))!.assigned_to, receiver.id)
})

test('a cancelled order whose receiver may receive no longer is restored to pending', async () => {
  const [{ receiver, role }, owner] = [await own(), await newPerson()]
  const { id } = await place({ state: 'cancelled', owner, assignee: receiver })
  assert.deepEqual((await owner.get(`/orders/${id}`)).body.next, ['received'])
  await portal.admin.delete(`/users/${receiver.id}/roles/${role.name}`)
  assert.deepEqual((await owner.get(`/orders/${id}`)).body.next, ['pending'])
  assert.equal((await owner.patch(`/orders/${id}/status`, { status: 'received' })).body.code, 'invalid_transition')
  const { status, body } = await owner.patch(`/orders/${id}/status`, { status: 'pending' })
  assert.deepEqual([status, body.status, body.assignedTo], [200, 'pending', null])
})

for (const state of ['received', 'preparing'])
  for (const name of ['assignee', 'admin'])
    test(`${name} gives back an order ${state}, which another receiver can claim then`, async () => {
      const { id } = await placeFor(state, 'owner')
      const { notices, events } = await portal.traces(async () => {
        const { status, body } = await who(name).post(`/orders/${id}/release`)
        assert.deepEqual([status, body.status, body.assignedTo, body.assignee], [200, 'pending', null, null])
      })
      const taken = { user: who('assignee').id, type: 'order', titleEn: 'An order is no longer yours' }
      const waiting = { user: who('owner').id, type: 'order', titleEn: 'Your order is waiting again' }
      assert.deepEqual(notices, name === 'admin' ? [waiting, taken] : [waiting])
      assert.deepEqual(events.at(-1)!.data, { orderId: id, status: 'pending', assignedTo: null, change: 'changed' })
      assert.equal((await who('other receiver').patch(`/orders/${id}/confirm-receipt`)).status, 200)
    })

test('nobody else gives an order back, and nobody one that is not in work', async () => {
  const cases = [
    ['received', 'owner', 403, 'forbidden'],
    ['received', 'other receiver', 403, 'forbidden'],
    ['received', 'former receiver', 403, 'forbidden'],
    ['pending', 'other receiver', 403, 'forbidden'],
    ['completed', 'assignee', 400, 'invalid_transition'],
    ['cancelled', 'assignee', 400, 'invalid_transition'],
    ['pending', 'admin', 400, 'invalid_transition'],
  ] as const
  for (const [state, name, status, code] of cases) {
    const order = await placeFor(state, 'owner')
    const traces = await portal.traces(async () => {
      const answer = await who(name).post(`/orders/${order.id}/release`)
      assert.deepEqual([answer.status, answer.body.code], [status, code], `${state}, ${name}`)
    })
    assert.deepEqual([traces, await rowOf(order.id)], [silence, order])
  }
  assert.equal((await portal.admin.post('/orders/2147483647/release')).body.code, 'not_found')
})

const assign = (id: number, userId: number) => portal.admin.post(`/orders/${id}/assign`, { userId })

for (const state of ['pending', 'received', 'preparing'])
  test(`an administrator hands an order ${state} to a receiver, and all concerned are told`, async () => {
    const [{ id }, receiver] = [await placeFor(state, 'owner'), await holderOf('orders.receive')]
    const { notices, events } = await portal.traces(async () => {
      const { status, body } = await assign(id, receiver.id)
      assert.deepEqual([status, body.status, body.assignedTo, body.assignee.id], [200, 'received', receiver.id, receiver.id])
    })
    const told = (user: number, titleEn: string) => ({ user, type: 'order', titleEn })
    assert.deepEqual(notices, [
      told(who('owner').id, 'Your order was received'),
      ...(state === 'pending' ? [] : [told(who('assignee').id, 'An order is no longer yours')]),
      told(receiver.id, 'An order was handed to you'),
    ])
    const change = state === 'pending' ? 'claimed' : 'changed'
    assert.deepEqual(events.at(-1)!.data, { orderId: id, status: 'received', assignedTo: receiver.id, change })
    assert.equal((await receiver.patch(`/orders/${id}/status`, { status: 'preparing' })).status, 200)
  })

test('handing an order to whoever has it changes nothing', async () => {
  const order = await placeFor('preparing', 'owner')
  const traces = await portal.traces(async () => {
    const { status, body } = await assign(order.id, who('assignee').id)
    assert.deepEqual([status, body.status], [200, 'preparing'])
  })
  assert.deepEqual([traces, await rowOf(order.id)], [silence, order])
})

test('an order is handed to active receivers only, while there is something left to do', async () => {
  const away = await holderOf('orders.receive')
  await portal.admin.patch(`/users/${away.id}`, { isActive: false })
  const { id } = await placeFor('pending', 'owner')
  for (const unknown of [2147483647, away.id]) {
    const { status, body } = await assign(id, unknown)
    assert.deepEqual([status, body.code, body.unknownIds], [400, 'unknown_ids', [unknown]])
  }
  const { status, body } = await assign(id, who('passer-by').id)
  assert.deepEqual([status, body.code, body.details[0].path], [400, 'validation_failed', 'userId'])
  for (const state of ['completed', 'cancelled']) {
    const done = await placeFor(state, 'owner')
    assert.equal((await assign(done.id, who('other receiver').id)).body.code, 'invalid_transition')
    assert.deepEqual(await rowOf(done.id), done)
  }
  assert.equal((await assign(2147483647, who('assignee').id)).body.code, 'not_found')
  assert.equal((await who('assignee').post(`/orders/${id}/assign`, { userId: who('assignee').id })).body.code, 'forbidden')
})

test('a receiver reads in both languages that the requester cancelled, and that they did so by mistake', async () => {
  const { id } = await placeFor('preparing', 'owner')
  await portal.admin.patch(`/orders/${id}/status`, { status: 'cancelled' })
  await who('owner').patch(`/orders/${id}/status`, { status: 'received' })
  await who('owner').patch(`/orders/${id}/status`, { status: 'cancelled' })
  const [again, resumed] = (await who('assignee').get('/notifications')).body
  assert.deepEqual([again.titleAr, again.titleEn], ['أُلغي طلب استلمته', 'An order you received was cancelled'])
  assert.deepEqual([again.bodyAr, again.bodyEn], ['أُلغي طلب هدى لخدمة «قهوة».', 'The order of Huda for “Coffee” was cancelled.'])
  assert.deepEqual([again.relatedType, again.relatedId, resumed.titleEn], ['order', id, 'An order you received was restored'])
})

test('a late claim is told where the order is, and why it is too late', async () => {
  const cases = [
    ['received', 'assignee', 'You have received this order already.'],
    ['preparing', 'other receiver', 'Someone else has received this order.'],
    ['cancelled, unassigned', 'other receiver', 'This order was cancelled.'],
    ['completed', 'other receiver', 'This order is complete already.'],
  ] as const
  for (const [state, name, messageEn] of cases) {
    const order = await placeFor(state, 'owner')
    const { status, body } = await who(name).patch(`/orders/${order.id}/confirm-receipt`)
    assert.deepEqual([status, body.error, body.code], [409, 'already_claimed', 'already_claimed'])
    assert.deepEqual([body.status, body.assignedTo, body.messageEn], [order.status, order.assigned_to, messageEn])
    assert.match(body.messageAr, /[\u0600-\u06ff]/)
  }
})
