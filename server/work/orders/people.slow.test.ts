/** Orders whose owners or receivers are deleted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers, tracing } from '../../../test/makers.ts'
import { type OrderRow, orderPortal } from '../../../test/orders.ts'
import { type Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { traced } = tracing(portal)
const { holderOf, newPerson } = makers(portal)
const { place, rowOf, sentOf, incomingChanged, deletionOf } = orderPortal(portal)

/** Deletes a person; returns the traces, with the events of orders in full and only the names of other events. */
async function remove(person: Client, query = '') {
  const { answer, audit, notices, events } = await traced(() => portal.admin.delete(`/users/${person.id}${query}`))
  const ofOrders = events.filter(({ event }) => event.startsWith('order_'))
  const others = events.filter((one) => !ofOrders.includes(one)).map(({ event }) => event)
  return { ...answer, audit, notices, ofOrders, others: others.toSorted() }
}
async function placeEach(states: string[], owner: Client, assignee?: Client) {
  const orders: OrderRow[] = []
  for (const state of states) orders.push(await place({ state, owner, assignee }))
  return orders
}
const rowsOf = (orders: OrderRow[]) => Promise.all(orders.map(({ id }) => rowOf(id)))

/** The events of an order that returned to pending. */
async function returnOf({ id }: OrderRow, owner: Client) {
  const row = (await rowOf(id))!
  const order = { ...sentOf(row, owner), status: 'pending', assignedTo: null, next: ['cancelled'], undoUntil: null }
  return [{ event: 'order_updated', data: { order }, to: [owner.id] }, incomingChanged(row, 'changed')]
}
const waiting = (owner: Client) => ({ user: owner.id, type: 'order', titleEn: 'Your order is waiting again' })
const audited = ({ id: target, username }: Client, action: string, orderCount: number) => [
  { action, type: 'user', target, metadata: { username, email: `${username}@example.org`, noteCount: 0, orderCount } },
]

test('the orders of a deleted receiver return to pending, and their requesters are notified', async () => {
  const [receiver, one, two] = [await holderOf('orders.receive'), await newPerson(), await newPerson()]
  const [received] = await placeEach(['received'], one, receiver)
  const [preparing] = await placeEach(['preparing'], two, receiver)
  const { status, audit, notices, ofOrders, others } = await remove(receiver)
  assert.deepEqual([status, audit], [204, audited(receiver, 'user.delete', 0)])
  assert.deepEqual(notices, [waiting(one), waiting(two)])
  assert.deepEqual(ofOrders, [...(await returnOf(received!, one)), ...(await returnOf(preparing!, two))])
  assert.deepEqual(others, ['notification_created', 'notification_created', 'session_ended'])
})

test('an order that returns to pending changes only its status, assignee and time', async () => {
  const [receiver, owner] = [await holderOf('orders.receive'), await newPerson()]
  const orders = await placeEach(['received', 'preparing'], owner, receiver)
  await remove(receiver)
  for (const order of orders) {
    const row = (await rowOf(order.id))!
    assert.deepEqual(row, { ...order, status: 'pending', assigned_to: null, updated_at: row.updated_at })
    assert.ok(row.updated_at > order.updated_at)
  }
})

test('requesters are notified in both languages that their order is waiting again', async () => {
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
    bodyEn: 'Your order for “Coffee” is no longer with the person who claimed it, and is waiting for someone else.',
    relatedType: 'order',
    relatedId: id,
    joinUrl: null,
    isRead: false,
  })
})

test('completed and cancelled orders of a deleted receiver lose only their assignee, and nobody is notified', async () => {
  const [receiver, owner] = [await holderOf('orders.receive'), await newPerson()]
  const orders = await placeEach(['completed', 'cancelled', 'cancelled, late'], owner, receiver)
  const { status, notices, ofOrders, others } = await remove(receiver)
  assert.deepEqual([status, notices, ofOrders, others], [204, [], [], ['session_ended']])
  assert.deepEqual(
    await rowsOf(orders),
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

test('deleting a requester without force is refused, and nothing changes', async () => {
  const owner = await newPerson()
  const orders = await placeEach(['pending', 'completed, unassigned', 'cancelled, unassigned, late'], owner)
  const { status, body, audit, notices, ofOrders, others } = await remove(owner, '?force=false')
  assert.deepEqual([status, body.code, body.noteCount, body.orderCount], [409, 'has_dependents', 0, 3])
  assert.deepEqual([audit, notices, ofOrders, others], [[], [], [], []])
  assert.deepEqual(await rowsOf(orders), orders)
  assert.equal((await owner.get('/auth/me')).status, 200)
})

test('a forced deletion of a requester deletes their orders, and the requester, the assignees and the receivers get events', async () => {
  const [owner, receiver] = [await newPerson(), await newPerson()]
  const states = ['pending', 'received', 'preparing', 'completed', 'cancelled', 'cancelled, unassigned']
  const orders = await placeEach(states, owner, receiver)
  const { status, audit, notices, ofOrders, others } = await remove(owner, '?force=true')
  assert.deepEqual([status, audit, notices], [204, audited(owner, 'user.force_delete', 6), []])
  assert.deepEqual([ofOrders, others], [orders.flatMap(deletionOf), ['session_ended']])
  assert.deepEqual(await portal.sql('select from orders where user_id = $1', [owner.id]), [])
})

test('deleting a receiver who also orders deletes their own orders and returns those of other people to pending', async () => {
  const [person, owner] = [await holderOf('orders.receive'), await newPerson()]
  const [own] = await placeEach(['received'], person, person)
  const [received] = await placeEach(['preparing'], owner, person)
  const { status, audit, notices, ofOrders } = await remove(person, '?force=true')
  assert.deepEqual([status, audit, notices], [204, audited(person, 'user.force_delete', 1), [waiting(owner)]])
  assert.deepEqual(ofOrders, [...deletionOf(own!), ...(await returnOf(received!, owner))])
  assert.equal(await rowOf(own!.id), undefined)
})

test('the list of people counts the orders that each person placed, in any state', async () => {
  const [owner, receiver] = [await newPerson(), await newPerson({ roles: ['order_receiver'] })]
  const counts = async () => {
    const people = (await portal.admin.get('/users')).body as { id: number; orderCount: number }[]
    return [owner, receiver].map(({ id }) => people.find((person) => person.id === id)!.orderCount)
  }
  assert.deepEqual(await counts(), [0, 0])
  await placeEach(['pending', 'received', 'completed', 'cancelled'], owner, receiver)
  assert.deepEqual(await counts(), [4, 0])
  await owner.delete(`/orders/${(await owner.get('/orders/my')).body[0].id}`)
  assert.deepEqual(await counts(), [3, 0])
})
