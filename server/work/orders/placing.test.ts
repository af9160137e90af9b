/** Placing an order: the stored order, the notices and the refusals. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ascending, silence, tracing } from '../../../test/makers.ts'
import type { Client } from '../../../test/portal.ts'
import { seededPortal } from '../../../test/seed.ts'

const { portal, org, make, order } = seededPortal()
const { traced, silent } = tracing(portal)

const personOf = ({ id, username }: Client, displayNameAr: string, displayNameEn: string) => ({
  id,
  username,
  displayNameAr,
  displayNameEn,
  avatarUrl: null,
})

test('a placed order is pending, unassigned, and listed among the requester’s', async () => {
  const { status, body } = await org.huda.post('/orders', {
    serviceId: org.coffee.id,
    notes: 'No sugar',
    status: 'completed',
    assignedTo: 1,
  })
  const { id, createdAt, updatedAt, ...rest } = body
  assert.deepEqual(
    [status, rest],
    [
      201,
      {
        serviceId: org.coffee.id,
        userId: org.huda.id,
        assignedTo: null,
        notes: 'No sugar',
        status: 'pending',
        service: { id: org.coffee.id, nameAr: 'قهوة', nameEn: 'Coffee', imageUrl: null },
        requester: personOf(org.huda, 'هدى', 'Huda'),
        assignee: null,
        next: ['cancelled'],
        undoUntil: null,
      },
    ],
  )
  assert.equal(createdAt, updatedAt)
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
  assert.deepEqual((await org.huda.get('/orders/my')).body, [{ id, createdAt, updatedAt, ...rest }])
})

test('placing an order notifies every receiver once, and sends the requester an event', async () => {
  const { answer, ...traces } = await traced(() => org.huda.post('/orders', { serviceId: org.coffee.id }))
  const { id } = answer.body
  const receivers = [org.admin, org.salem, org.rana]
  const to = ascending(receivers.map((receiver) => receiver.id))
  const notifications = await Promise.all(receivers.map(async (receiver) => (await receiver.get('/notifications')).body[0]))
  assert.deepEqual(traces, {
    ...silence,
    notices: to.map((user) => ({ user, type: 'order', titleEn: 'New order' })),
    events: [
      ...notifications.map((notification, n) => ({ event: 'notification_created', data: { notification }, to: [to[n]] })),
      { event: 'order_updated', data: { order: answer.body }, to: [org.huda.id] },
      { event: 'order_incoming_changed', data: { orderId: id, status: 'pending', assignedTo: null, change: 'placed' }, to },
    ],
  })
})

test('the notification to a receiver names the requester and the service in both languages', async () => {
  const { id } = await order()
  const [{ id: _, createdAt: _at, ...notification }] = (await org.salem.get('/notifications')).body
  assert.deepEqual(notification, {
    userId: org.salem.id,
    type: 'order',
    titleAr: 'طلب جديد',
    titleEn: 'New order',
    bodyAr: 'طلب جديد من هدى لخدمة «قهوة».',
    bodyEn: 'Huda ordered “Coffee”.',
    relatedType: 'order',
    relatedId: id,
    joinUrl: null,
    isRead: false,
  })
})

for (const [what, names, ar, en] of [
  ['with an Arabic name only', { displayNameAr: 'هدى' }, 'هدى', 'هدى'],
  ['with an English name only', { displayNameEn: 'Huda' }, 'Huda', 'Huda'],
  ['without a name', {}, '', ''],
] as const)
  test(`an order by someone ${what} is announced under that name, or else under their username, in both languages`, async () => {
    const person = await make.newPerson(names)
    await person.post('/orders', { serviceId: org.coffee.id })
    const { bodyAr, bodyEn } = (await org.admin.get('/notifications?limit=1')).body[0]
    assert.deepEqual([bodyAr, bodyEn], [`طلب جديد من ${ar || person.username} لخدمة «قهوة».`, `${en || person.username} ordered “Coffee”.`])
  })

test('the notification of a claim tells the requester the name of the receiver in both languages', async () => {
  const receiver = await make.newPerson({ displayNameEn: 'Sami', roles: ['order_receiver'] })
  const { id } = await order('pending', { serviceId: org.tea.id })
  await receiver.patch(`/orders/${id}/confirm-receipt`)
  const [{ bodyAr, bodyEn }] = (await org.huda.get('/notifications')).body
  assert.deepEqual([bodyAr, bodyEn], ['أصبح طلبك لخدمة «شاي» لدى Sami.', 'Sami claimed your order for “Tea”.'])
})

const coffees = '\u{2615}'.repeat(249) + '\u{1F468}'.repeat(251)
for (const [what, notes, stored] of [
  ['that are absent', undefined, null],
  ['that are null', null, null],
  ['of 500 letters', 'x'.repeat(500), 'x'.repeat(500)],
  ['of 500 Arabic letters', 'ق'.repeat(500), 'ق'.repeat(500)],
  ['of 500 emoji', coffees, coffees],
  ['of 500 letters between blanks', ` \n${'x'.repeat(500)}\t `, 'x'.repeat(500)],
  ['of 500 letters once they are composed', 'e\u0301'.repeat(500), 'é'.repeat(500)],
  ['of two lines', 'one\r\ntwo\tthree', 'one\ntwo\tthree'],
  ['with control and bidi-override characters', 'a\u0007b\u202Ec\u0085d', 'abcd'],
  ['with marks of direction', 'قهوة\u200F x', 'قهوة\u200F x'],
] as const)
  test(`notes ${what} are accepted and stored normalised`, async () => {
    const { status, body } = await org.huda.post('/orders', { serviceId: org.coffee.id, notes })
    assert.deepEqual([status, body.notes], [201, stored])
  })

async function assertNothingPlaced(who: Client, body: unknown, expected: { status: number; code: string; path?: string | undefined }) {
  const marks =
    'select (select count(*)::int from orders) as orders, (select max(id)::int from ledger) as changes, (select sum(count)::int from service_order_counts) as counted'
  const before = await portal.sql(marks)
  const { status, body: refusal } = await silent(() => who.post('/orders', body))
  assert.deepEqual({ status, code: refusal.code, path: refusal.details?.[0].path }, { path: undefined, ...expected })
  assert.deepEqual(await portal.sql(marks), before)
}

const invalid = (path: string) => ({ status: 400, code: 'validation_failed', path })
const unavailable = { status: 400, code: 'service_unavailable' }
for (const [what, fields, expected] of [
  ['notes of 501 letters', { notes: 'x'.repeat(501) }, invalid('notes')],
  ['notes of 501 Arabic letters', { notes: 'ق'.repeat(501) }, invalid('notes')],
  ['notes of 501 emoji', { notes: `${coffees}\u{2615}` }, invalid('notes')],
  ['notes that are a number', { notes: 5 }, invalid('notes')],
  ['notes that are a list', { notes: ['x'] }, invalid('notes')],
  ['notes that are a boolean', { notes: false }, invalid('notes')],
  ['service 0', { serviceId: 0 }, invalid('serviceId')],
  ['service -1', { serviceId: -1 }, invalid('serviceId')],
  ['service 2^31', { serviceId: 2 ** 31 }, invalid('serviceId')],
  ['a service id that is a text', { serviceId: '1' }, invalid('serviceId')],
  ['a service id with a fraction', { serviceId: 1.5 }, invalid('serviceId')],
  ['service null', { serviceId: null }, invalid('serviceId')],
  ['no service', { serviceId: undefined }, invalid('serviceId')],
  ['an unknown service', { serviceId: 2 ** 31 - 1 }, unavailable],
] as const)
  test(`an order with ${what} is refused, and nothing is written`, () =>
    assertNothingPlaced(org.huda, { serviceId: org.coffee.id, ...fields }, expected))

test('an unavailable service cannot be ordered, but can be once it is available again', async () => {
  const { id: serviceId } = await make.newService({ isAvailable: false })
  await assertNothingPlaced(org.huda, { serviceId }, unavailable)
  await assertNothingPlaced(org.admin, { serviceId }, unavailable)
  await org.admin.patch(`/services/${serviceId}`, { isAvailable: true })
  assert.equal((await org.huda.post('/orders', { serviceId })).status, 201)
})

test('a deleted service cannot be ordered', async () => {
  const { id: serviceId } = await make.newService()
  await org.admin.delete(`/services/${serviceId}`)
  await assertNothingPlaced(org.admin, { serviceId }, unavailable)
})

test('without a session nobody can order', () =>
  assertNothingPlaced(portal.stranger(), { serviceId: org.coffee.id }, { status: 401, code: 'unauthorized' }))

test('an order must be a JSON object', async () => {
  for (const body of ['[]', 'null', '7', '{"serviceId":', undefined]) assert.equal((await org.huda.post('/orders', body)).status, 400, body)
})
