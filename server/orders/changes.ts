import { type Static, Type } from 'typebox'
import { type Event, kind } from '../platform/changes/change-kind.ts'
import type { OrderView } from './queries.ts'
import { deletionEvents, incomingChanged, textOf, turnOf } from './rules.ts'
import { OrderStatus } from './shapes.ts'

/** What the texts about an order name: the service, and who ordered or received it. */
const Words = Type.Object({ service: Type.String(), person: Type.String() })
const inBoth = Type.Object({ ar: Words, en: Words })

const Placed = Type.Object({ serviceId: Type.Integer(), words: inBoth })
const Moved = Type.Object({ from: OrderStatus, to: OrderStatus, userId: Type.Integer(), words: inBoth })
const Deleted = Type.Object({
  status: OrderStatus,
  userId: Type.Integer(),
  assignedTo: Type.Union([Type.Integer(), Type.Null()]),
})

/** `reach` of each is everyone who receives orders. */
interface Reaching<F> {
  subject: number
  facts: F
  reach?: number[] | 'everyone'
}
const receivers = ({ reach }: Reaching<unknown>) => reach as number[]

/** `shows` is the order as it has become. */
function tellOfMove(change: Reaching<Static<typeof Moved>> & { shows?: object }): Event[] {
  const { from, to, userId } = change.facts
  const { undoUntil: _, ...order } = change.shows as OrderView
  return [{ event: 'order_updated', data: { order }, to: [userId] }, incomingChanged(order, turnOf(from, to), receivers(change))]
}

const notice = (about: number) => ({ type: 'order', relatedType: 'order', relatedId: about }) as const

export const orderChanges = {
  'order.placed': kind({
    about: 'order',
    facts: Placed,
    audits: 'nothing',
    histories: 'nothing',
    tells: (_tx, change) => [{ ...notice(change.subject), whom: receivers(change), says: 'order_placed', words: change.facts.words }],
    emits: (_tx, change) => [incomingChanged({ id: change.subject, status: 'pending', assignedTo: null }, 'placed', receivers(change))],
  }),
  /** Claimed, worked on, cancelled, restored, or returned because its receiver is gone. */
  'order.moved': kind({
    about: 'order',
    facts: Moved,
    audits: 'nothing',
    histories: 'nothing',
    tells: (_tx, { subject, facts: { from, to, userId, words } }) => [
      { ...notice(subject), whom: [userId], says: textOf(from, to), words },
    ],
    emits: (_tx, change) => tellOfMove(change),
  }),
  'order.deleted': kind({
    about: 'order',
    facts: Deleted,
    audits: 'nothing',
    histories: 'nothing',
    tells: 'nobody',
    emits: (_tx, change) => deletionEvents([{ id: change.subject, ...change.facts }], receivers(change)),
  }),
}
