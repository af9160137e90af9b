import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { administrators } from '../../platform/auth/held.ts'
import { given, kind, type Recipients, type Settled } from '../../platform/changes/change-kind.ts'
import { receiversOf, staffOf } from '../service-teams/queries.ts'
import { detailsChanged } from './conversation-changes.ts'
import { type Payload, updated } from './parties.ts'
import { incomingChanged, orderChangeOf, paramsFor, partiesOf, reasonText, textOf, textsForWorkers } from './rules.ts'
import { OrderStatus } from './shapes.ts'

/** Whether the change ended a wait of the order. */
const endsWaiting = Type.Optional(Type.Boolean())
/** The parameters of the texts about an order: the service, and the person who ordered or received it. */
const Params = Type.Object({ service: Type.String(), person: Type.String() })
export const inBoth = Type.Object({ ar: Params, en: Params })

/** The receivers of an order; none if it waits for approvals or did not get them. */
export const receiversOfOrder = ({ team, hold }: Pick<Payload, 'team' | 'hold'>) => (hold ? [] : receiversOf(team?.id ?? null))

/** SQL: the active leads of a team; the administrators if it has none or was deleted. */
const leadsOf = ({ leadUserIds }: NonNullable<Payload['team']>) => sql`coalesce(
  nullif(array(select id from users where id = any(${leadUserIds}::int[]) and is_active and kind = 'person'), '{}'), ${administrators})`

/** SQL: the ids of the assignee of an order or, if it has none, of its receivers; and of the leads of its team. */
const withLeads = (order: Payload, assignedTo: number | null) => sql<number[]>`array(
  select unnest(${assignedTo === null ? receiversOfOrder(order) : sql`${[assignedTo]}::int[]`})
  union select unnest(${order.team ? leadsOf(order.team) : sql`'{}'::int[]`}))`

/** The beneficiary of an order, if that is not its requester. */
const beneficiaryId = Type.Optional(Type.Integer())
const Placed = Type.Object({ serviceId: Type.Integer(), beneficiaryId, params: inBoth })
const Assignee = Type.Union([Type.Integer(), Type.Null()])
const Moved = Type.Object({
  from: OrderStatus,
  to: OrderStatus,
  userId: Type.Integer(),
  wasAssignedTo: Assignee,
  assignedTo: Assignee,
  beneficiaryId,
  endsWaiting,
  params: inBoth,
})
const Deleted = Type.Object({
  status: OrderStatus,
  userId: Type.Integer(),
  assignedTo: Assignee,
  teamId: Type.Optional(Type.Integer()),
  beneficiaryId,
  /** Whether the order never got the approvals that it needs. */
  isHeld: Type.Optional(Type.Boolean()),
})
const Team = Type.Union([Type.Integer(), Type.Null()])
const TransferParams = Type.Object({ ...Params.properties, team: Type.String() })
const Transferred = Type.Object({
  from: OrderStatus,
  userId: Type.Integer(),
  wasAssignedTo: Assignee,
  fromTeamId: Team,
  toTeamId: Type.Integer(),
  endsWaiting,
  params: Type.Object({ ar: TransferParams, en: TransferParams }),
})

const Reopened = Type.Object({
  from: OrderStatus,
  to: OrderStatus,
  userId: Type.Integer(),
  assignedTo: Assignee,
  params: inBoth,
})
const Reminded = Type.Object({
  template: Type.Union([Type.Literal('order_unclaimed'), Type.Literal('order_due_soon'), Type.Literal('order_late')]),
  params: inBoth,
})

/**
 * An `order_details_changed` for the people whom `order_incoming_changed` does not reach: the leads of the team, who need not receive its
 * orders, and, unless the order is released, the people who decide on it.
 */
const toTeam = ({ id, team, hold }: Payload) => {
  if (hold) return [detailsChanged(id, 'approval')]
  return team ? [detailsChanged(id, 'details')] : []
}

const about = (orderId: number) => ({ relatedType: 'order', relatedId: orderId }) as const
export const notice = (orderId: number) => ({ type: 'order', ...about(orderId) }) as const

/** The notices that ask approvers. They are settled once the step is decided or the order is cancelled. */
export const asking = (orderId: number) =>
  (['order_approval_asked', 'order_approval_waiting'] as const).map((template): Settled => ({ ...about(orderId), template }))

/** The templates that tell receivers that an order waits. */
const announcing = ['order_placed', 'order_handed_over', 'order_reopened'] as const
const settledFrom = (from: Static<typeof OrderStatus>, orderId: number) =>
  from === 'pending' ? announcing.map((template) => ({ ...about(orderId), template })) : []
/** Settles the notice of a cancellation’s reason when the cancellation is undone. */
const settledReason = (from: Static<typeof OrderStatus>, orderId: number) =>
  from === 'cancelled' ? [{ ...about(orderId), template: 'order_cancelled_because' as const }] : []

export const orderChanges = {
  'order.placed': kind({
    targetType: 'order',
    facts: Placed,
    /** `recipients`: the people who are asked to approve the order. */
    needs: { recipients: given<number[]>(), payload: given<Payload>() },
    audits: 'nothing',
    notifies: (_tx, { targetId, facts: { params }, recipients, payload }) => [
      { ...notice(targetId), recipients: receiversOfOrder(payload), template: 'order_placed', params },
      ...(recipients.length ? [{ ...notice(targetId), recipients, template: 'order_approval_asked' as const, params }] : []),
      ...(payload.beneficiary
        ? [{ ...notice(targetId), recipients: [payload.beneficiaryId!], template: 'order_placed_for' as const, params }]
        : []),
    ],
    emits: (_tx, { payload: order }) => [
      ...updated(order),
      ...(order.hold ? [] : [incomingChanged(order, 'placed', receiversOfOrder(order))]),
      ...toTeam(order),
    ],
  }),
  /** The order was claimed, assigned, moved on, cancelled, restored or returned to pending. */
  'order.moved': kind({
    targetType: 'order',
    facts: Moved,
    needs: { payload: given<Payload & { reason?: string }>() },
    audits: 'nothing',
    notifies: (_tx, { targetId, facts, author, payload }) => [
      {
        ...notice(targetId),
        recipients: partiesOf(payload),
        ...(payload.reason ? reasonText(facts.params, payload.reason) : { template: textOf(facts.from, facts.to), params: facts.params }),
      },
      ...textsForWorkers({ ...facts, isAbandoned: payload.isAbandoned === true }, author?.id ?? null).map((text) => ({
        ...notice(targetId),
        ...text,
        params: paramsFor(payload.service, payload.requester),
      })),
    ],
    emits: (_tx, { facts: { from, to, endsWaiting }, payload: order }) => [
      ...updated(order),
      ...(order.hold ? [] : [incomingChanged(order, orderChangeOf(from, to), receiversOfOrder(order))]),
      ...toTeam(order),
      ...(endsWaiting ? [detailsChanged(order.id, 'waiting')] : []),
    ],
    /** Once an order is claimed or cancelled, its announcements are settled, and they stay settled even if it is pending again. */
    settles: ({ targetId, facts: { from, to } }) => [
      ...settledFrom(from, targetId),
      ...settledReason(from, targetId),
      ...(to === 'cancelled' ? asking(targetId) : []),
    ],
  }),
  /** The order was handed over to another team and waits for its receivers. */
  'order.transferred': kind({
    targetType: 'order',
    facts: Transferred,
    needs: { payload: given<Payload>() },
    audits: ({ facts: { fromTeamId, toTeamId } }) => ({ action: 'order.transfer', metadata: { fromTeamId, toTeamId } }),
    notifies: (_tx, { targetId, facts: { wasAssignedTo, params }, author, payload }) => [
      { ...notice(targetId), recipients: partiesOf(payload), template: 'order_transferred', params },
      { ...notice(targetId), recipients: receiversOfOrder(payload), template: 'order_handed_over', params },
      {
        ...notice(targetId),
        recipients: wasAssignedTo === null || [...partiesOf(payload), author?.id].includes(wasAssignedTo) ? [] : [wasAssignedTo],
        template: 'order_taken',
        params,
      },
    ],
    emits: (_tx, { facts: { fromTeamId, endsWaiting }, payload: order }) => [
      ...updated(order),
      incomingChanged(order, 'changed', receiversOf(fromTeamId)),
      incomingChanged(order, 'placed', receiversOfOrder(order)),
      detailsChanged(order.id, 'transferred', staffOf(fromTeamId)),
      ...(endsWaiting ? [detailsChanged(order.id, 'waiting')] : []),
    ],
    settles: ({ targetId, facts: { from } }) => settledFrom(from, targetId),
  }),
  /** A completed order was reopened. The leads of its team are notified even if the order has an assignee. */
  'order.reopened': kind({
    targetType: 'order',
    facts: Reopened,
    needs: { payload: given<Payload>() },
    audits: 'nothing',
    notifies: (_tx, { targetId, facts: { assignedTo, params }, payload }) => [
      { ...notice(targetId), recipients: withLeads(payload, assignedTo), template: 'order_reopened', params },
    ],
    emits: (_tx, { facts: { to }, payload: order }) => [
      ...updated(order),
      incomingChanged(order, to === 'pending' ? 'placed' : 'changed', receiversOfOrder(order)),
      detailsChanged(order.id, 'reopened'),
    ],
  }),
  /** A target is near or missed. */
  'order.reminded': kind({
    targetType: 'order',
    facts: Reminded,
    needs: { recipients: given<Recipients>() },
    audits: 'nothing',
    notifies: (_tx, { targetId, facts: { template, params }, recipients }) => [{ ...notice(targetId), recipients, template, params }],
    emits: (_tx, { targetId }) => [detailsChanged(targetId, 'due')],
  }),
  'order.deleted': kind({
    targetType: 'order',
    facts: Deleted,
    /** `recipients`: the approvers of the order’s opened steps, and the people who decided on it. */
    needs: { recipients: given<number[]>() },
    audits: 'nothing',
    emits: (_tx, { targetId: id, facts: { status, userId, assignedTo, teamId = null, beneficiaryId, isHeld }, recipients }) => {
      const named = [userId, ...(assignedTo === null ? [] : [assignedTo]), ...(beneficiaryId ? [beneficiaryId] : []), ...recipients]
      const to =
        isHeld || teamId === null ? named : sql<number[]>`array(select unnest(${named}::int[]) union select unnest(${staffOf(teamId)}))`
      return [
        { event: 'order_deleted', data: { orderId: id }, to },
        ...(isHeld ? [] : [incomingChanged({ id, status, assignedTo }, 'deleted', receiversOf(teamId))]),
      ]
    },
    settles: ({ targetId }) => [about(targetId)],
  }),
  /** The requester was deleted, and the order now belongs to its beneficiary. */
  'order.passed_on': kind({
    targetType: 'order',
    facts: Type.Object({ fromUserId: Type.Integer(), userId: Type.Integer(), params: inBoth }),
    needs: { payload: given<Payload>() },
    audits: 'nothing',
    emits: (_tx, { payload: order }) => [
      ...updated(order),
      ...(order.hold ? [] : [incomingChanged(order, 'changed', receiversOfOrder(order))]),
      detailsChanged(order.id, 'details'),
    ],
  }),
}
