/** For every state of an order, every caller and every target: the answer, the row and the traces. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silence, tracing } from '../../../test/makers.ts'
import { act, flow, nextOf, type OrderRow, orderPortal, type Target, type Verdict } from '../../../test/orders.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { traced } = tracing(portal)
const { who, placeFor, rowOf, sentOf, incomingChanged, deletionOf } = orderPortal(portal)

type Move = Exclude<Target, 'delete'>
type Traced = Awaited<ReturnType<typeof traced>>

const refusals: Record<Exclude<Verdict, 'ok'>, [number, { error: string; code: string }]> = {
  '401': [401, { error: 'Unauthorized', code: 'unauthorized' }],
  '403': [403, { error: 'Forbidden', code: 'forbidden' }],
  '400': [400, { error: 'This status cannot follow the current one.', code: 'invalid_transition' }],
  '409': [409, { error: 'already_claimed', code: 'already_claimed' }],
  late: [400, { error: 'undo_window_expired', code: 'undo_window_expired' }],
}

const restored = { change: 'restored', titleAr: 'عاد طلبك بعد إلغائه', titleEn: 'Your order was restored' }
/** How a move appears to receivers, and the notification of the requester. */
const moves: Record<Move, { change: string; titleAr: string; titleEn: string }> = {
  pending: restored,
  received: restored,
  preparing: { change: 'changed', titleAr: 'طلبك قيد التجهيز', titleEn: 'Your order is being prepared' },
  completed: { change: 'changed', titleAr: 'اكتمل طلبك', titleEn: 'Your order is complete' },
  cancelled: { change: 'cancelled', titleAr: 'أُلغي طلبك', titleEn: 'Your order was cancelled' },
  claim: { change: 'claimed', titleAr: 'استُلم طلبك', titleEn: 'Your order was claimed' },
}

async function assertRefused(order: OrderRow, verdict: Exclude<Verdict, 'ok'>, { answer, ...traces }: Traced) {
  const { messageAr, messageEn, ...body } = answer.body
  const where = verdict === '409' ? { status: order.status, assignedTo: order.assigned_to } : {}
  const [status, said] = refusals[verdict]
  assert.deepEqual([answer.status, body], [status, { ...said, ...where }])
  assert.deepEqual([typeof messageAr, typeof messageEn], ['string', 'string'])
  assert.deepEqual(traces, silence)
  assert.deepEqual(await rowOf(order.id), order)
}

async function assertDeleted(order: OrderRow, { answer, ...traces }: Traced) {
  assert.deepEqual([answer.status, answer.text], [204, ''])
  assert.deepEqual(traces, { ...silence, events: deletionOf(order) })
  assert.equal(await rowOf(order.id), undefined)
}

/** Asserts that the move changed the row, and only in the columns that it sets. */
async function assertMovedRow(order: OrderRow, caller: string, target: Move) {
  const row = (await rowOf(order.id))!
  const moved = target === 'claim' ? { status: 'received', assigned_to: who(caller).id } : { status: target }
  assert.deepEqual(row, { ...order, ...moved, updated_at: row.updated_at, cancelled_at: row.cancelled_at })
  assert.ok(row.updated_at > order.updated_at)
  assert.equal(row.cancelled_at !== null, target === 'cancelled')
  return row
}

function assertRequesterNotified(order: OrderRow, caller: string, target: Move, { event, data, to }: Traced['events'][number]) {
  const { id, createdAt, bodyAr, bodyEn, ...notification } = (data as { notification: Record<string, unknown> }).notification
  const { titleAr, titleEn } = moves[target]
  const related = { relatedType: 'order', relatedId: order.id, joinUrl: null, isRead: who(caller).id === order.user_id }
  assert.deepEqual(notification, { userId: order.user_id, type: 'order', titleAr, titleEn, ...related })
  assert.match(`${bodyAr} ${bodyEn}`, /«قهوة».*“Coffee”/)
  assert.deepEqual([event, to, typeof id, typeof createdAt], ['notification_created', [order.user_id], 'number', 'string'])
}

/** The notice to the assignee of an order that someone else cancels or restores. */
function noticesOfAssignee({ assigned_to: user, user_id, status }: OrderRow, caller: string, target: Move) {
  if (user === null || user === user_id || user === who(caller).id) return []
  if (status === 'cancelled') return [{ user, type: 'order', titleEn: 'An order you claimed was restored' }]
  const isWithdrawn = target === 'cancelled' && status !== 'completed'
  return isWithdrawn ? [{ user, type: 'order', titleEn: 'An order you claimed was cancelled' }] : []
}

/** The name of an order's state in the table. */
const stateOf = ({ assigned_to, status }: OrderRow) => (assigned_to === null && status !== 'pending' ? `${status}, unassigned` : status)

async function assertMoved(order: OrderRow, caller: string, target: Move, { answer, ...traces }: Traced) {
  const row = await assertMovedRow(order, caller, target)
  const undoUntil = row.cancelled_at && new Date(row.cancelled_at.getTime() + 15_000).toISOString()
  const sentTo = (reader: string) => ({ ...sentOf(row), next: nextOf(stateOf(row), reader), undoUntil })
  const callerAfter = target === 'claim' && caller === 'other receiver' ? 'assignee' : caller
  assert.deepEqual([answer.status, answer.body], [200, sentTo(callerAfter)])

  const { change, titleEn } = moves[target]
  const requester = caller === 'owner and receiver' ? caller : 'owner'
  const notices = [{ user: order.user_id, type: 'order', titleEn }, ...noticesOfAssignee(order, caller, target)]
  assertRequesterNotified(order, caller, target, traces.events[0]!)
  assert.deepEqual(
    { ...traces, events: traces.events.slice(notices.length) },
    {
      ...silence,
      notices,
      events: [{ event: 'order_updated', data: { order: sentTo(requester) }, to: [order.user_id] }, incomingChanged(row, change)],
    },
  )
}

async function checkCell(state: string, caller: string, target: Target, verdict: Verdict) {
  const order = await placeFor(state, caller)
  const result = await traced(() => act(who(caller), target, order.id))
  if (verdict !== 'ok') await assertRefused(order, verdict, result)
  else if (target === 'delete') await assertDeleted(order, result)
  else await assertMoved(order, caller, target, result)
}

for (const [state, callers] of Object.entries(flow))
  for (const [caller, verdicts] of Object.entries(callers))
    test(`the actions of the ${caller} on an order ${state} have the results in the table`, async (t) => {
      for (const [target, verdict] of Object.entries(verdicts) as [Target, Verdict][])
        await t.test(`${target}: ${verdict}`, () => checkCell(state, caller, target, verdict))
    })

test('the table covers every state and every caller', () => {
  const always = ['stranger', 'passer-by', 'owner', 'other receiver', 'admin', 'owner and receiver'].toSorted()
  const whereAssigned = [...always, 'assignee', 'former receiver'].toSorted()
  const rows = Object.entries(flow).map(([state, callers]) => [state, Object.keys(callers).toSorted()])
  assert.deepEqual(Object.fromEntries(rows), {
    pending: always,
    received: whereAssigned,
    preparing: whereAssigned,
    completed: whereAssigned,
    'completed, unassigned': always,
    'cancelled, unassigned': always,
    cancelled: whereAssigned,
    'cancelled, unassigned, late': always,
    'cancelled, late': whereAssigned,
  })
})
