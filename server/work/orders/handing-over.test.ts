/** Receivers release orders, administrators assign them, and assignees are notified of changes to their orders. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers, tracing } from '../../../test/makers.ts'
import { orderPortal } from '../../../test/orders.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { traced, silent } = tracing(portal)
const { holderOf } = makers(portal)
const { placeFor, rowOf, who } = orderPortal(portal)
const UNKNOWN = 2 ** 31 - 1

const release = (name: string, id: number) => who(name).post(`/orders/${id}/release`)
const assign = (id: number, userId: number) => portal.admin.post(`/orders/${id}/assign`, { userId })
const notice = ({ id: user }: { id: number }, titleEn: string) => ({ user, type: 'order', titleEn })

for (const state of ['received', 'preparing'])
  for (const name of ['assignee', 'admin'])
    test(`${name} releases an order ${state}, which another receiver can then claim`, async () => {
      const { id } = await placeFor(state, 'owner')
      const { answer, notices, events } = await traced(() => release(name, id))
      const { status, assignedTo, assignee } = answer.body
      assert.deepEqual([answer.status, status, assignedTo, assignee], [200, 'pending', null, null])
      const ofAssignee = name === 'admin' ? [notice(who('assignee'), 'An order is no longer yours')] : []
      assert.deepEqual(notices, [notice(who('owner'), 'Your order is waiting again'), ...ofAssignee])
      assert.deepEqual(events.at(-1)!.data, { orderId: id, status: 'pending', assignedTo: null, change: 'changed' })
      assert.equal((await who('other receiver').patch(`/orders/${id}/confirm-receipt`)).status, 200)
    })

for (const [state, name, status, code] of [
  ['received', 'owner', 403, 'forbidden'],
  ['received', 'other receiver', 403, 'forbidden'],
  ['received', 'former receiver', 403, 'forbidden'],
  ['pending', 'other receiver', 403, 'forbidden'],
  ['completed', 'assignee', 400, 'invalid_transition'],
  ['cancelled', 'assignee', 400, 'invalid_transition'],
  ['pending', 'admin', 400, 'invalid_transition'],
] as const)
  test(`${name} cannot release an order ${state}`, async () => {
    const order = await placeFor(state, 'owner')
    const answer = await silent(() => release(name, order.id))
    assert.deepEqual([answer.status, answer.body.code, await rowOf(order.id)], [status, code, order])
  })

for (const state of ['pending', 'received', 'preparing'])
  test(`an administrator assigns an order ${state} to a receiver, and everyone involved is notified`, async () => {
    const [{ id }, receiver] = [await placeFor(state, 'owner'), await holderOf('orders.receive')]
    const { answer, notices, events } = await traced(() => assign(id, receiver.id))
    const { status, assignedTo, assignee } = answer.body
    assert.deepEqual([answer.status, status, assignedTo, assignee.id], [200, 'received', receiver.id, receiver.id])
    assert.deepEqual(notices, [
      notice(who('owner'), 'Your order was claimed'),
      ...(state === 'pending' ? [] : [notice(who('assignee'), 'An order is no longer yours')]),
      notice(receiver, 'An order was assigned to you'),
    ])
    const change = state === 'pending' ? 'claimed' : 'changed'
    assert.deepEqual(events.at(-1)!.data, { orderId: id, status: 'received', assignedTo: receiver.id, change })
    assert.equal((await receiver.patch(`/orders/${id}/status`, { status: 'preparing' })).status, 200)
  })

test('assigning an order to its assignee changes nothing', async () => {
  const order = await placeFor('preparing', 'owner')
  const { status, body } = await silent(() => assign(order.id, who('assignee').id))
  assert.deepEqual([status, body.status, await rowOf(order.id)], [200, 'preparing', order])
})

test('an order is assigned to active receivers only', async () => {
  const inactive = await holderOf('orders.receive')
  await portal.admin.patch(`/users/${inactive.id}`, { isActive: false })
  const { id } = await placeFor('pending', 'owner')
  for (const unknown of [UNKNOWN, inactive.id]) {
    const { status, body } = await assign(id, unknown)
    assert.deepEqual([status, body.code, body.unknownIds], [400, 'unknown_ids', [unknown]])
  }
  const { status, body } = await assign(id, who('passer-by').id)
  assert.deepEqual([status, body.code, body.details[0].path], [400, 'validation_failed', 'userId'])
})

test('a completed or cancelled order cannot be assigned', async () => {
  for (const state of ['completed', 'cancelled']) {
    const order = await placeFor(state, 'owner')
    assert.equal((await assign(order.id, who('other receiver').id)).body.code, 'invalid_transition')
    assert.deepEqual(await rowOf(order.id), order)
  }
})

test('only administrators assign orders', async () => {
  const [{ id }, receiver] = [await placeFor('pending', 'owner'), who('assignee')]
  assert.equal((await receiver.post(`/orders/${id}/assign`, { userId: receiver.id })).body.code, 'forbidden')
})

test('an unknown order is neither released nor assigned', async () => {
  assert.equal((await release('admin', UNKNOWN)).body.code, 'not_found')
  assert.equal((await assign(UNKNOWN, who('assignee').id)).body.code, 'not_found')
})

test('a receiver is notified in both languages that the requester cancelled the order, and that it was restored', async () => {
  const { id } = await placeFor('preparing', 'owner')
  await portal.admin.patch(`/orders/${id}/status`, { status: 'cancelled' })
  await who('owner').patch(`/orders/${id}/status`, { status: 'received' })
  await who('owner').patch(`/orders/${id}/status`, { status: 'cancelled' })
  const [cancelled, restored] = (await who('assignee').get('/notifications')).body
  assert.deepEqual([cancelled.titleAr, cancelled.titleEn], ['أُلغي طلب استلمته', 'An order you claimed was cancelled'])
  assert.deepEqual([cancelled.bodyAr, cancelled.bodyEn], ['أُلغي طلب هدى لخدمة «قهوة».', 'The order of Huda for “Coffee” was cancelled.'])
  assert.deepEqual([cancelled.relatedType, cancelled.relatedId, restored.titleEn], ['order', id, 'An order you claimed was restored'])
})

for (const [state, name, messageEn] of [
  ['received', 'assignee', 'You have claimed this order already.'],
  ['preparing', 'other receiver', 'Someone else has claimed this order.'],
  ['cancelled, unassigned', 'other receiver', 'This order was cancelled.'],
  ['completed', 'other receiver', 'This order is complete already.'],
] as const)
  test(`a claim of an order ${state} by the ${name} is refused with the reason why it is too late`, async () => {
    const order = await placeFor(state, 'owner')
    const { status, body } = await who(name).patch(`/orders/${order.id}/confirm-receipt`)
    assert.deepEqual([status, body.error, body.code], [409, 'already_claimed', 'already_claimed'])
    assert.deepEqual([body.status, body.assignedTo, body.messageEn], [order.status, order.assigned_to, messageEn])
    assert.match(body.messageAr, /[\u0600-\u06ff]/)
  })
