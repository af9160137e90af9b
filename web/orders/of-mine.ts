/** What the person's own orders have beyond themselves: their team, and whether somebody waits for an answer. */
import { resource } from '../platform/cache.ts'
import type { ListedDetails } from './data.ts'

/** The newest; older ones have ended long ago. */
const newest = resource('/orders/details', { query: { limit: 200 } })

/** By the ids of the orders. Reading it in a component subscribes the component. */
export const beyondMine = (): ReadonlyMap<number, ListedDetails> =>
  new Map(newest.data?.items.map(({ details }) => [details.orderId, details]))
