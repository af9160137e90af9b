/** What the orders on the board have beyond themselves: their team, their targets and whether they have answers. */
import { computed } from '@preact/signals'
import { detailsAt, incoming, type ListedDetails, type Order } from '../orders/data.ts'
import { resource } from '../platform/cache.ts'
import type { Schemas } from '../platform/client.ts'
import { myTeams } from '../platform/session.ts'
import { MOST } from './data.ts'

const catalogue = resource('/service-catalogue')

/** The services whose orders are not read one by one: those of a team come with its list, and others have no more than themselves. */
const plain = computed(
  () =>
    catalogue.data &&
    new Set(
      catalogue.data.flatMap(({ serviceId, teamNameEn, mayOrderForOthers, formVersion, receiveMinutes, completeMinutes }) =>
        teamNameEn === null && (mayOrderForOthers || (formVersion ?? receiveMinutes ?? completeMinutes) !== null) ? [] : serviceId,
      ),
    ),
)

/** Whether an order of no team has more than itself, or nobody knows. */
const hasMore = ({ serviceId }: Order) => (plain.value ? !plain.value.has(serviceId) : catalogue.error !== undefined)

/** What an order of no team has beyond itself. Reading it in a component subscribes the component. */
export const detailsBeside = (order: Order): ListedDetails | undefined => (hasMore(order) ? detailsAt(order.id).data : undefined)

/** Of so many orders of no team the board knows the turn; a longer list draws only some, whose cards read for themselves. */
const FEW = 60

/** The same of the orders of the reader's teams, and of the first of no team. */
export function detailsOnBoard(): ReadonlyMap<number, ListedDetails> {
  const found = new Map<number, ListedDetails>()
  const statuses = myTeams.data?.length ? (['pending', 'received', 'preparing'] as const) : []
  for (const status of statuses)
    for (let offset: number | null | undefined = 0; typeof offset === 'number'; ) {
      const page: Schemas['OrderDetailsPage'] | undefined = resource('/orders/details', {
        query: { view: 'team', status, limit: MOST, offset },
      }).data
      for (const { details } of page?.items ?? []) found.set(details.orderId, details)
      offset = page?.nextOffset
    }
  const beside = incoming.data?.filter((order) => !found.has(order.id) && hasMore(order)) ?? []
  for (const order of beside.slice(0, FEW)) {
    const details = detailsAt(order.id).data
    if (details) found.set(order.id, details)
  }
  return found
}
