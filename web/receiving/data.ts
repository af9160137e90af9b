/** The columns of the receiver's board, and actions on several orders at once. */
import { signal } from '@preact/signals'
import { incoming, type Order } from '../orders/data.ts'
import { present } from '../platform/ago.ts'
import { answer, api, type Schemas } from '../platform/client.ts'
import { matches } from '../platform/folded.ts'
import { leaveBoard, rereadOrder } from '../platform/orders-in-cache.ts'

export const columns = ['waiting', 'received', 'preparing'] as const
export type Column = (typeof columns)[number]

const columnOf = ({ status }: Order): Column => (status === 'received' || status === 'preparing' ? status : 'waiting')

/** The orders of each column that match the typed text, oldest first. */
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

/** After how many minutes an order is late, and far too late. */
const LATE = 15
const TOO_LATE = 30
/** How late a waiting order is. */
export function lateness({ status, createdAt }: Order) {
  const minutes = (present().getTime() - Date.parse(createdAt)) / 60_000
  if (status !== 'pending' || minutes < LATE) return undefined
  return minutes < TOO_LATE ? ('warn' as const) : ('danger' as const)
}

/** The most that one call deletes. */
export const MOST = 200

export interface Verdict {
  order: Order
  isDeleted: boolean
  /** The current state of an order that was not deleted; undefined if it was already gone. */
  now?: Order | undefined
}

/** Deletes the orders that the reader may delete. Returns the outcome for each; throws a refusal. */
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

/** Active people who may receive orders, or this one, by part of a name; for those who may assign it. */
export async function findReceivers(typed: string, orderId?: number): Promise<Receiver[]> {
  const query = { limit: 20, ...(typed && { q: typed }), ...(orderId && { orderId }) }
  return (await answer(api.GET('/orders/receivers', { params: { query } }))).map(({ user }) => user)
}

/** The team of each order, as of an update of it; null: it has none. */
const known = signal<ReadonlyMap<number, { teamId: number | null; updatedAt: string }>>(new Map())

/** Reads the teams of orders again if one of these is new or was updated since. */
export async function learnTeams(orders: Order[]) {
  if (orders.every(({ id, updatedAt }) => (known.peek().get(id)?.updatedAt ?? '') >= updatedAt)) return
  const found = new Map(orders.map(({ id, updatedAt }) => [id, { teamId: null as number | null, updatedAt }]))
  for (const status of ['pending', 'received', 'preparing'] as const)
    for (let offset: number | null = 0; offset !== null; ) {
      const query = { view: 'team', status, limit: MOST, offset } as const
      const page: Schemas['OrderDetailsPage'] = await answer(api.GET('/orders/details', { params: { query } }))
      for (const { order, details } of page.items) found.set(order.id, { teamId: details.teamId, updatedAt: order.updatedAt })
      offset = page.nextOffset
    }
  known.value = found
}

/** Whether a team does an order. Reading it in a component subscribes the component. */
export const isOfTeam = (teamId: number, { id }: Order) => known.value.get(id)?.teamId === teamId
