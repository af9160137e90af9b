/** What the person's orders have beyond themselves, and the orders that others have placed for them. */
import { resource } from '../platform/cache.ts'
import { me } from '../platform/session.ts'
import type { ListedDetails, Order } from './data.ts'

/** The newest; older ones have ended long ago. */
const newest = resource('/orders/details', { query: { limit: 200 } })

/** By the ids of the orders. Reading it in a component subscribes the component. */
export const beyondMine = (): ReadonlyMap<number, ListedDetails> =>
  new Map(newest.data?.items.map(({ details }) => [details.orderId, details]))

/** The person's own orders and those that others have placed for them, newest first; undefined until both are known. */
export function withForMe(own: readonly Order[]): Order[] | undefined {
  if (!newest.data) return newest.error ? [...own] : undefined
  const forMe = newest.data.items.flatMap(({ order }) => (order.userId === me.value?.id ? [] : order))
  return [...own, ...forMe].toSorted((one, other) => other.id - one.id)
}
