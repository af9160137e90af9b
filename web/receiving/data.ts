/** The board of a receiver: its columns, and what is done to several orders at once. */
import { incoming, type Order } from '../orders/data.ts'
import { answer, api, type Schemas } from '../platform/client.ts'
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

const PERMISSION = 'orders.receive'
let asked: Promise<string[]> | undefined

/** The names of the roles that may receive orders. */
async function receivingRoles() {
  const permissions = await answer(api.GET('/permissions'))
  const id = permissions.find(({ name }) => name === PERMISSION)?.id
  if (id === undefined) return []
  const { items } = await answer(api.GET('/permissions/{id}/dependents/roles', { params: { path: { id }, query: { limit: 200 } } }))
  return items.map(({ name }) => name)
}

/** Active people who may receive orders, by part of a name; for administrators. */
export async function findReceivers(typed: string): Promise<Schemas['UserProfile'][]> {
  asked ??= receivingRoles()
  const roles = await asked.catch((failure) => {
    asked = undefined
    throw failure
  })
  const query = { status: 'active', ...(typed && { q: typed }) } as const
  const people = await answer(api.GET('/users', { params: { query } }))
  return people.filter((person) => person.roles.some((role) => roles.includes(role)))
}
