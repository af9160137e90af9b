import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ascending, makers, silence } from '../../test/makers.ts'
import { type Answer, type Client, testPortal } from '../../test/portal.ts'

const portal = testPortal()
const { holderOf, newGroup, newPerson, newService, roleNamed } = makers(portal)
const newReceiver = (fields: object = {}) => newPerson({ ...fields, roles: ['order_receiver'] })

/** All receivers when a test begins, since earlier tests leave receivers behind. */
async function receiversNow() {
  const rows = await portal.sql<{ id: number }>(
    `select distinct u.id from users u join effective_roles er on er.user_id = u.id join role_permissions using (role_id)
       join permissions p on p.id = permission_id where u.is_active and p.name = 'orders.receive' order by 1`,
  )
  return rows.map(({ id }) => id)
}
async function place(who: Client, body: unknown) {
  let answer!: Answer
  const traces = await portal.traces(async () => {
    answer = await who.post('/orders', body)
  })
  return { ...answer, traces, told: ascending(traces.notices.map(({ user }) => user)) }
}
/** The notification of each receiver, its event, the event to the requester, and the one about incoming orders. */
function placementTraces(
  order: { id: number; userId: number },
  receivers: number[],
  texts: object,
  traces: Awaited<ReturnType<typeof portal.traces>>,
) {
  const notifications = traces.events
    .slice(0, -2)
    .map(({ data }) => (data as { notification: { id: number; createdAt: string } }).notification)
  return {
    ...silence,
    notices: receivers.map((user) => ({ user, type: 'order', titleEn: 'New order' })),
    events: [
      ...receivers.map((user, n) => ({
        event: 'notification_created',
        data: {
          notification: {
            id: notifications[n]!.id,
            userId: user,
            type: 'order',
            titleAr: 'طلب جديد',
            titleEn: 'New order',
            ...texts,
            relatedType: 'order',
            relatedId: order.id,
            isRead: false,
            createdAt: notifications[n]!.createdAt,
          },
        },
        to: [user],
      })),
      { event: 'order_updated', data: { order }, to: [order.userId] },
      {
        event: 'order_incoming_changed',
        data: { orderId: order.id, status: 'pending', assignedTo: null, change: 'placed' },
        to: receivers,
      },
    ],
  }
}

test('an order is placed, and every receiver is notified once', async () => {
  const [person, service] = [await newPerson({ displayNameAr: 'هدى', displayNameEn: 'Huda' }), await newService()]
  const receivers = await receiversNow()
  const { status, body, traces } = await place(person, { serviceId: service.id, notes: 'No sugar', status: 'completed', assignedTo: 1 })
  assert.equal(status, 201)
  const { id, createdAt, updatedAt, ...rest } = body
  assert.deepEqual(rest, {
    serviceId: service.id,
    userId: person.id,
    assignedTo: null,
    notes: 'No sugar',
    status: 'pending',
    service: { id: service.id, nameAr: 'قهوة', nameEn: 'Coffee', imageUrl: null },
    requester: { id: person.id, username: person.username, displayNameAr: 'هدى', displayNameEn: 'Huda', avatarUrl: null },
    assignee: null,
    next: ['cancelled'],
    undoUntil: null,
  })
  assert.equal(createdAt, updatedAt)
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
  const texts = { bodyAr: 'طلب جديد من هدى لخدمة «قهوة».', bodyEn: 'Huda ordered “Coffee”.' }
  assert.deepEqual(traces, placementTraces(body, receivers, texts, traces))
  assert.deepEqual((await person.get('/orders/my')).body, [body])
})

for (const [names, ar, en] of [
  [{ displayNameAr: 'هدى' }, 'هدى', 'هدى'],
  [{ displayNameEn: 'Huda' }, 'Huda', 'Huda'],
  [{}, '', ''],
] as const)
  test(`an order by someone named ${JSON.stringify(names)} is announced under that name in both languages`, async () => {
    const [person, service] = [await newPerson(names), await newService()]
    await place(person, { serviceId: service.id })
    const { bodyAr, bodyEn } = (await portal.admin.get('/notifications?limit=1')).body[0]
    assert.deepEqual([bodyAr, bodyEn], [`طلب جديد من ${ar || person.username} لخدمة «قهوة».`, `${en || person.username} ordered “Coffee”.`])
  })

test('the requester reads who claimed an order, in both languages', async () => {
  const [person, receiver] = [await newPerson(), await newReceiver({ displayNameEn: 'Salem' })]
  const { body } = await person.post('/orders', { serviceId: (await newService({ nameAr: 'شاي', nameEn: 'Tea' })).id })
  await receiver.patch(`/orders/${body.id}/confirm-receipt`)
  const [{ bodyAr, bodyEn }] = (await person.get('/notifications')).body
  assert.deepEqual([bodyAr, bodyEn], ['أصبح طلبك لخدمة «شاي» لدى Salem.', 'Salem received your order for “Tea”.'])
})

const coffees = '\u{2615}'.repeat(249) + '\u{1F468}'.repeat(251)
for (const [what, notes, stored] of [
  ['absent', undefined, null],
  ['null', null, null],
  ['of 500 letters', 'x'.repeat(500), 'x'.repeat(500)],
  ['of 500 Arabic letters', 'ق'.repeat(500), 'ق'.repeat(500)],
  ['of 500 emoji', coffees, coffees],
  ['of 500 letters between blanks', ` \n${'x'.repeat(500)}\t `, 'x'.repeat(500)],
  ['of 500 letters once they are composed', 'e\u0301'.repeat(500), 'é'.repeat(500)],
  ['of two lines', 'one\r\ntwo\tthree', 'one\ntwo\tthree'],
  ['with control and bidi-override characters', 'a\u0007b\u202Ec\u0085d', 'abcd'],
  ['with marks of direction', 'قهوة\u200F x', 'قهوة\u200F x'],
] as const)
  test(`notes ${what} are stored as people meant them`, async () => {
    const { status, body } = await (await newPerson()).post('/orders', { serviceId: (await newService()).id, notes })
    assert.deepEqual([status, body.notes], [201, stored])
  })

const refused = (path: string) => ({ status: 400, code: 'validation_failed', path })
const unavailable = { status: 400, code: 'service_unavailable', path: undefined }
for (const [what, fields, expected] of [
  ['notes of 501 letters', { notes: 'x'.repeat(501) }, refused('notes')],
  ['notes of 501 Arabic letters', { notes: 'ق'.repeat(501) }, refused('notes')],
  ['notes of 501 emoji', { notes: `${coffees}\u{2615}` }, refused('notes')],
  ['notes that are a number', { notes: 5 }, refused('notes')],
  ['notes that are a list', { notes: ['x'] }, refused('notes')],
  ['notes that are no', { notes: false }, refused('notes')],
  ['service 0', { serviceId: 0 }, refused('serviceId')],
  ['service -1', { serviceId: -1 }, refused('serviceId')],
  ['service 2^31', { serviceId: 2 ** 31 }, refused('serviceId')],
  ['a service in words', { serviceId: '1' }, refused('serviceId')],
  ['a service and a half', { serviceId: 1.5 }, refused('serviceId')],
  ['service null', { serviceId: null }, refused('serviceId')],
  ['no service', { serviceId: undefined }, refused('serviceId')],
  ['an unknown service', { serviceId: 2 ** 31 - 1 }, unavailable],
] as const)
  test(`${what} is refused, and nothing is written`, async () => {
    const [person, service] = [await newPerson(), await newService()]
    await checkNothingPlaced(person, { serviceId: service.id, ...fields }, expected)
  })

async function checkNothingPlaced(who: Client, body: unknown, expected: object) {
  const marks =
    'select (select count(*)::int from orders) as orders, (select max(id)::int from ledger) as changes, (select sum(count)::int from service_order_counts) as counted'
  const before = await portal.sql(marks)
  const { status, body: answer, traces } = await place(who, body)
  assert.deepEqual({ status, code: answer.code, path: answer.details?.[0].path }, expected)
  assert.deepEqual(traces, silence)
  assert.deepEqual(await portal.sql(marks), before)
}

test('an unavailable service cannot be ordered, and can once it is available again', async () => {
  const [person, service] = [await newPerson(), await newService({ isAvailable: false })]
  await checkNothingPlaced(person, { serviceId: service.id }, unavailable)
  await checkNothingPlaced(portal.admin, { serviceId: service.id }, unavailable)
  await portal.admin.patch(`/services/${service.id}`, { isAvailable: true })
  assert.equal((await person.post('/orders', { serviceId: service.id })).status, 201)
})

test('a deleted service cannot be ordered', async () => {
  const { id } = await newService()
  await portal.admin.delete(`/services/${id}`)
  await checkNothingPlaced(portal.admin, { serviceId: id }, unavailable)
})

test('a stranger cannot order, and only a JSON body is an order', async () => {
  const { id: serviceId } = await newService()
  await checkNothingPlaced(portal.stranger(), { serviceId }, { status: 401, code: 'unauthorized', path: undefined })
  for (const body of ['[]', 'null', '7', '{"serviceId":', undefined])
    assert.equal((await (await newPerson()).post('/orders', body)).status, 400, body)
})

test('a receiver through a group is told once, also when a role makes them a receiver as well, and members of other groups are not told', async () => {
  const { id } = await roleNamed('order_receiver')
  const [both, through, person, service] = [await newReceiver(), await newPerson(), await newPerson(), await newService()]
  const before = await receiversNow()
  await newGroup({ userIds: [both.id, through.id], roleIds: [id] })
  await newGroup({ userIds: [(await newPerson()).id], roleIds: [(await roleNamed('executive_viewer')).id] })
  const { told } = await place(person, { serviceId: service.id })
  assert.deepEqual(told, ascending([...before, through.id]))
})

test('a receiver through a custom role is told', async () => {
  const [receiver, service] = [await holderOf('orders.receive'), await newService()]
  const { told, traces } = await place(await newPerson(), { serviceId: service.id })
  assert.ok(told.includes(receiver.id))
  assert.deepEqual(traces.events.at(-1)!.to, told)
})

test('a receiver who orders is told of their own order, and may claim it', async () => {
  const [receiver, service] = [await newReceiver(), await newService()]
  const receivers = await receiversNow()
  const { body, told } = await place(receiver, { serviceId: service.id })
  assert.ok(receivers.includes(receiver.id))
  assert.deepEqual(told, receivers)
  assert.deepEqual(body.next, ['received', 'cancelled'])
})

test('inactive people and former administrators or receivers are not told', async () => {
  const [inactive, former, demoted, staying] = [
    await newReceiver(),
    await newReceiver(),
    await newPerson({ roles: ['admin'] }),
    await newReceiver(),
  ]
  const [person, service] = [await newPerson(), await newService()]
  const before = await receiversNow()
  assert.ok([inactive, former, demoted, staying].every(({ id }) => before.includes(id)))
  await portal.admin.patch(`/users/${inactive.id}`, { isActive: false })
  await portal.admin.delete(`/users/${former.id}/roles/order_receiver`)
  await portal.admin.delete(`/users/${demoted.id}/roles/admin`)
  const { told, traces } = await place(person, { serviceId: service.id })
  assert.deepEqual(
    [inactive, former, demoted, staying].map(({ id }) => id).filter((id) => told.includes(id)),
    [staying.id],
  )
  assert.deepEqual(traces.events.at(-1)!.to, told)
})

test('receivers and requesters hear of an order on their streams', async () => {
  const [person, receiver, other, service] = [await newPerson(), await newReceiver(), await newPerson(), await newService()]
  const [hers, his, others] = [await person.listen(), await receiver.listen(), await other.listen()]
  const { id } = (await person.post('/orders', { serviceId: service.id })).body
  await his.next('notification_created', ({ notification }) => notification.relatedId === id)
  await his.next('order_incoming_changed', ({ orderId, change }) => orderId === id && change === 'placed')
  const placed = await hers.next('order_updated')
  assert.deepEqual([placed.data.order.id, placed.data.order.status, placed.data.order.next], [id, 'pending', ['cancelled']])
  await receiver.patch(`/orders/${id}/confirm-receipt`)
  const updated = await hers.next('order_updated', ({ order }) => order.status === 'received')
  assert.deepEqual([updated.data.order.id, updated.data.order.assignedTo], [id, receiver.id])
  await receiver.delete(`/orders/${id}`)
  await Promise.all([hers.next('order_deleted', ({ orderId }) => orderId === id), his.next('order_deleted')])
  await portal.admin.patch(`/users/${other.id}`, { groupIds: [] })
  await others.next('me_changed')
  assert.deepEqual(
    [hers.seen('order_incoming_changed'), his.seen('order_updated'), others.events.filter(({ event }) => /order|notification/.test(event))],
    [[], [], []],
  )
})
