import { requireInAdministration } from '../../platform/auth/confirmation.ts'
import { type Change, changed } from '../../platform/changes/outcome.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command } from '../../platform/http/endpoint.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { isVisible } from '../../platform/text.ts'
import { OrderApproval, OrderDenial } from './approval-shapes.ts'
import { findAsked, finishStep, judgeDecider, type OpenStep, openNext, refuseHeld, release, writeDecision } from './approving.ts'
import { readPerson } from './conversation.ts'
import { readOneDetails } from './details.ts'
import { asRequested, lockOrder, type OrderView, readWritten } from './queries.ts'
import { paramsFor } from './rules.ts'
import { OrderDetails } from './shapes.ts'

const aboutOrder = ({ serviceId, userId, beneficiaryId }: OrderView) => ({ serviceId, beneficiaryId: beneficiaryId ?? userId })

const decided = (order: OrderView, { key }: OpenStep, at: Date) => ({
  ...aboutOrder(order),
  ...{ step: key, at: at.toISOString() },
})

export const approveOrder = command('POST /orders/:id/approve', {
  summary: 'Approve the open step of an order that waits for approvals',
  description:
    'For its approvers and for administrators, one of whom suffices; never for its requester or the person for whom it is. Approvals count while their givers could still give them, and a second approval of the same person replaces the first. With the last one, the next step opens, or the order is released to its receivers. The parties are notified; `order_details_changed` is sent.',
  allow: 'signed-in',
  params: IdParams,
  body: OrderApproval,
  record: OrderDetails,
  reply: OrderDetails,
  refuses: ['changed_meanwhile', 'not_found', 'forbidden', 'invalid_transition'],
  run: async ({ tx, actor, session, ifMatch, params: { id }, body: { note } }) => {
    const order = await lockOrder(tx, id)
    const { asAdmin, findStep } = await judgeDecider(tx, order, actor)
    await ifMatch(() => readOneDetails(tx, id, actor))
    const step = await findStep()
    if (asAdmin) await requireInAdministration(tx, session)
    const at = await writeDecision(tx, id, step, actor, { asAdmin, note })
    const isDone = await finishStep(tx, order, step, asAdmin)
    const next = isDone ? await openNext(tx, id) : null
    const isReleased = isDone && next === null
    const released = isReleased ? await release(tx, id) : null
    const written = asRequested(released ?? (await readWritten(tx, [id]))[0]!)
    const params = paramsFor(order.service, order.requester)
    const followed: Change[] = released ? [{ kind: 'order.released', targetId: id, facts: { params }, payload: written }] : []
    return changed(
      await readOneDetails(tx, id, actor),
      {
        kind: 'order.approved',
        targetId: id,
        facts: { ...decided(order, step, at), isDone, isReleased, params: paramsFor(order.service, await readPerson(tx, actor.id)) },
        recipients: next ? (await findAsked(tx, [{ id, userId: order.userId, place: next.place }])).get(id)! : [],
        payload: { order: written, asking: params },
      },
      ...followed,
    )
  },
})

export const denyOrder = command('POST /orders/:id/deny', {
  summary: 'Deny an order that waits for approvals; one denial decides',
  description:
    'For those who may approve it. It is cancelled for good, with the note as its reason. The parties are notified; `order_details_changed` is sent.',
  allow: 'signed-in',
  params: IdParams,
  body: OrderDenial,
  record: OrderDetails,
  reply: OrderDetails,
  refuses: ['changed_meanwhile', 'not_found', 'forbidden', 'reason_required', 'invalid_transition'],
  run: async ({ tx, actor, session, ifMatch, params: { id }, body: { note } }) => {
    const order = await lockOrder(tx, id)
    const { asAdmin, findStep } = await judgeDecider(tx, order, actor)
    const reason = note && isVisible(note) ? note : refuse('reason_required')
    await ifMatch(() => readOneDetails(tx, id, actor))
    const step = await findStep()
    if (asAdmin) await requireInAdministration(tx, session)
    const at = await writeDecision(tx, id, step, actor, { asAdmin, isDenial: true, note: reason })
    const [written] = await refuseHeld(tx, [id], null)
    return changed(await readOneDetails(tx, id, actor), {
      kind: 'order.denied',
      targetId: id,
      facts: { ...decided(order, step, at), params: paramsFor(order.service, await readPerson(tx, actor.id)) },
      payload: { ...asRequested(written!), reason },
    })
  },
})
