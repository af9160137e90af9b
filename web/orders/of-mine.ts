/** The details of the person's orders, and the orders that somebody else has placed for them. */
import { resource } from '../platform/cache.ts'
import { me } from '../platform/session.ts'
import type { ListedDetails, Order } from './data.ts'

/** The newest orders are enough, because older ones have ended long ago. */
export const newestOfMine = resource('/orders/details', { query: { limit: 200 } })

/** The details by order id. Reading them in a component subscribes the component. */
export const beyondMine = (): ReadonlyMap<number, ListedDetails> =>
  new Map(newestOfMine.data?.items.map(({ details }) => [details.orderId, details]))

/** The person's own orders and those that somebody else has placed for them, newest first; undefined until both are known. */
export function withForMe(own: readonly Order[]): Order[] | undefined {
  if (!newestOfMine.data) return newestOfMine.error ? [...own] : undefined
  const forMe = newestOfMine.data.items.flatMap(({ order }) => (order.userId === me.value?.id ? [] : order))
  return [...own, ...forMe].toSorted((one, other) => other.id - one.id)
}
