/** What the orders on the board have beyond themselves: their team, their targets and whether they have answers. */
import { incoming, type ListedDetails, type Order } from '../orders/data.ts'
import { dueOf } from '../parts/due/due-of.ts'
import { present } from '../platform/ago.ts'
import { resource } from '../platform/cache.ts'
import type { Schemas } from '../platform/client.ts'
import { MOST } from './data.ts'

/** What the open orders of the reader's teams have beyond themselves. Reading it in a component subscribes the component. */
export function detailsOnBoard(): ReadonlyMap<number, ListedDetails> {
  const found = new Map<number, ListedDetails>()
  for (const status of ['pending', 'received', 'preparing'] as const)
    for (let offset: number | null | undefined = 0; typeof offset === 'number'; ) {
      const page: Schemas['OrderDetailsPage'] | undefined = resource('/orders/details', {
        query: { view: 'team', status, limit: MOST, offset },
      }).data
      for (const { details } of page?.items ?? []) found.set(details.orderId, details)
      offset = page?.nextOffset
    }
  return found
}

/** Whether nobody needs to think of an order yet. */
export const isForLater = (details: ListedDetails | undefined) => details?.progress === 'later'

const END = '\uffff'
/** Where the known targets say so, the waiting order that is due first; otherwise the oldest. Those for later come last. */
export function nextWaiting(details: ReadonlyMap<number, ListedDetails>) {
  const waiting = incoming.peek()?.filter(({ status }) => status === 'pending') ?? []
  const dueAt = (order: Order) => {
    const known = details.get(order.id)
    return (known && dueOf(order, known.times, present())?.at) ?? END
  }
  const later = (order: Order) => Number(isForLater(details.get(order.id)))
  return waiting.toSorted((one, other) => later(one) - later(other) || dueAt(one).localeCompare(dueAt(other)) || one.id - other.id)[0]
}
