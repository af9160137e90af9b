/** Where the cache has an order: among those of its requester, on the board of a receiver, and by itself. */
import { changeAll, invalidate, invalidateRecord, resource } from './cache.ts'
import { answer, api, type Schemas } from './client.ts'

type Order = Schemas['ServiceOrder']
type Heard = Schemas['OrderIncomingChangedMessage']['data']

const readerId = () => resource('/auth/me').peek()?.id
/** Whether a receiver's board has an order: it waits for anyone, or the reader works on it. */
const isOnBoard = ({ status, assignedTo }: Pick<Order, 'status' | 'assignedTo'>) =>
  status === 'pending' || ((status === 'received' || status === 'preparing') && assignedTo === readerId())

/** The one of the two that is true: what arrives late may be older than what is known. */
const newer = (known: Order | undefined, order: Order) => (known && known.updatedAt > order.updatedAt ? known : order)

/** The order among the others, or away from them. */
function among(all: Order[], order: Order, isWanted: boolean, byId: (one: number, other: number) => number) {
  const others = all.filter(({ id }) => id !== order.id)
  if (!isWanted) return others.length === all.length ? all : others
  const place = others.findIndex(({ id }) => byId(id, order.id) > 0)
  return others.toSpliced(place < 0 ? others.length : place, 0, order)
}

/** Puts an order, as its reader sees it, wherever it is listed and out of where it is no longer. */
export function putOrder(order: Order) {
  const known = (all: Order[]) =>
    newer(
      all.find(({ id }) => id === order.id),
      order,
    )
  changeAll('/orders/my', (all) => among(all, known(all), order.userId === readerId(), (one, other) => other - one))
  changeAll('/orders/incoming', (all) => among(all, known(all), isOnBoard(known(all)), (one, other) => one - other))
  changeAll('/orders/{id}', (one) => (one.id === order.id ? newer(one, order) : one))
}

/** The orders that the reader is acting on, each with the latest that was told of it meanwhile. */
const held = new Map<number, Order | undefined>()

/** From now on the page shows what the reader expects of an order: what is told of it waits. */
export function holdOrder(id: number) {
  if (!held.has(id)) held.set(id, undefined)
}

/** Shows what became of an order that was held: what the reader's act has answered, unless something later was told. */
export function settleOrder(id: number, answered: Order | undefined) {
  const told = held.get(id)
  held.delete(id)
  hearOf(id)
  const latest = answered ? newer(told, answered) : told
  if (latest) putOrder(latest)
}

/** Shows what the portal has told of an order; of one that is held, later. */
export function tellOrder(order: Order) {
  if (held.has(order.id)) held.set(order.id, newer(held.get(order.id), order))
  else putOrder(order)
}

/** Takes an order that is gone off every list. */
export function forgetOrder(id: number) {
  if (held.has(id)) held.set(id, undefined)
  changeAll('/orders/my', (all) => all.filter((order) => order.id !== id))
  leaveBoard(id)
}

/** Takes an order off the board. */
export const leaveBoard = (orderId: number) =>
  changeAll('/orders/incoming', (all) => (all.some(({ id }) => id === orderId) ? all.filter(({ id }) => id !== orderId) : all))

const WAIT_MS = 40
const MANY = 10
const unread = new Set<number>()
let isReading = false

async function readHeard() {
  isReading = false
  const ids = [...unread]
  unread.clear()
  if (ids.length > MANY) return invalidate('/orders/incoming')
  for (const id of ids) await rereadOrder(id)
}

/** The orders that are being read: by how many, and how often something was heard of them meanwhile. */
const reading = new Map<number, { readers: number; heard: number }>()
function hearOf(id: number) {
  const known = reading.get(id)
  if (known) known.heard++
}

/** Asks what has become of an order, and puts it where it is now. Answers it, or undefined where it is gone or nobody answered. */
export async function rereadOrder(id: number): Promise<Order | undefined> {
  const mine = reading.get(id) ?? { readers: 0, heard: 0 }
  reading.set(id, mine)
  mine.readers++
  const { heard } = mine
  try {
    const order = await answer(api.GET('/orders/{id}', { params: { path: { id } } }))
    // What was heard meanwhile may be later than this answer, and have taken the order off the board.
    if (mine.heard !== heard) return await rereadOrder(id)
    tellOrder(order)
    return order
  } catch {
    invalidateRecord('/orders/{id}', id)
    return undefined
  } finally {
    mine.readers--
    if (mine.readers === 0) reading.delete(id)
  }
}

/** Keeps the board true to what happened to one order, without reading all the others again. */
export function heardOfOrder({ orderId, status, assignedTo, change }: Heard) {
  const isHere = change !== 'deleted' && isOnBoard({ status, assignedTo })
  if (!isHere) leaveBoard(orderId)
  invalidateRecord('/orders/{id}', orderId)
  hearOf(orderId)
  if (!isHere || !resource('/orders/incoming').peek()) return
  unread.add(orderId)
  if (!isReading) setTimeout(readHeard, WAIT_MS)
  isReading = true
}
