/** Every state of an order, every caller, every target: checks the answer, the row and the traces for each cell of the page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silence } from '../../test/makers.ts'
import { act, flow, nextOf, type OrderRow, orderPortal, type Target, type Verdict } from '../../test/orders.ts'
import { type Answer, type Client, testPortal } from '../../test/portal.ts'

const portal = testPortal()
const { who, receivers, service, placeFor, rowOf } = orderPortal(portal)

const refusals: Record<Exclude<Verdict, 'ok'>, [number, { error: string; code: string }]> = {
  '401': [401, { error: 'Unauthorized', code: 'unauthorized' }],
  '403': [403, { error: 'Forbidden', code: 'forbidden' }],
  '400': [400, { error: 'This status cannot follow the current one.', code: 'invalid_transition' }],
  '409': [409, { error: 'already_claimed', code: 'already_claimed' }],
  late: [400, { error: 'undo_window_expired', code: 'undo_window_expired' }],
}

const restored = { change: 'restored', titleAr: 'عاد طلبك بعد إلغائه', titleEn: 'Your order was restored' }
/** How a move appears to receivers, and what its requester reads. */
const tales: Record<Exclude<Target, 'delete'>, { change: string; titleAr: string; titleEn: string }> = {
  pending: restored,
  received: restored,
  preparing: { change: 'changed', titleAr: 'طلبك قيد التجهيز', titleEn: 'Your order is being prepared' },
  completed: { change: 'changed', titleAr: 'اكتمل طلبك', titleEn: 'Your order is complete' },
  cancelled: { change: 'cancelled', titleAr: 'أُلغي طلبك', titleEn: 'Your order was cancelled' },
  claim: { change: 'claimed', titleAr: 'استُلم طلبك', titleEn: 'Your order was received' },
}

const names: Record<string, [string | null, string | null]> = { owner: ['هدى', 'Huda'] }
function personOf(id: number | null, cast: string[]) {
  if (id === null) return null
  const name = cast.find((one) => who(one).id === id)!
  const [displayNameAr, displayNameEn] = names[name] ?? [null, null]
  return { id, username: who(name).username, displayNameAr, displayNameEn, avatarUrl: null }
}

/** The order as it should be sent, built from its row. */
function orderOf(row: OrderRow) {
  const cast = ['owner', 'assignee', 'other receiver', 'owner and receiver', 'former receiver', 'admin']
  return {
    id: row.id,
    serviceId: service().id,
    userId: row.user_id,
    assignedTo: row.assigned_to,
    notes: 'No sugar',
    status: row.status,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    service: service(),
    requester: personOf(row.user_id, cast),
    assignee: personOf(row.assigned_to, cast),
  }
}

const incoming = ({ id: orderId, status, assigned_to: assignedTo }: OrderRow, change: string) => ({
  event: 'order_incoming_changed',
  data: { orderId, status, assignedTo, change },
  to: receivers(),
})

async function checkRefused(order: OrderRow, answer: Answer, verdict: Exclude<Verdict, 'ok'>, traces: object) {
  const { messageAr, messageEn, ...body } = answer.body
  const where = verdict === '409' ? { status: order.status, assignedTo: order.assigned_to } : {}
  const [status, said] = refusals[verdict]
  assert.deepEqual([answer.status, body], [status, { ...said, ...where }])
  assert.deepEqual([typeof messageAr, typeof messageEn], ['string', 'string'])
  assert.deepEqual(traces, silence)
  assert.deepEqual(await rowOf(order.id), order)
}

async function checkDeleted(order: OrderRow, answer: Answer, traces: object) {
  assert.deepEqual([answer.status, answer.text], [204, ''])
  const those = [order.user_id, order.assigned_to].filter((id) => id !== null)
  const gone = { event: 'order_deleted', data: { orderId: order.id }, to: [...new Set(those)].toSorted((one, other) => one - other) }
  assert.deepEqual(traces, { ...silence, events: [gone, incoming(order, 'deleted')] })
  assert.equal(await rowOf(order.id), undefined)
}

/** Where on the page the order is. */
const stateOf = ({ assigned_to, status }: OrderRow) => (assigned_to === null && status !== 'pending' ? `${status}, unassigned` : status)

/** What its mover is to an order after a move, and what its requester is. */
const moverAfter = (caller: string, target: Target) => (target === 'claim' && caller === 'other receiver' ? 'assignee' : caller)
const requesterBeside = (caller: string) => (caller === 'owner and receiver' ? caller : 'owner')

async function checkMoved(order: OrderRow, answer: Answer, [caller, target]: [string, Exclude<Target, 'delete'>], traces: Traces) {
  const { change, titleAr, titleEn } = tales[target]
  const row = (await rowOf(order.id))!
  const { updated_at, cancelled_at, ...stored } = order
  const moved =
    target === 'claim' ? { status: 'received', assigned_to: who(caller).id } : { status: target, assigned_to: order.assigned_to }
  assert.deepEqual(row, { ...stored, ...moved, updated_at: row.updated_at, cancelled_at: row.cancelled_at })
  assert.ok(row.updated_at > updated_at)
  assert.equal(row.cancelled_at !== null, target === 'cancelled')

  const undoUntil = row.cancelled_at && new Date(row.cancelled_at.getTime() + 15_000).toISOString()
  const shownTo = (someone: string) => ({ ...orderOf(row), next: nextOf(stateOf(row), someone), undoUntil })
  assert.deepEqual([answer.status, answer.body], [200, shownTo(moverAfter(caller, target))])

  const withdrawn = target === 'cancelled' && order.status !== 'completed' && 'An order you received was cancelled'
  const resumed = order.status === 'cancelled' && 'An order you received was restored'
  const hears = order.assigned_to !== null && order.assigned_to !== order.user_id && order.assigned_to !== who(caller).id
  const atWork = hears && (withdrawn || resumed) ? [{ user: order.assigned_to!, type: 'order', titleEn: withdrawn || resumed || '' }] : []

  const told = traces.events[0]
  const events = traces.events.slice(1 + atWork.length)
  const { id, createdAt, bodyAr, bodyEn, ...notification } = (told!.data as { notification: Record<string, unknown> }).notification
  const related = { relatedType: 'order', relatedId: order.id, isRead: who(caller).id === order.user_id }
  assert.deepEqual(notification, { userId: order.user_id, type: 'order', titleAr, titleEn, ...related })
  assert.match(`${bodyAr} ${bodyEn}`, /«قهوة».*“Coffee”/)
  assert.deepEqual([told!.event, told!.to, typeof id, typeof createdAt], ['notification_created', [order.user_id], 'number', 'string'])
  assert.deepEqual(
    { ...traces, events },
    {
      ...silence,
      notices: [{ user: order.user_id, type: 'order', titleEn }, ...atWork],
      events: [{ event: 'order_updated', data: { order: shownTo(requesterBeside(caller)) }, to: [order.user_id] }, incoming(row, change)],
    },
  )
}
type Traces = Awaited<ReturnType<typeof portal.traces>>

async function checkCell(state: string, caller: string, target: Target, verdict: Verdict) {
  const order = await placeFor(state, caller)
  const visitor: Client = who(caller)
  let answer!: Answer
  const traces = await portal.traces(async () => {
    answer = await act(visitor, target, order.id)
  })
  if (verdict !== 'ok') await checkRefused(order, answer, verdict, traces)
  else if (target === 'delete') await checkDeleted(order, answer, traces)
  else await checkMoved(order, answer, [caller, target], traces)
}

for (const [state, callers] of Object.entries(flow))
  for (const [caller, verdicts] of Object.entries(callers))
    test(`an order ${state}: what the ${caller} may do`, async (t) => {
      for (const [target, verdict] of Object.entries(verdicts) as [Target, Verdict][])
        await t.test(`${target}: ${verdict}`, () => checkCell(state, caller, target, verdict))
    })

test('the page covers every state and every caller', () => {
  const whoever = ['stranger', 'passer-by', 'owner', 'other receiver', 'admin', 'owner and receiver']
  const assigned = [...whoever, 'assignee', 'former receiver']
  const rows = Object.entries(flow).map(([state, callers]) => [state, Object.keys(callers).toSorted()])
  assert.deepEqual(Object.fromEntries(rows), {
    pending: whoever.toSorted(),
    received: assigned.toSorted(),
    preparing: assigned.toSorted(),
    completed: assigned.toSorted(),
    'completed, unassigned': whoever.toSorted(),
    'cancelled, unassigned': whoever.toSorted(),
    cancelled: assigned.toSorted(),
    'cancelled, unassigned, late': whoever.toSorted(),
    'cancelled, late': assigned.toSorted(),
  })
})
