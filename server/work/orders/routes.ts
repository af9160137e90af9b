import type { Actor } from '../../platform/auth/actor.ts'
import { changed, changedIf, decideEach, unchanged } from '../../platform/changes/outcome.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command, query, sharedCommand } from '../../platform/http/endpoint.ts'
import { partOf } from '../../platform/http/page.ts'
import { IdParams, ListPart, Nothing } from '../../platform/http/shape.ts'
import { longList } from '../../platform/http/wire.ts'
import { isLead, lockNamedTeam } from '../service-teams/queries.ts'
import { RECEIVE } from '../service-teams/rules.ts'
import { keepCancelReason, reasonOf } from './cancelling.ts'
import { addText } from './conversation.ts'
import { decidingOn } from './deciders.ts'
import { checkReleased, readsHeld } from './held.ts'
import { listIncoming, listOrdersOf } from './lists.ts'
import { pageOrders } from './pages.ts'
import { decideOnOrders } from './placing.ts'
import {
  lockOrder,
  lockOrders,
  moved,
  type OrderView,
  readOrder,
  readViews,
  removeOrders,
  restoreOrder,
  setStatus,
  transferOrder,
  transferred,
  viewsOf,
} from './queries.ts'
import { claimOrders, giveOrder, listReceivers, lockReceiver, releaseOrder } from './receiving.ts'
import {
  askerOf,
  checkAssignment,
  checkRelease,
  findStep,
  isStaff,
  leadsIt,
  lostClaim,
  mayDelete,
  movingScopes,
  openStatuses,
  paramsFor,
  receivesIt,
  shownTo,
} from './rules.ts'
import {
  Assignment,
  ClaimLost,
  Deletions,
  FormChanged,
  Move,
  NewOrder,
  OrderFilter,
  OrderPage,
  Receivers,
  ReceiversQuery,
  ServiceOrder,
  ServiceOrders,
  ServicePaused,
  SomeOrders,
  Transfer,
} from './shapes.ts'
import { checkStanding } from './standing.ts'

async function* eachShownTo(actor: Actor, batches: AsyncGenerator<OrderView[]>) {
  for await (const orders of batches) yield orders.map((order) => shownTo(order, actor))
}

function placed(order: OrderView, actor: Actor, recipients: number[]) {
  const { beneficiaryId } = order
  const facts = { serviceId: order.serviceId, ...(beneficiaryId && { beneficiaryId }), params: paramsFor(order.service, order.requester) }
  // The event reaches the requester's browsers, which a token's scopes do not limit.
  const payload = shownTo(order, actor.unlimited)
  return changed(shownTo(order, actor), { kind: 'order.placed', targetId: order.id, facts, recipients, payload })
}

export const orderService = sharedCommand('POST /orders', {
  summary: 'Order a service; all receivers of orders are notified',
  description:
    'Only available services can be ordered. With `forUserId`, it is for an active person in the audience of the service, who is told of it; those may do that whom the service or its team lets. An order of a service with steps of approval waits for these, unknown to its receivers. Answers are judged by the form of the service as it is now: those to fields that are hidden or unknown are left out, and those to a former `formVersion` are refused with the new form. A person has at most 100 orders waiting. Receivers get a notification and `order_incoming_changed`; the requester’s own streams get `order_updated`.',
  allow: 'signed-in',
  scope: 'orders:write',
  body: NewOrder,
  reply: ServiceOrder,
  status: 201,
  refuses: [
    { code: 'service_unavailable', body: ServicePaused },
    'forbidden',
    { code: 'form_changed', body: FormChanged },
    'no_approver',
    'quota_exceeded',
  ],
  runMany: (tx, calls) => decideOnOrders(tx, calls, placed),
})

export const readMyOrders = query('GET /orders/my', {
  summary: 'The orders the caller placed, newest first',
  description: '`next` has the statuses to which the caller may move each now.',
  allow: 'signed-in',
  scope: 'orders:read',
  query: ListPart,
  reply: ServiceOrders,
  run: ({ db, actor, query }) => longList(ServiceOrder, partOf(eachShownTo(actor, listOrdersOf(db, actor.id)), query)),
})

export const readIncomingOrders = query('GET /orders/incoming', {
  summary: 'The orders the caller can claim or is working on, oldest first',
  description:
    'Pending orders of no team or of the caller’s teams, and those that the caller is working on, which are `received` or `preparing`.',
  allow: 'orders.receive',
  scope: 'orders:receive',
  query: ListPart,
  reply: ServiceOrders,
  run: ({ db, actor, query, asLongAs }) => longList(ServiceOrder, partOf(eachShownTo(actor, listIncoming(db, actor, asLongAs)), query)),
})

export const readOrders = query('GET /orders', {
  summary: 'All orders, newest first',
  description:
    '`q` searches the names of the service, the note, and the names and e-mail address of the requester; it ignores case, diacritics and letter variants. Days are whole UTC days. `counts` has the number of orders of each status that match all other filters.',
  allow: 'admin',
  scope: 'admin:read',
  query: OrderFilter,
  reply: OrderPage,
  run: async ({ db, actor, query }) => {
    const { items, ...page } = await pageOrders(db, query)
    return { ...page, items: items.map((order) => shownTo(order, actor)) }
  },
})

export const readReceivers = query('GET /orders/receivers', {
  summary: 'The people who may receive orders, with the number of orders they are working on; people present first, then by name',
  description:
    'The people to whom `POST /orders/{id}/assign` can assign an order. With `orderId`, only the receivers of that order’s team; the leads of the team may call it in this way, too. `q` ignores case, diacritics and letter variants.',
  allow: 'signed-in',
  query: ReceiversQuery,
  reply: Receivers,
  refuses: ['forbidden', 'not_found'],
  run: async ({ db, actor, query }) => {
    const { orderId } = query
    if (orderId === undefined) return actor.can(RECEIVE) ? listReceivers(db, query, null, actor.language) : refuse('forbidden')
    const order = await readOrder(db, orderId, actor)
    if (!isStaff(order, askerOf(actor))) refuse('forbidden')
    return listReceivers(db, query, order.team?.id ?? null, actor.language)
  },
})

export const readOneOrder = query('GET /orders/:id', {
  summary: 'One order, for its requester, the person for whom it is, those who approve it, receivers and administrators',
  description: 'For anyone else, it is not found. `next` has the statuses to which the caller may move it now.',
  allow: 'signed-in',
  scope: 'orders:read',
  params: IdParams,
  reply: ServiceOrder,
  refuses: ['not_found'],
  run: async ({ db, actor, params }) => shownTo(await readOrder(db, params.id, actor), actor),
})

export const moveOrder = command('PATCH /orders/:id/status', {
  summary: 'Move an order on, cancel it, or undo its cancellation within 15 seconds',
  description:
    'The requester is notified and gets `order_updated`; receivers get `order_incoming_changed`. An order’s `next` has the statuses to which the reader may move it. The requester reads the `reason` of a cancellation in the details of the order; it goes when the cancellation is undone.',
  allow: 'signed-in',
  scope: movingScopes,
  params: IdParams,
  body: Move,
  reply: ServiceOrder,
  refuses: ['not_found', 'forbidden', 'awaiting_approval', 'invalid_transition', 'undo_window_expired'],
  run: async ({ tx, actor, params: { id }, body }) => {
    const [{ status }, reason] = [body, reasonOf(body)]
    const before = await lockOrder(tx, id)
    if (status !== 'cancelled') await checkReleased(tx, before, actor)
    const { undoes } = findStep(before, askerOf(actor), status)
    const written = await (undoes ? restoreOrder(tx, id, status) : setStatus(tx, id, status))
    if (reason) await keepCancelReason(tx, id, reason)
    return changed(shownTo(written.order, actor), moved(before, written, reason))
  },
})

export const confirmReceipt = sharedCommand('PATCH /orders/:id/confirm-receipt', {
  summary: 'Claim an order; the first receiver gets it',
  description: 'The order becomes `received` and belongs to the caller. The requester is notified and gets `order_updated`.',
  allow: 'orders.receive',
  scope: 'orders:receive',
  params: IdParams,
  reply: ServiceOrder,
  refuses: ['not_found', 'forbidden', 'awaiting_approval', { code: 'already_claimed', body: ClaimLost }],
  runMany: async (tx, calls) => {
    const claims = calls.map(({ actor, params: { id } }) => ({ id, receiverId: actor.id }))
    const { written, lost } = await claimOrders(tx, claims)
    const readHeld = await Promise.all(calls.map(({ actor, params: { id } }) => readsHeld(tx, lost.get(id), actor)))
    return decideEach(calls, ({ actor, params: { id } }, n) => {
      const claimed = written[n]
      if (claimed) return changed(shownTo(claimed.order, actor), moved({ status: 'pending', assignedTo: null }, claimed))
      const order = lost.get(id) ?? refuse('not_found')
      if (readHeld[n]) refuse('awaiting_approval')
      if (!receivesIt(order, askerOf(actor))) refuse('forbidden')
      return refuse('already_claimed', { body: lostClaim(order, actor.id) })
    })
  },
})

export const giveBackOrder = command('POST /orders/:id/release', {
  summary: 'Release an order, so that another receiver can claim it',
  description:
    'Its receiver, the leads of its team and administrators may release it while it is `received` or `preparing`. The requester is notified and gets `order_updated`; receivers get `order_incoming_changed`.',
  allow: 'signed-in',
  scope: 'orders:receive',
  params: IdParams,
  reply: ServiceOrder,
  refuses: ['not_found', 'forbidden', 'awaiting_approval', 'invalid_transition'],
  run: async ({ tx, actor, params: { id } }) => {
    const before = await lockOrder(tx, id)
    await checkReleased(tx, before, actor)
    checkRelease(before, askerOf(actor))
    const written = await releaseOrder(tx, id)
    return changed(shownTo(written.order, actor), moved(before, written))
  },
})

export const assignOrder = command('POST /orders/:id/assign', {
  summary: 'Assign an order to a receiver',
  description:
    'The order becomes `received` and belongs to this receiver, even if another one had it; both receivers and the requester are notified. Assigning it to its current receiver changes nothing. People who do not receive the orders of its team are refused. Administrators and the leads of its team may assign it.',
  allow: 'signed-in',
  scope: ['admin:write', 'orders:receive'],
  params: IdParams,
  body: Assignment,
  reply: ServiceOrder,
  refuses: ['not_found', 'forbidden', 'awaiting_approval', 'unknown_ids', 'invalid_transition'],
  run: async ({ tx, actor, params: { id }, body: { userId } }) => {
    if (!actor.isAdmin && !(await isLead(tx, actor.id)))
      refuse((await readsHeld(tx, (await readViews(tx, viewsOf([id])))[0], actor)) ? 'awaiting_approval' : 'forbidden')
    const before = await lockOrder(tx, id)
    await checkReleased(tx, before, actor)
    const asker = askerOf(actor)
    if (!asker.isAdmin && !leadsIt(before, asker)) refuse('forbidden')
    await lockReceiver(tx, userId, before.team)
    checkAssignment(before, asker)
    if (before.assignedTo === userId) return unchanged(shownTo(before, actor))
    const written = await giveOrder(tx, id, userId)
    return changed(shownTo(written.order, actor), moved(before, written))
  },
})

export const handOverOrder = command('POST /orders/:id/transfer', {
  summary: 'Hand an order over to another team',
  description:
    'Its receivers, the leads of its team and administrators may hand it over while it is open, at most 20 times. It waits for the other team, without a receiver; its requester and that team are notified. A note is one to the teams, which the requester does not see. To its own team, nothing changes.',
  allow: 'signed-in',
  scope: 'orders:receive',
  params: IdParams,
  body: Transfer,
  reply: ServiceOrder,
  refuses: ['not_found', 'forbidden', 'awaiting_approval', 'unknown_ids', 'invalid_transition'],
  run: async ({ tx, actor, params: { id }, body: { teamId, note } }) => {
    const before = await lockOrder(tx, id)
    const { readsNotes } = checkStanding(before, askerOf(actor), 'transfer', await decidingOn(tx, before, actor.id))
    if (note && !readsNotes) refuse('forbidden')
    const team = await lockNamedTeam(tx, teamId)
    if (!openStatuses.includes(before.status)) refuse('invalid_transition')
    if (before.team?.id === teamId) return unchanged(shownTo(before, actor))
    const written = await transferOrder(tx, id, teamId)
    const handedOver = transferred(before, written, team)
    if (!note) return changed(shownTo(written.order, actor), handedOver)
    const noted = await addText(tx, { place: 'note', order: written.order, authorId: actor.id, text: note, isUncounted: true })
    return changed(shownTo(written.order, actor), handedOver, noted.change)
  },
})

export const deleteOrder = command('DELETE /orders/:id', {
  summary: 'Delete an order',
  description:
    'Administrators may delete any order, requesters their completed and cancelled ones, and receivers those that they can claim or are working on. `order_deleted` is sent.',
  allow: 'signed-in',
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found', 'forbidden'],
  run: async ({ tx, actor, params: { id } }) => {
    if (!mayDelete(await lockOrder(tx, id), askerOf(actor))) refuse('forbidden')
    return changedIf(null, await removeOrders(tx, { ids: [id] }))
  },
})

export const deleteOrders = command('POST /orders/bulk-delete', {
  summary: 'Delete those of several orders that the caller may delete',
  description: 'Each id is treated like a single deletion; refused and unknown ones are in `failedIds`.',
  allow: 'signed-in',
  body: SomeOrders,
  reply: Deletions,
  run: async ({ tx, actor, body: { ids } }) => {
    const deletable = (await lockOrders(tx, ids)).filter((order) => mayDelete(order, askerOf(actor))).map(({ id }) => id)
    const asked = [...new Set(ids)]
    const reply = { deletedIds: asked.filter((id) => deletable.includes(id)), failedIds: asked.filter((id) => !deletable.includes(id)) }
    return changedIf(reply, await removeOrders(tx, { ids: deletable }))
  },
})
