/** What happens to orders when their owners or receivers are deleted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ascending, makers } from '../../test/makers.ts'
import { type OrderRow, orderPortal } from '../../test/orders.ts'
import { type Answer, type Client, testPortal } from '../../test/portal.ts'

const portal = testPortal()
const { holderOf, newPerson } = makers(portal)
const { place, receivers, rowOf, service } = orderPortal(portal)

async function remove(person: Client, force = '') {
  let answer!: Answer
  const { audit, notices, events } = await portal.traces(async () => {
    answer = await portal.admin.delete(`/users/${person.id}${force}`)
  })
  return {
    ...answer,
    audit,
    notices,
    orderEvents: events.filter(({ event }) => event.startsWith('order_')),
    events: events.map(({ event }) => event),
  }
}
const view = ({ id, username }: Client) => ({ id, username, displayNameAr: null, displayNameEn: null, avatarUrl: null })
const incoming = (orderId: number, status: string, assignedTo: number | null, change: string) => ({
  event: 'order_incoming_changed',
  data: { orderId, status, assignedTo, change },
  to: receivers(),
})
const deleted = ({ id, status, user_id, assigned_to }: OrderRow) => [
  { event: 'order_deleted', data: { orderId: id }, to: ascending([...new Set([user_id, assigned_to ?? user_id])]) },
  incoming(id, status, assigned_to, 'deleted'),
]
/** The events of an order that returns to pending. */
async function returned({ id }: OrderRow, owner: Client) {
  const row = (await rowOf(id))!
  const order = {
    id,
    serviceId: service().id,
    userId: owner.id,
    assignedTo: null,
    notes: null,
    status: 'pending',
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    service: service(),
    requester: view(owner),
    assignee: null,
    next: ['cancelled'],
    undoUntil: null,
  }
  return [{ event: 'order_updated', data: { order }, to: [owner.id] }, incoming(id, 'pending', null, 'changed')]
}
const waiting = (owner: Client) => ({ user: owner.id, type: 'order', titleEn: 'Your order is waiting again' })
const audited = (person: Client, action: string, orderCount: number) => [
  {
    action,
    type: 'user',
    target: person.id,
    metadata: { username: person.username, email: `${person.username}@example.org`, noteCount: 0, orderCount },
  },
]

test('the orders a deleted receiver was working on return to pending, and their requesters are told', async () => {
  const [receiver, one, two] = [await holderOf('orders.receive'), await newPerson(), await newPerson()]
  const received = await place({ state: 'received', owner: one, assignee: receiver })
  const preparing = await place({ state: 'preparing', owner: two, assignee: receiver })
  const { status, audit, notices, orderEvents, events } = await remove(receiver)
  assert.deepEqual([status, audit], [204, audited(receiver, 'user.delete', 0)])
  assert.deepEqual(notices, [waiting(one), waiting(two)])
  assert.deepEqual(orderEvents, [...(await returned(received, one)), ...(await returned(preparing, two))])
  assert.deepEqual(events.filter((event) => !event.startsWith('order_')).toSorted(), [
    'notification_created',
    'notification_created',
    'session_ended',
  ])
  for (const order of [received, preparing]) {
    const row = (await rowOf(order.id))!
    assert.deepEqual(row, { ...order, status: 'pending', assigned_to: null, updated_at: row.updated_at })
    assert.ok(row.updated_at > order.updated_at)
  }
})

test('requesters are told in both languages that their order is waiting again', async () => {
  const [receiver, owner] = [await holderOf('orders.receive'), await newPerson()]
  const { id } = await place({ state: 'received', owner, assignee: receiver })
  await remove(receiver)
  const [{ id: _, createdAt, ...notification }] = (await owner.get('/notifications')).body
  assert.deepEqual(notification, {
    userId: owner.id,
    type: 'order',
    titleAr: 'عاد طلبك إلى الانتظار',
    titleEn: 'Your order is waiting again',
    bodyAr: 'لم يعد طلبك لخدمة «قهوة» لدى من استلمه، وهو في انتظار مستلم آخر.',
    bodyEn: 'Your order for “Coffee” is no longer with whoever received it, and is waiting for someone else.',
    relatedType: 'order',
    relatedId: id,
    isRead: false,
  })
})

test('completed and cancelled orders of a deleted receiver lose only their assignee, and nobody is told', async () => {
  const [receiver, owner] = [await holderOf('orders.receive'), await newPerson()]
  const orders: OrderRow[] = []
  for (const state of ['completed', 'cancelled', 'cancelled, late']) orders.push(await place({ state, owner, assignee: receiver }))
  const { status, notices, events } = await remove(receiver)
  assert.deepEqual([status, notices, events], [204, [], ['session_ended']])
  assert.deepEqual(
    await Promise.all(orders.map(({ id }) => rowOf(id))),
    orders.map((order) => ({ ...order, assigned_to: null })),
  )
})

test('a cancelled order whose receiver is deleted can be restored to pending only', async () => {
  const [receiver, owner] = [await holderOf('orders.receive'), await newPerson()]
  const { id } = await place({ state: 'cancelled', owner, assignee: receiver })
  await remove(receiver)
  assert.deepEqual((await owner.get('/orders/my')).body[0].next, ['pending'])
  assert.equal((await owner.patch(`/orders/${id}/status`, { status: 'received' })).body.code, 'invalid_transition')
  const { status, body } = await owner.patch(`/orders/${id}/status`, { status: 'pending' })
  assert.deepEqual([status, body.status, body.assignedTo], [200, 'pending', null])
  assert.equal((await portal.admin.patch(`/orders/${id}/confirm-receipt`)).status, 200)
})

test('someone with orders is not deleted without force, and nothing changes', async () => {
  const owner = await newPerson()
  const orders: OrderRow[] = []
  for (const state of ['pending', 'completed, unassigned', 'cancelled, unassigned, late']) orders.push(await place({ state, owner }))
  const { status, body, audit, notices, events } = await remove(owner, '?force=false')
  assert.deepEqual([status, body.code, body.noteCount, body.orderCount], [409, 'has_dependents', 0, 3])
  assert.deepEqual([audit, notices, events], [[], [], []])
  assert.deepEqual(await Promise.all(orders.map(({ id }) => rowOf(id))), orders)
  assert.equal((await owner.get('/auth/me')).status, 200)
})

test('a forced deletion deletes their orders, and owner, assignees and receivers are told', async () => {
  const [owner, receiver] = [await newPerson(), await newPerson()]
  const orders: OrderRow[] = []
  for (const state of ['pending', 'received', 'preparing', 'completed', 'cancelled', 'cancelled, unassigned'])
    orders.push(await place({ state, owner, assignee: receiver }))
  const { status, audit, notices, orderEvents, events } = await remove(owner, '?force=true')
  assert.deepEqual([status, audit, notices], [204, audited(owner, 'user.force_delete', 6), []])
  assert.deepEqual(orderEvents, orders.flatMap(deleted))
  assert.equal(events.length, orderEvents.length + 1)
  assert.deepEqual(await portal.sql('select from orders where user_id = $1', [owner.id]), [])
})

test('a deleted requester who is also a receiver loses their own orders and returns those of others', async () => {
  const [twin, owner] = [await holderOf('orders.receive'), await newPerson()]
  const own = await place({ state: 'received', owner: twin, assignee: twin })
  const theirs = await place({ state: 'preparing', owner, assignee: twin })
  const { status, audit, notices, orderEvents } = await remove(twin, '?force=true')
  assert.deepEqual([status, audit, notices], [204, audited(twin, 'user.force_delete', 1), [waiting(owner)]])
  assert.deepEqual(orderEvents, [...deleted(own), ...(await returned(theirs, owner))])
  assert.equal(await rowOf(own.id), undefined)
})

test('the list of people counts the orders each placed, in any state', async () => {
  const [owner, receiver] = [await newPerson(), await newPerson({ roles: ['order_receiver'] })]
  const counts = async () => {
    const people = (await portal.admin.get('/users')).body as { id: number; orderCount: number }[]
    return [owner, receiver].map(({ id }) => people.find((person) => person.id === id)!.orderCount)
  }
  assert.deepEqual(await counts(), [0, 0])
  for (const state of ['pending', 'received', 'completed', 'cancelled']) await place({ state, owner, assignee: receiver })
  assert.deepEqual(await counts(), [4, 0])
  await owner.delete(`/orders/${(await owner.get('/orders/my')).body[0].id}`)
  assert.deepEqual(await counts(), [3, 0])
})
