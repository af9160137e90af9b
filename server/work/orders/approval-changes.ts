import { Type } from 'typebox'
import { given, kind, type Notice } from '../../platform/changes/change-kind.ts'
import { OneOf } from '../../platform/http/shape.ts'
import { lapseReasons } from './approval-shapes.ts'
import { asking, inBoth, notice, receiversOfOrder } from './changes.ts'
import { detailsChanged } from './conversation-changes.ts'
import { type Payload, updated } from './parties.ts'
import { incomingChanged, partiesOf, withReason } from './rules.ts'

/** The service and the beneficiary of an order. */
const aboutOrder = { serviceId: Type.Integer(), beneficiaryId: Type.Integer() }
const Decided = Type.Object({
  ...aboutOrder,
  /** The key of the step, and the moment of the decision, which tells the decisions of one person apart. */
  step: Type.String(),
  at: Type.String(),
  params: inBoth,
})
type About = { serviceId: number; beneficiaryId: number }
/** The audit log has neither notes nor answers. */
const logged = ({ serviceId, beneficiaryId }: About) => ({ serviceId, beneficiaryId })
/** The timeline finds the note of a decision by its moment. */
const decided = ({ step, at, ...facts }: About & { step: string; at: string }) => ({ ...logged(facts), step, at })

const toParties = (order: Payload, template: Notice['template'] & `order_${string}`, params: { ar: Params; en: Params }) =>
  ({ ...notice(order.id), recipients: partiesOf(order), template, params }) as Notice
interface Params {
  service: string
  person: string
}

export const approvalChanges = {
  /** Somebody approved a step. If the step has enough approvals, the next one opens, or the order is released. */
  'order.approved': kind({
    targetType: 'order',
    facts: Type.Object({ ...Decided.properties, isDone: Type.Boolean(), isReleased: Type.Boolean() }),
    /** The approvers of the next step who are notified, the order, and the parameters of their notice. */
    needs: { recipients: given<number[]>(), payload: given<{ order: Payload; asking: { ar: Params; en: Params } }>() },
    audits: ({ facts }) => ({ action: 'order.approve', metadata: decided(facts) }),
    notifies: (_tx, { targetId, facts: { isReleased, params }, recipients, payload: { order, asking } }) => [
      toParties(order, isReleased ? 'order_released' : 'order_approved', params),
      ...(recipients.length
        ? [{ ...notice(targetId), recipients, template: 'order_approval_asked' as const, params: asking, tellsAuthor: true as const }]
        : []),
    ],
    emits: (_tx, { targetId }) => [detailsChanged(targetId, 'approval')],
    settles: ({ targetId, facts: { isDone } }) => (isDone ? asking(targetId) : []),
  }),
  /** The order has its approvals: its team now sees it. */
  'order.released': kind({
    targetType: 'order',
    facts: Type.Object({ params: inBoth }),
    needs: { payload: given<Payload>() },
    audits: 'nothing',
    notifies: (_tx, { targetId, facts: { params }, payload }) => [
      { ...notice(targetId), recipients: receiversOfOrder(payload), template: 'order_placed', params },
    ],
    emits: (_tx, { targetId, payload: order }) => [
      ...updated(order),
      incomingChanged(order, 'placed', receiversOfOrder(order)),
      detailsChanged(targetId, 'released'),
    ],
  }),
  'order.denied': kind({
    targetType: 'order',
    facts: Decided,
    /** The note is not among the facts, because it is deleted with the order. */
    needs: { payload: given<Payload & { reason: string }>() },
    audits: ({ facts }) => ({ action: 'order.deny', metadata: decided(facts) }),
    notifies: (_tx, { facts: { params }, payload: { reason, ...order } }) => [
      { ...notice(order.id), recipients: partiesOf(order), template: 'order_denied', params: withReason(params, reason) },
    ],
    emits: (_tx, { targetId, payload: { reason: _, ...order } }) => [...updated(order), detailsChanged(targetId, 'approval')],
    settles: ({ targetId }) => asking(targetId),
  }),
  /** Nobody decided in time, or the beneficiary is deleted or inactive. */
  'order.lapsed': kind({
    targetType: 'order',
    facts: Type.Object({ ...aboutOrder, reason: OneOf(lapseReasons), params: inBoth }),
    needs: { payload: given<Payload>() },
    audits: ({ facts }) => ({ action: 'order.lapse', metadata: { ...logged(facts), reason: facts.reason } }),
    notifies: (_tx, { facts: { reason, params }, payload }) => [
      toParties(payload, reason === 'undecided' ? 'order_undecided' : 'order_person_gone', params),
    ],
    emits: (_tx, { targetId, payload: order }) => [...updated(order), detailsChanged(targetId, 'approval')],
    settles: ({ targetId }) => asking(targetId),
  }),
  /**
   * The order still waits. Approvers who have not approved are reminded; with `reminders` 0, the step has no approvers, and administrators
   * are asked.
   */
  'order.approval_reminded': kind({
    targetType: 'order',
    facts: Type.Object({ reminders: Type.Integer(), params: inBoth }),
    needs: { recipients: given<number[]>() },
    audits: 'nothing',
    notifies: (_tx, { targetId, facts: { reminders, params }, recipients }) => [
      { ...notice(targetId), recipients, template: reminders === 0 ? 'order_approval_asked' : 'order_approval_waiting', params },
    ],
    emits: 'nothing',
  }),
}
