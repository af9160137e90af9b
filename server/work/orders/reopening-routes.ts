import { changed } from '../../platform/changes/outcome.ts'
import { command } from '../../platform/http/endpoint.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { addText } from './conversation.ts'
import { Reopening } from './conversation-shapes.ts'
import { decidingOn } from './deciders.ts'
import { lockOrder } from './queries.ts'
import { checkReopening, reopened, reopenOrder } from './reopening.ts'
import { askerOf, shownTo } from './rules.ts'
import { ServiceOrder } from './shapes.ts'
import { checkStanding } from './standing.ts'

export const reopenCompletedOrder = command('POST /orders/:id/reopen', {
  summary: 'Reopen a completed order that was not solved',
  description:
    'For its requester and the person for whom it is, within the days that the service allows after the first completion, at most 3 times, whether or not the service can be ordered now. It is `received` by the same person if they still receive it, else `pending`; this person or all receivers, and the leads of its team, are notified. The text becomes a message. Targets, first times, and whether they were in time stay as they were.',
  allow: 'signed-in',
  scope: 'orders:write',
  params: IdParams,
  body: Reopening,
  reply: ServiceOrder,
  refuses: ['not_found', 'forbidden', 'invalid_transition', 'too_late'],
  run: async ({ tx, actor, params: { id }, body: { text } }) => {
    const order = await lockOrder(tx, id)
    checkStanding(order, askerOf(actor), 'reopen', await decidingOn(tx, order, actor.id))
    await checkReopening(tx, order)
    const written = await reopenOrder(tx, id)
    // Passes no assignee, because the reopening itself already notifies them.
    const { change } = await addText(tx, {
      ...{ place: 'message', order: { ...written.order, assignedTo: null } },
      ...{ authorId: actor.id, text, isUncounted: true },
    })
    return changed(shownTo(written.order, actor), reopened(written), change)
  },
})
