/** The columns of the receiver's board, and actions on several orders at once. */

import { answer, api } from '../../platform/client.ts'
import { matches } from '../../platform/folded.ts'
import { leaveBoard, rereadOrder } from '../../platform/orders-in-cache.ts'
import type { Order } from '../orders/data.ts'
import { inTurn, type Row } from './turns.ts'

// The page of a team’s leads uses these functions, too.
export { cardOf, focusedCard, keepPlace, walk } from './keys.ts'
export { inTurn }

export const columns = ['waiting', 'received', 'preparing'] as const
export type Column = (typeof columns)[number]

const columnOf = ({ status }: Order): Column => (status === 'received' || status === 'preparing' ? status : 'waiting')

/** The orders of each column that match the typed text, those due first at the top. */
export function board(all: Row[], typed: string): Record<Column, Row[]> {
  const found = { waiting: [] as Row[], received: [] as Row[], preparing: [] as Row[] }
  for (const row of inTurn(all)) {
    const { service, requester, notes } = row.order
    const texts = [service.nameAr, service.nameEn, notes, requester?.displayNameAr, requester?.displayNameEn, requester?.username]
    if (matches(typed, ...texts)) found[columnOf(row.order)].push(row)
  }
  return found
}

/** The most orders that one call deletes. */
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
