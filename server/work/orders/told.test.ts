/** Recipients of a new order's notices, and of the events of orders. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepOf } from '../../../test/approvals.ts'
import { ascending, tracing } from '../../../test/makers.ts'
import type { Answer, Client } from '../../../test/portal.ts'
import { seededPortal } from '../../../test/seed.ts'

const { portal, org, make, order } = seededPortal()
const { traced } = tracing(portal)
const newReceiver = () => make.newPerson({ roles: ['order_receiver'] })

/** The ids of the people notified of an order; asserts that they are the ones whose incoming orders change. */
async function notifiedOf(requester = org.huda) {
  const { notices, events } = await traced(() => requester.post('/orders', { serviceId: org.coffee.id }))
  const notified = ascending(notices.map(({ user }) => user))
  assert.deepEqual(events.at(-1)!.to, notified)
  return notified
}
const and = (notified: number[], ...people: Client[]) => ascending([...notified, ...people.map(({ id }) => id)])

test('receivers and administrators are notified of an order', async () => {
  assert.deepEqual(await notifiedOf(), and([], org.admin, org.salem, org.rana))
})

test('a receiver through a group is notified once, even if they are also a receiver through a role', async () => {
  const before = await notifiedOf()
  const { id: roleId } = await make.roleNamed('order_receiver')
  await make.newGroup({ userIds: [org.salem.id, org.omar.id], roleIds: [roleId] })
  assert.deepEqual(await notifiedOf(), and(before, org.omar))
})

test('members of a group with other roles are not notified', async () => {
  const before = await notifiedOf()
  const { id: roleId } = await make.roleNamed('executive_viewer')
  await make.newGroup({ userIds: [(await make.newPerson()).id], roleIds: [roleId] })
  assert.deepEqual(await notifiedOf(), before)
})

test('a receiver through a custom role is notified', async () => {
  const before = await notifiedOf()
  const receiver = await make.holderOf('orders.receive')
  assert.deepEqual(await notifiedOf(), and(before, receiver))
})

test('a receiver who orders is notified of their own order, and may claim it', async () => {
  const before = await notifiedOf()
  assert.ok(before.includes(org.rana.id))
  assert.deepEqual(await notifiedOf(org.rana), before)
  assert.deepEqual((await org.rana.get('/orders/my')).body[0].next, ['received', 'cancelled'])
})

test('inactive people and former administrators or receivers are not notified', async () => {
  const before = await notifiedOf()
  const [inactive, former, demoted] = [await newReceiver(), await newReceiver(), await make.newPerson({ roles: ['admin'] })]
  assert.deepEqual(await notifiedOf(), and(before, inactive, former, demoted))
  await org.admin.patch(`/users/${inactive.id}`, { isActive: false })
  await org.admin.delete(`/users/${former.id}/roles/order_receiver`)
  await org.admin.delete(`/users/${demoted.id}/roles/admin`)
  assert.deepEqual(await notifiedOf(), before)
})

test('the requester gets events for the placing, the claim and the deletion of an order', async () => {
  const stream = await org.huda.listen()
  const { id } = await order('received')
  const placed = await stream.next('order_updated', ({ order }) => order.id === id)
  assert.deepEqual([placed.data.order.id, placed.data.order.status, placed.data.order.next], [id, 'pending', ['cancelled']])
  const claimed = await stream.next('order_updated', ({ order: { status } }) => status === 'received')
  assert.deepEqual([claimed.data.order.id, claimed.data.order.assignedTo], [id, org.salem.id])
  await org.salem.delete(`/orders/${id}`)
  await stream.next('order_deleted', ({ orderId }) => orderId === id)
  assert.deepEqual(stream.seen('order_incoming_changed'), [])
})

test('a receiver gets events for a new order and for the deletion of one they claimed', async () => {
  const stream = await org.salem.listen()
  const { id } = await order('received')
  await stream.next('notification_created', ({ notification }) => notification.relatedId === id)
  await stream.next('order_incoming_changed', ({ orderId, change }) => orderId === id && change === 'placed')
  await org.salem.delete(`/orders/${id}`)
  await stream.next('order_deleted', ({ orderId }) => orderId === id)
  assert.deepEqual(stream.seen('order_updated'), [])
})

test('nobody else gets events about an order', async () => {
  const stream = await org.faisal.listen()
  const { id } = await order('received')
  await org.salem.delete(`/orders/${id}`)
  await org.admin.patch(`/users/${org.faisal.id}`, { groupIds: [] })
  await stream.next('me_changed')
  assert.deepEqual(
    stream.events.filter(({ event }) => /order|notification/.test(event)),
    [],
  )
})

test('the receivers and the leads of a team get an event when an order leaves it, and those who approved it when it is deleted', async () => {
  const [helpers, others] = [await make.newGroup({ userIds: [org.salem.id] }), await make.newGroup({ userIds: [org.rana.id] })]
  const [team, other] = [
    await make.newTeam({ groupIds: [helpers.id], leadUserIds: [org.noura.id] }),
    await make.newTeam({ groupIds: [others.id], leadUserIds: [org.faisal.id] }),
  ]
  const service = await make.newService()
  await org.admin.put(`/services/${service.id}/handling`, { teamId: team.id, steps: [stepOf({ userIds: [org.maha.id] })] })
  const { id } = (await org.huda.post('/orders', { serviceId: service.id })).body
  await org.maha.post(`/orders/${id}/approve`, {})
  const told = async (act: () => Promise<Answer>, name: string) =>
    (await traced(act)).events.filter(({ event }) => event === name).map(({ to }) => to)
  assert.deepEqual(await told(() => org.salem.post(`/orders/${id}/transfer`, { teamId: other.id }), 'order_details_changed'), [
    and([], org.admin, org.huda, org.maha, org.salem, org.noura, org.rana, org.faisal),
  ])
  assert.deepEqual(await told(() => org.admin.delete(`/orders/${id}`), 'order_deleted'), [
    and([], org.huda, org.maha, org.rana, org.faisal),
  ])
})
