/** Simultaneous orders are placed in one transaction, and each gets the answer it would get alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { findTorn } from '../../../test/ledger.ts'
import { makers } from '../../../test/makers.ts'
import { type Client, testPortal, until } from '../../../test/portal.ts'

const portal = testPortal()
const { newPerson, newService } = makers(portal)
const MANY = 24

const people = () => Promise.all(Array.from({ length: MANY }, () => newPerson()))
const transactionsOf = async (orderIds: number[]) =>
  (await portal.sql(`select distinct tx from ledger where kind = 'order.placed' and target_id = any($1)`, [orderIds])).length

test('many simultaneous orders share transactions, and each leaves the traces of a single order', async () => {
  const [requesters, service] = [await people(), await newService()]
  const receiver = await newPerson({ roles: ['order_receiver'] })
  const answers = await Promise.all(requesters.map((one, n) => one.post('/orders', { serviceId: service.id, notes: `Order ${n}` })))
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.userId, body.notes, body.requester.id]),
    requesters.map(({ id }, n) => [201, id, `Order ${n}`, id]),
  )
  const ids = answers.map(({ body }) => body.id)
  assert.ok((await transactionsOf(ids)) < MANY)
  assert.deepEqual(await findTorn(portal.sql), [])
  const notified = await portal.sql(`select related_id as id from notifications where user_id = $1 order by related_id`, [receiver.id])
  assert.deepEqual(
    notified.map(({ id }) => id),
    ids.toSorted((a, b) => a - b),
  )
})

test('a refused order does not affect the orders in its transaction', async () => {
  const [requesters, service, closed] = [await people(), await newService(), await newService({ isAvailable: false })]
  const wanted = [service.id, closed.id, 999_999]
  const answers = await Promise.all(requesters.map((one, n) => one.post('/orders', { serviceId: wanted[n % 3]! })))
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.code]),
    requesters.map((_, n) => (n % 3 === 0 ? [201, undefined] : [400, 'service_unavailable'])),
  )
})

test('an order waits while another transaction locks its service, and orders of other services do not', async () => {
  const [requesters, service, busy] = [await people(), await newService(), await newService()]
  const client = new pg.Client(portal.connection)
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select from services where id = $1 for update', [busy.id])
    const waiting = requesters[0]!.post('/orders', { serviceId: busy.id })
    await until(
      'it waits',
      async () => (await portal.sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length,
    )
    const answers = await Promise.all(requesters.map((one) => one.post('/orders', { serviceId: service.id })))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
    await client.query('commit')
    assert.equal((await waiting).status, 201)
  } finally {
    await client.end()
  }
})

test('of many simultaneous orders, those of a deactivated person get 401, and all others are placed', async () => {
  const [requesters, service] = [await people(), await newService()]
  const leaving = portal.admin.patch(`/users/${requesters[0]!.id}`, { isActive: false })
  const answers = await Promise.all([...requesters, ...requesters].map((one) => one.post('/orders', { serviceId: service.id })))
  await leaving
  const others = answers.filter((_, n) => n % MANY !== 0)
  assert.deepEqual(new Set(others.map(({ status }) => status)), new Set([201]))
  for (const { status } of answers.filter((_, n) => n % MANY === 0)) assert.ok(status === 201 || status === 401, String(status))
  assert.equal((await requesters[0]!.post('/orders', { serviceId: service.id })).status, 401)
  assert.deepEqual(await findTorn(portal.sql), [])
})

test('many simultaneous claims share transactions; a refused claim does not affect the rest', async () => {
  const [service, owner] = [await newService(), await newPerson()]
  const receivers = await Promise.all(Array.from({ length: MANY }, () => newPerson({ roles: ['order_receiver'] })))
  const ids: number[] = []
  while (ids.length < MANY) ids.push((await owner.post('/orders', { serviceId: service.id })).body.id)
  await receivers[1]!.patch(`/orders/${ids[0]}/confirm-receipt`)
  await portal.admin.delete(`/orders/${ids[1]}`)
  const answers = await Promise.all(receivers.map((one, n) => one.patch(`/orders/${ids[n]}/confirm-receipt`)))
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.code ?? body.assignedTo]),
    receivers.map(({ id }, n) => (n === 0 ? [409, 'already_claimed'] : n === 1 ? [404, 'not_found'] : [200, id])),
  )
  const claims = await portal.sql(`select distinct tx from ledger where kind = 'order.moved' and target_id = any($1)`, [ids.slice(2)])
  assert.ok(claims.length < MANY - 2)
  assert.deepEqual(await findTorn(portal.sql), [])
})

test('orders with an Idempotency-Key share transactions: a repeat gets the same answer, and simultaneous repeats place one order', async () => {
  const [requesters, service] = [await people(), await newService()]
  const keyed = (one: Client, key = `key ${one.id}`) => one.send('POST', '/orders', { serviceId: service.id }, { 'idempotency-key': key })
  const first = await Promise.all(requesters.map((one) => keyed(one)))
  assert.deepEqual(new Set(first.map(({ status }) => status)), new Set([201]))
  assert.ok((await transactionsOf(first.map(({ body }) => body.id))) < MANY)
  const again = await Promise.all(requesters.map((one) => keyed(one)))
  assert.deepEqual(
    again.map(({ status, text }) => [status, text]),
    first.map(({ status, text }) => [status, text]),
  )
  const twice = await Promise.all([...requesters, ...requesters].map((one) => keyed(one, 'another')))
  assert.equal(new Set(twice.map(({ body }) => body.id)).size, MANY)
  const [{ count }] = (await portal.sql<{ count: number }>('select count(*)::int from orders where service_id = $1', [service.id])) as [
    { count: number },
  ]
  assert.equal(count, 2 * MANY)
  assert.deepEqual(await findTorn(portal.sql), [])
})
