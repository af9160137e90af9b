import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silence } from '../../../test/makers.ts'
import { orderPortal } from '../../../test/orders.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { placeFor, receivers, rowOf, who } = orderPortal(portal)

/** Makes an order that had this status and was cancelled `secondsAgo` seconds ago. */
async function cancelled(status: string, secondsAgo: number) {
  const { id } = await placeFor(status, 'owner')
  assert.equal((await portal.admin.patch(`/orders/${id}/status`, { status: 'cancelled' })).status, 200)
  await portal.meddle('order', id, `update orders set cancelled_at = clock_timestamp() - interval '${secondsAgo} seconds' where id = ${id}`)
  return id
}
const restore = (name: string, id: number, status: string) => who(name).patch(`/orders/${id}/status`, { status })
const mine = async (id: number) => (await who('owner').get('/orders/my')).body.find((order: { id: number }) => order.id === id)

for (const name of ['owner', 'admin'])
  for (const [was, to, other] of [
    ['pending', 'pending', 'received'],
    ['received', 'received', 'pending'],
    ['preparing', 'received', 'pending'],
    ['completed', 'received', 'pending'],
    ['completed, unassigned', 'pending', 'received'],
  ] as const) {
    test(`6 seconds after a cancellation, ${name} restores an order that was ${was} to ${to}`, async () => {
      const id = await cancelled(was, 6)
      const assignedTo = to === 'received' ? who('assignee').id : null
      const traces = await portal.traces(async () => {
        const { status, body } = await restore(name, id, to)
        assert.deepEqual([status, body.status, body.assignedTo, body.undoUntil], [200, to, assignedTo, null])
      })
      const { notices, events } = traces
      const ofReceiver = assignedTo ? [{ user: assignedTo, type: 'order', titleEn: 'An order you claimed was restored' }] : []
      assert.deepEqual(notices, [{ user: who('owner').id, type: 'order', titleEn: 'Your order was restored' }, ...ofReceiver])
      assert.deepEqual(
        events.map(({ event, to }) => [event, to]),
        [
          ['notification_created', [who('owner').id]],
          ...ofReceiver.map(({ user }) => ['notification_created', [user]]),
          ['order_updated', [who('owner').id]],
          ['order_incoming_changed', receivers()],
        ],
      )
      assert.deepEqual(events.at(-1)!.data, { orderId: id, status: to, assignedTo, change: 'restored' })
      assert.equal((await rowOf(id))!.cancelled_at, null)
    })

    test(`16 seconds after a cancellation, ${name} cannot restore an order that was ${was}`, async () => {
      const id = await cancelled(was, 16)
      const before = await rowOf(id)
      const traces = await portal.traces(async () => {
        const { status, body } = await restore(name, id, to)
        assert.deepEqual([status, body.code, body.error], [400, 'undo_window_expired', 'undo_window_expired'])
      })
      assert.deepEqual([traces, await rowOf(id)], [silence, before])
    })

    test(`${name} cannot restore a cancelled order that was ${was} to ${other}, in time or late`, async () => {
      for (const seconds of [0, 60]) {
        const id = await cancelled(was, seconds)
        const { status, body } = await restore(name, id, other)
        assert.deepEqual([status, body.code, (await rowOf(id))!.status], [400, 'invalid_transition', 'cancelled'])
      }
    })
  }

test('undoUntil is the end of the undo window, and null afterwards', async () => {
  const inTime = await cancelled('pending', 6)
  const { cancelled_at } = (await rowOf(inTime))!
  const { next, undoUntil } = await mine(inTime)
  assert.deepEqual([next, undoUntil], [['pending'], new Date(cancelled_at!.getTime() + 15_000).toISOString()])
  const late = await mine(await cancelled('pending', 16))
  assert.deepEqual([late.status, late.next, late.undoUntil], ['cancelled', [], null])
})

test('each cancellation has its own 15 seconds', async () => {
  const id = await cancelled('pending', 6)
  await restore('owner', id, 'pending')
  const again = await restore('owner', id, 'cancelled')
  const left = Date.parse(again.body.undoUntil) - Date.parse(again.body.updatedAt)
  assert.ok(Math.abs(left - 15_000) < 1000, `${left} ms`)
  assert.equal((await restore('owner', id, 'pending')).status, 200)
})

test('a restored order behaves as if it had never been cancelled', async () => {
  const id = await cancelled('pending', 1)
  await restore('owner', id, 'pending')
  assert.deepEqual((await who('assignee').patch(`/orders/${id}/confirm-receipt`)).body.next, ['preparing', 'completed', 'cancelled'])
  await restore('owner', id, 'cancelled')
  await restore('owner', id, 'received')
  for (const status of ['preparing', 'completed']) assert.equal((await restore('assignee', id, status)).status, 200, status)
})

test('a restored order cannot be restored again', async () => {
  const id = await cancelled('received', 1)
  const answers = await Promise.all([restore('owner', id, 'received'), restore('admin', id, 'received')])
  const codes = answers.map(({ status, body }) => body.code ?? status)
  assert.deepEqual(codes.toSorted(), [200, 'invalid_transition'])
})
