/** Updates an order wherever the cache has it: in its requester's list, on a receiver's board, and by itself. */
import { changeAll, invalidate, invalidateRecord, resource } from './cache.ts'
import { answer, api, type Schemas } from './client.ts'
import { Refusal } from './refusal.ts'

type Order = Schemas['ServiceOrder']
type OrderEvent = Schemas['OrderIncomingChangedMessage']['data']

const readerId = () => resource('/auth/me').peek()?.id
/**
 * Whether the board shows an order: the reader has claimed it, or can claim it. An event lacks `next`, so its order counts as claimable if
 * it is pending.
 */
const isOnBoard = ({ status, assignedTo, next }: Pick<Order, 'status' | 'assignedTo'> & Partial<Order>) =>
  status === 'pending'
    ? next?.includes('received') !== false
    : assignedTo === readerId() && (status === 'received' || status === 'preparing')

/** The newer of two states of an order: one that arrives late may be older than the cached one. */
const newer = (known: Order | undefined, order: Order) => (known && known.updatedAt > order.updatedAt ? known : order)

/** A list without an order. A list that does not have the order is returned as it is. */
const without = (all: Order[], id: number) => (all.some((one) => one.id === id) ? all.filter((one) => one.id !== id) : all)

/** Puts an order into its place in a list, or removes it if `isWanted` says no. */
function among(all: Order[], order: Order, isWanted: (order: Order) => boolean, byId: (one: number, other: number) => number) {
  const latest = newer(
    all.find(({ id }) => id === order.id),
    order,
  )
  const others = without(all, order.id)
  if (!isWanted(latest)) return others
  const place = others.findIndex(({ id }) => byId(id, order.id) > 0)
  return others.toSpliced(place < 0 ? others.length : place, 0, latest)
}
const isOwn = ({ userId }: Order) => userId === readerId()

/** Updates an order in every list, and removes it from those where it no longer belongs. */
export function putOrder(order: Order) {
  changeAll('/orders/my', (all) => among(all, order, isOwn, (one, other) => other - one))
  changeAll('/orders/incoming', (all) => among(all, order, isOnBoard, (one, other) => one - other))
  changeAll('/orders/{id}', (one) => (one.id === order.id ? newer(one, order) : one))
  changeAll('/orders', (page) => ({ ...page, items: page.items.map((one) => (one.id === order.id ? newer(one, order) : one)) }))
}

/** The orders that the reader is acting on, by id, with the latest update that arrived since the act began. */
const held = new Map<number, Order | undefined>()

/** Holds back updates of an order while the page shows the state that the reader's act should lead to. */
export const deferOrder = (id: number) => void held.set(id, held.get(id))

/** Ends what `deferOrder` began: shows the answer to the reader's act, or a later update. */
export function settleOrder(id: number, answered: Order | undefined) {
  const update = held.get(id)
  held.delete(id)
  markOvertaken(id)
  const latest = answered ? newer(update, answered) : update
  if (latest) putOrder(latest)
}

/** Shows an update of an order, or stores it while the order is held. */
export function updateOrder(order: Order) {
  if (held.has(order.id)) held.set(order.id, newer(held.get(order.id), order))
  else putOrder(order)
}

/** Takes a deleted order off the reader's own list and the board. */
export function forgetOrder(id: number) {
  if (held.has(id)) held.set(id, undefined)
  changeAll('/orders/my', (all) => without(all, id))
  leaveBoard(id)
}

/** Takes an order off the board. */
export const leaveBoard = (id: number) => changeAll('/orders/incoming', (all) => without(all, id))

const WAIT_MS = 40
const MANY = 10
const unread = new Set<number>()
let isReading = false

async function readChanged() {
  isReading = false
  const ids = [...unread]
  unread.clear()
  if (ids.length > MANY) return invalidate('/orders/incoming')
  for (const id of ids) await rereadOrder(id)
}

/** One function for each read of an order that is under way. It is called with the id of every order that changes during the read. */
const reading = new Set<(changed: number) => void>()
const markOvertaken = (id: number) => reading.forEach((note) => void note(id))

/** Reads an order again and updates it in every list. Returns it, or undefined if it is gone or the portal did not answer. */
export async function rereadOrder(id: number): Promise<Order | undefined> {
  let isOvertaken = false
  const note = (changed: number) => {
    isOvertaken ||= changed === id
  }
  reading.add(note)
  try {
    const order = await answer(api.GET('/orders/{id}', { params: { path: { id } } }))
    // An event since the call may be newer than this answer, and may have taken the order off the board.
    if (isOvertaken) return await rereadOrder(id)
    updateOrder(order)
    return order
  } catch (failure) {
    // The reader may no longer see the order, because it was handed to another team.
    if (failure instanceof Refusal) leaveBoard(id)
    invalidateRecord('/orders/{id}', id)
    return undefined
  } finally {
    reading.delete(note)
  }
}

/** Updates one order on the board without reading all the others again. */
export function applyOrderEvent({ orderId, change, ...state }: OrderEvent) {
  const isHere = change !== 'deleted' && isOnBoard(state)
  if (!isHere) leaveBoard(orderId)
  invalidateRecord('/orders/{id}', orderId)
  markOvertaken(orderId)
  if (!isHere || !resource('/orders/incoming').peek()) return
  unread.add(orderId)
  if (!isReading) setTimeout(readChanged, WAIT_MS)
  isReading = true
}
