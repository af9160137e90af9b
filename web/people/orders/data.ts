/** Orders: lists, texts and actions. The receivers' board, the catalogue and the administration use it, too. */
import { signal } from '@preact/signals'
import { say } from '../../parts/overlay/toasts.tsx'
import { sayFailure } from '../../parts/show/failures.ts'
import { waitFor } from '../../platform/acts.ts'
import { resource } from '../../platform/cache.ts'
import { answer, api, onThisClock, type Schemas } from '../../platform/client.ts'
import { isolated, named, nameOf } from '../../platform/language.ts'
import { deferOrder, forgetOrder, putOrder, rereadOrder, settleOrder } from '../../platform/orders-in-cache.ts'
import { Refusal } from '../../platform/refusal.ts'
import { me } from '../../platform/session.ts'
import { actsIn } from './acts.ts'
import { t } from './texts.ts'

export { beyondMine, newestOfMine, withForMe } from './of-mine.ts'

export type Order = Schemas['ServiceOrder']
export type Status = Order['status']

export const myOrders = resource('/orders/my')
export const incoming = resource('/orders/incoming')
export const orderAt = (id: number) => resource('/orders/{id}', { path: { id } })
export type OrderDetails = Schemas['OrderDetails']
export type ListedDetails = Schemas['ListedOrderDetails']
/** The details of an order: its team, its targets, and the answers with which it was placed. */
export const detailsAt = (id: number) => resource('/orders/{id}/details', { path: { id } })

export const serviceOf = (order: Order) => named(order.service)
export const isOpen = ({ status }: Order) => status === 'pending' || status === 'received' || status === 'preparing'
/** The statuses through which an order passes unless it is cancelled, in sequence. */
export const passed = ['pending', 'received', 'preparing', 'completed'] as const
export const statusName = (status: Status) => t.statuses[status]
const kinds = { pending: 'warn', received: 'blue', preparing: 'on', completed: undefined, cancelled: undefined } as const
/** The colour of a status's chip. */
export const kindOf = (status: Status) => kinds[status]

/** The key of toasts about an order: a new one replaces the last. */
export const about = ({ id }: Order) => `order ${id}`

/** The ids of the orders with an action under way. */
export const acting = signal<ReadonlySet<number>>(new Set())

/** Reports a failed action; if somebody else claimed the order first, the toast names them. */
function explain(failure: unknown, order: Order, now: Order | undefined) {
  const service = serviceOf(order)
  const code = failure instanceof Refusal && failure.code
  if (code === 'already_claimed' && now?.assignee && now.assignedTo !== me.peek()?.id)
    return say({ text: t.faster(nameOf(now.assignee), service) })
  if (code === 'not_found') return say({ text: t.gone(service), kind: 'error' })
  sayFailure(failure)
}

const underWay = new Map<number, Promise<Order | undefined>>()

/**
 * Shows the expected result at once, calls the portal, and shows the actual result. Actions on one order run one after the other; those
 * that wait behind a failed action do not run. Returns the order afterwards, or undefined if the action failed or did not run.
 */
function act(order: Order, expected: Partial<Order>, call: () => Promise<{ data?: Order }>) {
  deferOrder(order.id)
  putOrder({ ...order, ...expected })
  acting.value = new Set(acting.value).add(order.id)
  const before = underWay.get(order.id) ?? Promise.resolve(order)
  const mine: Promise<Order | undefined> = before.then((now) => now && answerOrReread(order, call))
  underWay.set(order.id, mine)
  const settled = mine.then((now) => {
    if (underWay.get(order.id) !== mine) return
    underWay.delete(order.id)
    settleOrder(order.id, now)
    acting.value = new Set([...acting.value].filter((id) => id !== order.id))
  })
  waitFor(settled, order.id, '/orders/my', '/orders/incoming', '/orders/{id}')
  return mine
}

async function answerOrReread(order: Order, call: () => Promise<{ data?: Order }>) {
  try {
    return await answer(call())
  } catch (failure) {
    putOrder(order)
    const now = await rereadOrder(order.id)
    if (failure instanceof Refusal && !now) forgetOrder(order.id)
    explain(failure, order, now)
  }
}

const path = (order: Order) => ({ params: { path: { id: order.id } } })
const move = (order: Order, status: Status, next: Status[], reason?: string) =>
  act(order, { status, next }, () => api.PATCH('/orders/{id}/status', { ...path(order), body: { status, ...(reason && { reason }) } }))

/** The actions, apart from the next step, that the reader may take on an order; none before its details are loaded. */
export const actsFor = ({ status }: Order, details: Pick<ListedDetails, 'may'> | undefined) => actsIn(status, details?.may ?? [])

type Beneficiary = Schemas['OrderDetails']['beneficiary']
/** Whether the person placed the order or is its beneficiary. Everybody else must give a reason when they cancel it. */
export const isParty = ({ userId }: Order, beneficiary: Beneficiary | undefined) => [userId, beneficiary?.id].includes(me.value?.id)
/** The beneficiary of an order, if somebody else placed it. */
export const beneficiaryOf = ({ userId }: Order, details: Pick<ListedDetails, 'beneficiary'> | undefined) =>
  details?.beneficiary && details.beneficiary.id !== userId ? details.beneficiary : undefined
/** “for Sara” if somebody else placed the order; otherwise ''. */
export function forWhom(order: Order, details: Pick<ListedDetails, 'beneficiary'> | undefined) {
  const person = beneficiaryOf(order, details)
  return person ? t.forPerson(isolated(nameOf(person))) : ''
}

/** Claims a waiting order. `isQuiet`: shows no toast. */
export async function claim(order: Order, isQuiet = false) {
  const person = me.peek()
  if (!person) return undefined
  const expected = { status: 'received', assignedTo: person.id, assignee: person, next: ['preparing', 'completed', 'cancelled'] } as const
  const now = await act(order, { ...expected, next: [...expected.next] }, () => api.PATCH('/orders/{id}/confirm-receipt', path(order)))
  if (now && !isQuiet)
    say({ about: about(order), text: t.said.claimed(serviceOf(order)), undo: () => release(now), undoUntil: Date.now() + 6000 })
  return now
}

/** Runs an action on several orders, one after the other, and says how many succeeded. */
export async function together(orders: Order[], act: (order: Order) => Promise<Order | undefined>, said: (count: number) => string) {
  let done = 0
  for (const order of orders) if (await act(order)) done++
  if (done) say({ text: said(done) })
}

/** Returns an order to the waiting orders. */
export async function release(order: Order, isQuiet = false) {
  const expected: Partial<Order> = { status: 'pending', assignedTo: null, assignee: null, next: ['received'] }
  const now = await act(order, expected, () => api.POST('/orders/{id}/release', path(order)))
  if (now && !isQuiet) say({ about: about(order), text: t.said.released(serviceOf(order)) })
  return now
}

export async function prepare(order: Order) {
  if (await move(order, 'preparing', ['completed', 'cancelled'])) say({ about: about(order), text: t.said.preparing(serviceOf(order)) })
}

export async function complete(order: Order, isQuiet = false) {
  const now = await move(order, 'completed', [])
  if (now && !isQuiet) say({ about: about(order), text: t.said.completed(serviceOf(order)) })
  return now
}

/** Assigns an order to a receiver; for administrators and leads. */
export async function assign(order: Order, person: Schemas['PersonSummary'], isQuiet = false) {
  const call = () => api.POST('/orders/{id}/assign', { ...path(order), body: { userId: person.id } })
  const now = await act(order, {}, call)
  if (now && !isQuiet) say({ about: about(order), text: t.said.assigned(serviceOf(order), nameOf(person)) })
  return now
}

/** The teams to which an order may be handed over. */
export const teamNames = resource('/service-teams/names')

/** Hands an order over to another team, where it waits. It leaves the boards of receivers who are not in that team. */
export async function handOver(order: Order, team: Schemas['ServiceTeamName']) {
  const now = await act(order, {}, () => api.POST('/orders/{id}/transfer', { ...path(order), body: { teamId: team.id } }))
  if (now) say({ about: about(order), text: t.said.handedOver(serviceOf(order), named(team)) })
  return now
}

/** Cancels an order and offers undo for fifteen seconds by the portal's clock. Returns whether the order was cancelled. */
export async function cancel(order: Order, reason?: string) {
  const now = await move(order, 'cancelled', [], reason)
  if (!now) return false
  const undoable = now.undoUntil && restorable(now)
  say({
    about: about(order),
    text: t.said.cancelled(serviceOf(now)),
    ...(undoable && { undo: () => restore(now), undoUntil: onThisClock(now.undoUntil!) }),
  })
  return true
}

/** The status after undoing the cancellation; undefined if the person may not undo it. */
export const restorable = ({ status, next }: Order) =>
  status === 'cancelled' ? next.find((one) => one === 'pending' || one === 'received') : undefined

/** Undoes a cancellation. */
export async function restore(order: Order) {
  const now = orderAt(order.id).peek() ?? order
  const status = restorable(now)
  if (status && (await move(now, status, ['cancelled']))) say({ about: about(order), text: t.said.restored(serviceOf(order)) })
}

/** Deletes an order; throws a refusal. */
export async function remove(order: Order) {
  await answer(api.DELETE('/orders/{id}', path(order)))
  forgetOrder(order.id)
  say({ about: about(order), text: t.said.deleted(serviceOf(order)) })
}

/** Orders a service. A repeated call with the same key has no further effect. Throws refusals. */
export async function place(body: Schemas['NewServiceOrder'], key: string) {
  const order = await answer(api.POST('/orders', { body, headers: { 'idempotency-key': key } }))
  putOrder(order)
  return order
}
