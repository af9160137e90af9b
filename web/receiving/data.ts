/** The board of a receiver: its columns, and what is done to several orders at once. */
import { incoming, type Order } from '../orders/data.ts'
import { answer, api, type Schemas } from '../platform/client.ts'
import { minute } from '../platform/dates.ts'
import { matches } from '../platform/folded.ts'
import { leaveBoard, rereadOrder } from '../platform/orders-in-cache.ts'

export const columns = ['waiting', 'received', 'preparing'] as const
export type Column = (typeof columns)[number]

const columnOf = ({ status }: Order): Column => (status === 'received' || status === 'preparing' ? status : 'waiting')

/** The orders of each column that match what was typed, oldest first. */
export function board(all: Order[], typed: string): Record<Column, Order[]> {
  const found = { waiting: [] as Order[], received: [] as Order[], preparing: [] as Order[] }
  for (const order of all) {
    const { service, requester, notes } = order
    const texts = [service.nameAr, service.nameEn, notes, requester?.displayNameAr, requester?.displayNameEn, requester?.username]
    if (matches(typed, ...texts)) found[columnOf(order)].push(order)
  }
  return found
}

export const oldestWaiting = () => incoming.peek()?.find(({ status }) => status === 'pending')

/** How long an order waits before it is late, and before it is far too late, in minutes. */
const LATE = 15
const TOO_LATE = 30
/** How late a waiting order is. */
export function lateness({ status, createdAt }: Order) {
  const minutes = (minute.value.getTime() - Date.parse(createdAt)) / 60_000
  if (status !== 'pending' || minutes < LATE) return undefined
  return minutes < TOO_LATE ? ('warn' as const) : ('danger' as const)
}

/** The most that one call deletes. */
export const MOST = 200

export interface Verdict {
  order: Order
  isDeleted: boolean
  /** What became of an order that was not deleted; undefined where it was gone already. */
  now?: Order | undefined
}

/** Deletes orders, each where the reader may, and says what became of each. A refusal is thrown. */
export async function removeAll(orders: Order[]): Promise<Verdict[]> {
  const { deletedIds } = await answer(api.POST('/orders/bulk-delete', { body: { ids: orders.map(({ id }) => id) } }))
  const deleted = new Set(deletedIds)
  const verdicts: Verdict[] = []
  for (const order of orders) {
    const isDeleted = deleted.has(order.id)
    const now = isDeleted ? undefined : await rereadOrder(order.id)
    if (!now) leaveBoard(order.id)
    verdicts.push({ order, isDeleted, now })
  }
  return verdicts
}

export type Receiver = Schemas['PersonSummary']

/** Active people who may receive orders, by part of a name; for administrators. */
export const findReceivers = async (typed: string): Promise<Receiver[]> =>
  (await answer(api.GET('/orders/receivers', { params: { query: { limit: 20, ...(typed && { q: typed }) } } }))).map(({ user }) => user)
