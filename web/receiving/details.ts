/** What the orders on the board have beyond themselves: their team, their targets, whether they have answers, and whether they wait. */
import type { ListedDetails } from '../orders/data.ts'
import { resource } from '../platform/cache.ts'
import type { Schemas } from '../platform/client.ts'
import { MOST } from './data.ts'

/** The details of the orders on the board, from those on that are due first. */
export const detailsFrom = (offset: number) => resource('/orders/details', { query: { view: 'incoming', limit: MOST, offset } })

/** The details of the orders on the board, by order. */
export function detailsOnBoard(): ReadonlyMap<number, ListedDetails> {
  const found = new Map<number, ListedDetails>()
  for (let offset: number | null | undefined = 0; typeof offset === 'number'; ) {
    const page: Schemas['OrderDetailsPage'] | undefined = detailsFrom(offset).data
    for (const { details } of page?.items ?? []) found.set(details.orderId, details)
    offset = page?.nextOffset
  }
  return found
}
