/** The details of the person's orders, and the orders that somebody else has placed for them. */
import { resource } from '../../platform/cache.ts'
import type { Schemas } from '../../platform/client.ts'
import { me } from '../../platform/session.ts'

type Order = Schemas['ServiceOrder']
type ListedDetails = Schemas['ListedOrderDetails']

/** The newest orders are enough, because older ones have ended long ago. */
export const newestOfMine = resource('/orders/details', { query: { limit: 200 } })

/** The details by order id. Reading them in a component subscribes the component. */
export const beyondMine = (): ReadonlyMap<number, ListedDetails> =>
  new Map(newestOfMine.data?.items.map(({ details }) => [details.orderId, details]))

/**
 * The person's own orders (`own`) and those that somebody else has placed for them, newest first. Undefined until the details, which
 * contain the orders placed by somebody else, are loaded; if that fails, `own` alone.
 */
export function withForMe(own: Order[]): Order[] | undefined {
  const { data, error } = newestOfMine
  if (!data) return error && own
  const forMe = data.items.map(({ order }) => order).filter(({ userId }) => userId !== me.value?.id)
  return [...own, ...forMe].toSorted((one, other) => other.id - one.id)
}
