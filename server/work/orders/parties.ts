/** The events that tell the parties of an order, its requester and its beneficiary, about it. */
import type { Static } from 'typebox'
import type { Event } from '../../platform/changes/change-kind.ts'
import type { OrderView } from './queries.ts'
import { nextStatuses } from './rules.ts'
import type { ServiceOrder } from './shapes.ts'

/** The order as its requester sees it, with the fields that decide on the recipients. */
export type Payload = Static<typeof ServiceOrder> &
  Pick<OrderView, 'team' | 'isAbandoned'> &
  Partial<Pick<OrderView, 'hold' | 'beneficiaryId' | 'beneficiary'>>

/** The events to the parties when an order was placed or has moved, each with the steps that its recipient may take. */
export function updated(order: Payload): Event[] {
  const toRequester: Event = { event: 'order_updated', data: { order }, to: [order.userId] }
  const { beneficiary, beneficiaryId: id } = order
  if (!beneficiary || !id) return [toRequester]
  const asker = {
    id,
    isAdmin: beneficiary.isAdmin,
    receives: () => beneficiary.isReceiver,
    leads: () => beneficiary.isLead,
    hasScope: () => true,
  }
  return [toRequester, { event: 'order_updated', data: { order: { ...order, next: nextStatuses(order, asker) } }, to: [id] }]
}
