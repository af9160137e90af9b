import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idsIn, makers } from '../../../test/makers.ts'
import { flow, nextOf, orderPortal } from '../../../test/orders.ts'
import { type Client, testPortal } from '../../../test/portal.ts'
import { uploads } from '../../../test/uploads.ts'

const portal = testPortal()
const { holderOf, newPerson } = makers(portal)
const { place, placeFor, service, who, rowOf } = orderPortal(portal)
const states = Object.keys(flow)

test('people see only their own orders, in every state, newest first', async () => {
  const [person, other] = [await newPerson(), await newPerson()]
  const own: number[] = []
  for (const state of states) {
    own.unshift((await place({ state, owner: person, assignee: other })).id)
    await place({ state, owner: other, assignee: person })
  }
  assert.deepEqual(idsIn(await person.get('/orders/my')), own)
  assert.deepEqual((await (await newPerson()).get('/orders/my')).body, [])
})

test('an order in a list has exactly these fields', async () => {
  const { id } = await placeFor('preparing', 'assignee')
  const row = (await rowOf(id))!
  const nobody = { displayNameAr: null, displayNameEn: null, avatarUrl: null }
  const order = {
    id,
    serviceId: service().id,
    userId: who('owner').id,
    assignedTo: who('assignee').id,
    notes: 'No sugar',
    status: 'preparing',
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    service: { id: service().id, nameAr: 'قهوة', nameEn: 'Coffee', imageUrl: service().imageUrl },
    requester: { ...nobody, id: who('owner').id, username: 'owner', displayNameAr: 'هدى', displayNameEn: 'Huda' },
    assignee: { ...nobody, id: who('assignee').id, username: 'assignee' },
    undoUntil: null,
  }
  assert.deepEqual((await who('owner').get('/orders/my')).body, [{ ...order, next: [] }])
  const incoming = (await who('assignee').get('/orders/incoming')).body
  assert.deepEqual(incoming.at(-1), { ...order, next: ['completed', 'cancelled'] })
})

/** States of orders, the receiver who has claimed each, and whether it is listed as incoming to `receiver`. */
const incomingTo = (receiver: Client, other: Client) =>
  [
    ['pending', other, true],
    ['received', receiver, true],
    ['preparing', receiver, true],
    ['received', other, false],
    ['preparing', other, false],
    ['completed', receiver, false],
    ['completed, unassigned', receiver, false],
    ['cancelled', receiver, false],
    ['cancelled, unassigned', receiver, false],
    ['cancelled, late', receiver, false],
    ['cancelled, unassigned, late', receiver, false],
  ] as const

test('receivers see only the incoming orders that they can claim or are working on, oldest first', async () => {
  const [receiver, other, owner] = [await holderOf('orders.receive'), await holderOf('orders.receive'), await newPerson()]
  const before = idsIn(await receiver.get('/orders/incoming'))
  const expected: number[] = []
  for (const [state, assignee, isThere] of [...incomingTo(receiver, other), ...incomingTo(receiver, other)]) {
    const { id } = await place({ state, owner, assignee })
    if (isThere) expected.push(id)
  }
  assert.deepEqual(idsIn(await receiver.get('/orders/incoming')), [...before, ...expected])
})

test('a receiver’s own order is incoming until someone claims it', async () => {
  const twin = who('owner and receiver')
  const { id } = await place({ state: 'pending', owner: twin })
  const find = async (path: string) => (await twin.get(path)).body.find((order: { id: number }) => order.id === id)
  assert.deepEqual((await find('/orders/incoming')).next, ['received', 'cancelled'])
  await who('other receiver').patch(`/orders/${id}/confirm-receipt`)
  assert.deepEqual([await find('/orders/incoming'), (await find('/orders/my')).next], [undefined, ['cancelled']])
})

test('an administrator sees their claims among the incoming orders, like every receiver', async () => {
  const { id } = await placeFor('pending', 'owner')
  const theirs = await placeFor('received', 'assignee')
  await portal.admin.patch(`/orders/${id}/confirm-receipt`)
  const ids = idsIn(await portal.admin.get('/orders/incoming'))
  assert.deepEqual([ids.includes(id), ids.includes(theirs.id)], [true, false])
})

test('only receivers see incoming orders', async () => {
  for (const [name, status, code] of [
    ['stranger', 401, 'unauthorized'],
    ['passer-by', 403, 'forbidden'],
    ['owner', 403, 'forbidden'],
    ['former receiver', 403, 'forbidden'],
  ] as const) {
    const answer = await who(name).get('/orders/incoming')
    assert.deepEqual([answer.status, answer.body.code], [status, code], name)
  }
  assert.equal((await portal.stranger().get('/orders/my')).status, 401)
})

for (const state of states)
  test(`lists show the next statuses of an order ${state}, and the time until which its cancellation can be undone`, async () => {
    const { id, cancelled_at } = await placeFor(state, 'owner')
    const isOpen = cancelled_at && !state.includes('late')
    const undoUntil = isOpen ? new Date(cancelled_at.getTime() + 15_000).toISOString() : null
    const mine = (await who('owner').get('/orders/my')).body[0]
    assert.deepEqual([mine.id, mine.next, mine.undoUntil], [id, nextOf(state, 'owner'), undoUntil])
    for (const name of ['assignee', 'other receiver', 'admin']) {
      const order = (await who(name).get('/orders/incoming')).body.find((one: { id: number }) => one.id === id)
      const isTheirs = name === 'assignee' && (state === 'received' || state === 'preparing')
      const next = isTheirs
        ? nextOf(state, name)
        : state === 'pending'
          ? ['received', ...(name === 'admin' ? ['cancelled'] : [])]
          : undefined
      assert.deepEqual([order?.next, order?.undoUntil], next ? [next, null] : [undefined, undefined], name)
    }
  })

test('reading empty or full lists leaves no trace', async () => {
  const read = () => Promise.all(['/orders/my', '/orders/incoming'].map((path) => who('assignee').get(path)))
  assert.deepEqual(await portal.traces(read), { audit: [], histories: [], notices: [], events: [] })
})

test('a changed name, picture or service shows in the lists at once', async () => {
  const [person, { id }] = [await newPerson(), service()]
  await place({ state: 'pending', owner: person })
  const avatarUrl = await uploads(portal).picture(person)
  await person.patch('/auth/me/profile', { displayNameEn: 'Nora', avatarUrl })
  await portal.admin.patch(`/services/${id}`, { nameEn: 'Mocha' })
  const [order] = (await person.get('/orders/my')).body
  assert.deepEqual([order.requester.displayNameEn, order.requester.avatarUrl, order.service.nameEn], ['Nora', avatarUrl, 'Mocha'])
})
