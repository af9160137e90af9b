import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silence, tracing } from '../../../test/makers.ts'
import { flow, type OrderRow, orderPortal } from '../../../test/orders.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { traced } = tracing(portal)
const { place, placeFor, deletionOf, rowOf, who } = orderPortal(portal)
const UNKNOWN = 2 ** 31 - 1

const tracesOf = (deleted: OrderRow[]) => ({ ...silence, events: deleted.flatMap(deletionOf) })
async function bulkDelete(name: string, ids: unknown) {
  const { answer, ...traces } = await traced(() => who(name).post('/orders/bulk-delete', { ids }))
  return { ...answer, traces }
}
const left = async (orders: OrderRow[]) => (await Promise.all(orders.map(({ id }) => rowOf(id)))).filter((row) => row)

for (const name of ['passer-by', 'owner', 'assignee', 'other receiver', 'admin', 'owner and receiver', 'former receiver'])
  test(`a bulk deletion treats each order as a single deletion would: ${name}`, async () => {
    const states = Object.keys(flow).filter((state) => flow[state]![name])
    const verdict = (state: string) => flow[state]![name]!.delete
    const ones = await Promise.all(states.map((state) => placeFor(state, name)))
    const singly: Record<string, string> = {}
    for (const [n, state] of states.entries()) singly[state] = String((await who(name).delete(`/orders/${ones[n]!.id}`)).status)

    const orders: OrderRow[] = []
    for (const state of states) orders.push(await placeFor(state, name))
    const { status, body, traces } = await bulkDelete(
      name,
      orders.map(({ id }) => id),
    )
    const deletable = orders.filter((_, n) => verdict(states[n]!) === 'ok')
    const others = orders.filter((order) => !deletable.includes(order))
    assert.deepEqual([status, body], [200, { deletedIds: deletable.map(({ id }) => id), failedIds: others.map(({ id }) => id) }])
    assert.deepEqual(traces, tracesOf(deletable))
    assert.deepEqual(await left(orders), others)
    assert.deepEqual(singly, Object.fromEntries(states.map((state) => [state, verdict(state) === 'ok' ? '204' : '403'])))
  })

test('a stranger cannot delete in bulk', async () => {
  const order = await placeFor('completed', 'owner')
  const { status, body, traces } = await bulkDelete('stranger', [order.id])
  assert.deepEqual([status, body.code, traces, await left([order])], [401, 'unauthorized', silence, [order]])
})

test('a bulk deletion returns ids in the order of the request, each once, and missing ones as failed', async () => {
  const [first, second, stored] = [
    await placeFor('completed', 'owner'),
    await placeFor('cancelled', 'owner'),
    await placeFor('received', 'owner'),
  ]
  const ids = [UNKNOWN, second.id, stored.id, first.id, second.id, UNKNOWN, stored.id]
  const { body, traces } = await bulkDelete('owner', ids)
  assert.deepEqual(body, { deletedIds: [second.id, first.id], failedIds: [UNKNOWN, stored.id] })
  assert.deepEqual(traces, tracesOf([first, second]))
  assert.deepEqual((await bulkDelete('owner', ids)).body, { deletedIds: [], failedIds: [UNKNOWN, second.id, stored.id, first.id] })
})

test('a bulk deletion that deletes nothing leaves no trace', async () => {
  const order = await placeFor('pending', 'owner')
  const { status, body, traces } = await bulkDelete('owner', [order.id, UNKNOWN])
  assert.deepEqual([status, body, traces], [200, { deletedIds: [], failedIds: [order.id, UNKNOWN] }, silence])
  assert.deepEqual(await left([order]), [order])
})

test('200 orders can be deleted in one call', async () => {
  const orders: OrderRow[] = []
  for (let n = 0; n < 200; n++) orders.push(await place({ state: 'cancelled, unassigned', owner: who('owner') }))
  const ids = orders.map(({ id }) => id)
  const { body, traces } = await bulkDelete('admin', ids)
  assert.deepEqual(body, { deletedIds: ids, failedIds: [] })
  assert.deepEqual(traces, tracesOf(orders))
  assert.deepEqual(await left(orders), [])
})

for (const [what, idsWith, path] of [
  ['no ids', () => [], 'ids'],
  ['201 ids', (id) => [id, ...Array.from({ length: 200 }, (_, n) => id + 1 + n)], 'ids'],
  ['201 times the same id', (id) => Array(201).fill(id), 'ids'],
  ['ids that are a number', (id) => id, 'ids'],
  ['null for ids', () => null, 'ids'],
  ['nothing', () => undefined, 'ids'],
  ['id 0', (id) => [id, 0], 'ids.1'],
  ['id -1', (id) => [id, -1], 'ids.1'],
  ['id 2^31', (id) => [id, 2 ** 31], 'ids.1'],
  ['an id in words', (id) => [id, String(id)], 'ids.1'],
  ['an id and a half', (id) => [id, 1.5], 'ids.1'],
  ['id null', (id) => [null, id], 'ids.0'],
] as [string, (id: number) => unknown, string][])
  test(`a bulk deletion of ${what} is refused and deletes nothing`, async () => {
    const order = await placeFor('completed', 'owner')
    const { status, body, traces } = await bulkDelete('admin', idsWith(order.id))
    assert.deepEqual([status, body.code, body.details[0].path, traces], [400, 'validation_failed', path, silence])
    assert.deepEqual(await left([order]), [order])
  })

for (const [method, path] of [
  ['DELETE', ''],
  ['PATCH', '/status'],
  ['PATCH', '/confirm-receipt'],
] as const)
  test(`${method} /orders/:id${path} is 404 for an unknown order and 400 for an impossible id`, async () => {
    const send = async (name: string, id: string | number) =>
      (await who(name).send(method, `/orders/${id}${path}`, path === '/status' ? { status: 'cancelled' } : undefined)).body.code
    assert.equal(await send('admin', UNKNOWN), 'not_found')
    assert.equal(await send('passer-by', UNKNOWN), path === '/confirm-receipt' ? 'forbidden' : 'not_found')
    assert.equal(await send('stranger', UNKNOWN), 'unauthorized')
    for (const id of ['0', '-1', '2147483648', '1.5', 'x', '1e3', '%00']) assert.equal(await send('admin', id), 'validation_failed', id)
  })

test('an unknown status is refused and moves nothing', async () => {
  const order = await placeFor('received', 'owner')
  for (const status of ['lost', '', 'Cancelled', null, 7, ['cancelled'], undefined]) {
    const answer = await portal.admin.patch(`/orders/${order.id}/status`, { status })
    assert.deepEqual([answer.status, answer.body.code, answer.body.details[0].path], [400, 'validation_failed', 'status'], String(status))
  }
  assert.deepEqual(await left([order]), [order])
})
