import { sql } from 'kysely'
import { Type } from 'typebox'
import { type Event, given, kind, type PeopleQuery, type Recipients } from '../../platform/changes/change-kind.ts'
import { OneOf } from '../../platform/http/shape.ts'
import type { paramsFor } from './rules.ts'
import type { detailsChanges } from './shapes.ts'
import { waitsFor } from './waiting.ts'

function readersOf(orderId: number, change: (typeof detailsChanges)[number]) {
  if (change === 'note') return sql<number[]>`order_note_readers(${orderId})`
  return change === 'message' ? sql<number[]>`order_message_readers(${orderId})` : sql<number[]>`order_readers(${orderId})`
}

/**
 * The event that the details of an order have changed: for the people who may read the changed part, and for `former` readers, who may have
 * lost the right.
 */
export const detailsChanged = (orderId: number, change: (typeof detailsChanges)[number], former?: PeopleQuery): Event => ({
  event: 'order_details_changed',
  data: { orderId, change },
  to: former ? sql`array(select unnest(${readersOf(orderId, change)}) union select unnest(${former}))` : readersOf(orderId, change),
})

interface Told {
  params: ReturnType<typeof paramsFor>
}
const Params = Type.Object({ service: Type.String(), person: Type.String() })
const notice = (orderId: number) => ({ type: 'order', relatedType: 'order', relatedId: orderId }) as const

/** The facts omit the texts, because those are deleted with the order. */
export const conversationChanges = {
  'order.messaged': kind({
    targetType: 'order',
    facts: Type.Object({ messageId: Type.Integer() }),
    needs: { recipients: given<Recipients>(), payload: given<Told>() },
    audits: 'nothing',
    notifies: (_tx, { targetId, recipients, payload: { params } }) => [
      { ...notice(targetId), recipients, template: 'order_message', params },
    ],
    emits: (_tx, { targetId }) => [detailsChanged(targetId, 'message')],
  }),
  'order.noted': kind({
    targetType: 'order',
    facts: Type.Object({ noteId: Type.Integer() }),
    needs: { recipients: given<Recipients>(), payload: given<Told>() },
    audits: 'nothing',
    notifies: (_tx, { targetId, recipients, payload: { params } }) => [{ ...notice(targetId), recipients, template: 'order_note', params }],
    emits: (_tx, { targetId }) => [detailsChanged(targetId, 'note')],
  }),
  'order.waited': kind({
    targetType: 'order',
    facts: Type.Object({
      for: OneOf(waitsFor),
      until: Type.Union([Type.String(), Type.Null()]),
    }),
    audits: 'nothing',
    emits: (_tx, { targetId }) => [detailsChanged(targetId, 'waiting')],
  }),
  /**
   * A wait has ended: by a command, by a message of the requester or the beneficiary, or at `until`. A move also ends a wait, but without
   * this change.
   */
  'order.resumed': kind({
    targetType: 'order',
    facts: Type.Object({
      by: Type.Union([Type.Literal('command'), Type.Literal('message'), Type.Literal('until')]),
      params: Type.Union([Type.Object({ ar: Params, en: Params }), Type.Null()]),
    }),
    needs: { recipients: given<Recipients>() },
    audits: 'nothing',
    notifies: (_tx, { targetId, facts: { params }, recipients }) =>
      params ? [{ ...notice(targetId), recipients, template: 'order_wait_over', params }] : [],
    emits: (_tx, { targetId }) => [detailsChanged(targetId, 'waiting')],
  }),
}
