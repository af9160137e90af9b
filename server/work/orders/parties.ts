/** The order as its parties are told of it: its requester, and the person for whom it is. */
import type { Static } from 'typebox'
import type { Event } from '../../platform/changes/change-kind.ts'
import type { OrderView } from './queries.ts'
import { nextStatuses } from './rules.ts'
import type { ServiceOrder } from './shapes.ts'

/** The order as its requester sees it, with what decides on who is told. */
export type Payload = Static<typeof ServiceOrder> &
  Pick<OrderView, 'team' | 'isAbandoned'> &
  Partial<Pick<OrderView, 'hold' | 'beneficiaryId' | 'beneficiary'>>

/** What the parties get when it was placed or has moved on, each with what they may do. */
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
