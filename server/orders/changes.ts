import { type Static, Type } from 'typebox'
import { type Event, kind } from '../platform/changes/change-kind.ts'
import type { OrderView } from './queries.ts'
import { deletionEvents, incomingChanged, orderChangeOf, textOf } from './rules.ts'
import { OrderStatus } from './shapes.ts'

/** The parameters of the texts about an order: the service, and who ordered or received it. */
const Params = Type.Object({ service: Type.String(), person: Type.String() })
const inBoth = Type.Object({ ar: Params, en: Params })

const Placed = Type.Object({ serviceId: Type.Integer(), params: inBoth })
const Moved = Type.Object({ from: OrderStatus, to: OrderStatus, userId: Type.Integer(), params: inBoth })
const Deleted = Type.Object({
  status: OrderStatus,
  userId: Type.Integer(),
  assignedTo: Type.Union([Type.Integer(), Type.Null()]),
})

/** The `recipients` of each kind are all receivers of orders. */
interface Reaching<F> {
  targetId: number
  facts: F
  recipients?: number[] | 'everyone'
}
const receivers = ({ recipients }: Reaching<unknown>) => recipients as number[]

/** The `payload` is the order after the move. */
function tellOfMove(change: Reaching<Static<typeof Moved>> & { payload?: object }): Event[] {
  const { from, to, userId } = change.facts
  const { undoUntil: _, ...order } = change.payload as OrderView
  return [{ event: 'order_updated', data: { order }, to: [userId] }, incomingChanged(order, orderChangeOf(from, to), receivers(change))]
}

const notice = (about: number) => ({ type: 'order', relatedType: 'order', relatedId: about }) as const

export const orderChanges = {
  'order.placed': kind({
    targetType: 'order',
    facts: Placed,
    audits: 'nothing',
    histories: 'nothing',
    tells: (_tx, change) => [
      { ...notice(change.targetId), recipients: receivers(change), template: 'order_placed', params: change.facts.params },
    ],
    emits: (_tx, change) => [incomingChanged({ id: change.targetId, status: 'pending', assignedTo: null }, 'placed', receivers(change))],
  }),
  /** Claimed, worked on, cancelled, restored, or returned because its receiver left. */
  'order.moved': kind({
    targetType: 'order',
    facts: Moved,
    audits: 'nothing',
    histories: 'nothing',
    tells: (_tx, { targetId, facts: { from, to, userId, params } }) => [
      { ...notice(targetId), recipients: [userId], template: textOf(from, to), params },
    ],
    emits: (_tx, change) => tellOfMove(change),
  }),
  'order.deleted': kind({
    targetType: 'order',
    facts: Deleted,
    audits: 'nothing',
    histories: 'nothing',
    tells: 'nobody',
    emits: (_tx, change) => deletionEvents([{ id: change.targetId, ...change.facts }], receivers(change)),
  }),
}
