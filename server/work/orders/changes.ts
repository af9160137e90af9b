import { type Static, Type } from 'typebox'
import { given, kind } from '../../platform/changes/change-kind.ts'
import { receivers } from './queries.ts'
import { incomingChanged, orderChangeOf, paramsFor, textOf, textsForWorkers } from './rules.ts'
import { OrderStatus, type ServiceOrder } from './shapes.ts'

/** The parameters of the texts about an order: the service, and who ordered or received it. */
const Params = Type.Object({ service: Type.String(), person: Type.String() })
const inBoth = Type.Object({ ar: Params, en: Params })

const Placed = Type.Object({ serviceId: Type.Integer(), params: inBoth })
const Assignee = Type.Union([Type.Integer(), Type.Null()])
const Moved = Type.Object({
  from: OrderStatus,
  to: OrderStatus,
  userId: Type.Integer(),
  wasAssignedTo: Assignee,
  assignedTo: Assignee,
  params: inBoth,
})
const Deleted = Type.Object({
  status: OrderStatus,
  userId: Type.Integer(),
  assignedTo: Assignee,
})

const about = (orderId: number) => ({ relatedType: 'order', relatedId: orderId }) as const
const notice = (orderId: number) => ({ type: 'order', ...about(orderId) }) as const

/** The payload of a change is the order as its requester sees it. */
export const orderChanges = {
  'order.placed': kind({
    targetType: 'order',
    facts: Placed,
    needs: { payload: given<Static<typeof ServiceOrder>>() },
    audits: 'nothing',
    notifies: (_tx, { targetId, facts: { params } }) => [{ ...notice(targetId), recipients: receivers, template: 'order_placed', params }],
    emits: (_tx, { payload: order }) => [
      { event: 'order_updated', data: { order }, to: [order.userId] },
      incomingChanged(order, 'placed', receivers),
    ],
  }),
  /** Claimed, worked on, cancelled, restored, assigned, or returned to pending. */
  'order.moved': kind({
    targetType: 'order',
    facts: Moved,
    needs: { payload: given<Static<typeof ServiceOrder>>() },
    audits: 'nothing',
    notifies: (_tx, { targetId, facts, author, payload: { service, requester } }) => [
      { ...notice(targetId), recipients: [facts.userId], template: textOf(facts.from, facts.to), params: facts.params },
      ...textsForWorkers(facts, author?.id ?? null).map((text) => ({
        ...notice(targetId),
        ...text,
        params: paramsFor(service, requester),
      })),
    ],
    emits: (_tx, { facts: { from, to, userId }, payload: order }) => [
      { event: 'order_updated', data: { order }, to: [userId] },
      incomingChanged(order, orderChangeOf(from, to), receivers),
    ],
    /** A claimed or cancelled order needs no announcement, not even when it is pending again. */
    settles: ({ targetId, facts: { from } }) => (from === 'pending' ? [{ ...about(targetId), template: 'order_placed' }] : []),
  }),
  'order.deleted': kind({
    targetType: 'order',
    facts: Deleted,
    audits: 'nothing',
    emits: (_tx, { targetId: id, facts: { status, userId, assignedTo } }) => [
      { event: 'order_deleted', data: { orderId: id }, to: assignedTo === null ? [userId] : [userId, assignedTo] },
      incomingChanged({ id, status, assignedTo }, 'deleted', receivers),
    ],
    settles: ({ targetId }) => [about(targetId)],
  }),
}
