/** Deleting a service that has orders. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ascending, makers, serviceNames, servicesChanged, silence } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const MANY = 20_000
const { newPerson, newService } = makers(portal)

const order = async (person: { post: typeof portal.admin.post }, serviceId: number) =>
  (await person.post('/orders', { serviceId })).body.id as number
const ordersOf = (serviceId: number) => portal.sql(`select from orders where service_id = ${serviceId}`)

test('a service with orders is deleted only by force, and the refusal counts them', async () => {
  const { id } = await newService()
  const person = await newPerson()
  await order(person, id)
  await order(person, id)
  for (const query of ['', '?force=false']) {
    const traces = await portal.traces(async () => {
      const { status, body } = await portal.admin.delete(`/services/${id}${query}`)
      const { error, code, messageAr, messageEn, ...counts } = body
      assert.deepEqual([status, code, counts], [409, 'has_dependents', { orderCount: 2 }])
      assert.ok(error && messageAr && messageEn)
    })
    assert.deepEqual(traces, silence)
  }
  assert.equal((await ordersOf(id)).length, 2)
})

test('a forced deletion deletes orders of every status, and sends events to owners, assignees and receivers, and nobody else', async () => {
  const [{ id }, other] = [await newService(), await newService()]
  const [huda, salem] = [await newPerson(), await newPerson()]
  const receiver = await newPerson({ roles: ['order_receiver'] })
  const [pending, claimed, cancelled, own, stored] = [
    await order(huda, id),
    await order(huda, id),
    await order(salem, id),
    await order(receiver, id),
    await order(huda, other.id),
  ]
  for (const claim of [claimed, own]) assert.equal((await receiver.patch(`/orders/${claim}/confirm-receipt`)).status, 200)
  assert.equal((await receiver.patch(`/orders/${claimed}/status`, { status: 'completed' })).status, 200)
  assert.equal((await salem.patch(`/orders/${cancelled}/status`, { status: 'cancelled' })).status, 200)

  const { events, ...traces } = await portal.traces(async () => {
    assert.equal((await portal.admin.delete(`/services/${id}?force=true`)).status, 204)
  })
  const [read, others] = [true, false].map((is) => events.filter(({ event }) => (event === 'notifications_read') === is))
  assert.deepEqual(
    read!.map(({ to }) => to),
    [[portal.admin.id], [huda.id], [receiver.id]],
  )
  const receivers = ascending([portal.admin.id, receiver.id])
  const gone = (orderId: number, status: string, owner: number, assignedTo: number | null) => [
    { event: 'order_deleted', data: { orderId }, to: ascending([...new Set([owner, ...(assignedTo ? [assignedTo] : [])])]) },
    { event: 'order_incoming_changed', data: { orderId, status, assignedTo, change: 'deleted' }, to: receivers },
  ]
  assert.deepEqual(
    { ...traces, events: others },
    {
      ...silence,
      audit: [{ action: 'service.force_delete', type: 'service', target: id, metadata: { ...serviceNames, orderCount: 4 } }],
      events: [
        ...gone(pending, 'pending', huda.id, null),
        ...gone(claimed, 'completed', huda.id, receiver.id),
        ...gone(cancelled, 'cancelled', salem.id, null),
        ...gone(own, 'received', receiver.id, receiver.id),
        servicesChanged,
      ],
    },
  )
  const rows = await portal.sql(`select target_id as id, facts from ledger where kind = 'order.deleted' order by id`)
  assert.deepEqual(rows, [
    { id: pending, facts: { status: 'pending', userId: huda.id, assignedTo: null } },
    { id: claimed, facts: { status: 'completed', userId: huda.id, assignedTo: receiver.id } },
    { id: cancelled, facts: { status: 'cancelled', userId: salem.id, assignedTo: null } },
    { id: own, facts: { status: 'received', userId: receiver.id, assignedTo: receiver.id } },
  ])
  assert.equal((await portal.admin.get(`/services/${id}`)).status, 404)
  const left = (await huda.get('/orders/my')).body.map((one: { id: number }) => one.id)
  assert.deepEqual(left, [stored])
  assert.deepEqual(await portal.sql(`select from service_order_counts where service_id = ${id}`), [])
})

/** Inserts orders of one service by one person straight into the database. */
const addOrders = (serviceId: number, userId: number, count: number) =>
  portal.sql(`
    begin;
    insert into ledger (kind, target_type, target_id, facts) values ('test.made', 'service', ${serviceId}, '{}');
    insert into orders (service_id, user_id, status) select ${serviceId}, ${userId}, 'completed' from generate_series(1, ${count});
    commit`)

test(`a service with ${MANY} orders is deleted within the statement timeout`, async () => {
  const { id } = await newService()
  await newPerson({ roles: ['order_receiver'] })
  await addOrders(id, portal.admin.id, MANY)
  assert.equal((await portal.admin.delete(`/services/${id}?force=true`)).status, 204)
  assert.deepEqual(await ordersOf(id), [])
  const [sent] = await portal.sql<{ count: string }>(
    `select count(*) from events where event in ('order_deleted', 'order_incoming_changed')`,
  )
  assert.ok(Number(sent!.count) >= 2 * MANY)
})
