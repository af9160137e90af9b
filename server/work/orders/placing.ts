/** Placing orders of several people in one transaction. */
import type { Static } from 'typebox'
import type { Actor } from '../../platform/auth/actor.ts'
import { decideEach, type Outcome } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { quotaExceeded, Refusal, refuse } from '../../platform/errors/refusal.ts'
import { type Judged, judgeSent } from './answering.ts'
import { keepAnswers } from './details.ts'
import { useFiles } from './files.ts'
import { MOST_PENDING, type Placed, placeOrders, UNJUDGED } from './new-orders.ts'
import type { OrderView } from './queries.ts'
import type { NewOrder } from './shapes.ts'

interface Call {
  actor: Actor
  body: Static<typeof NewOrder>
}

/** Whether nothing but a form stands in the way of an order. */
const awaitsAnswers = ({ isAvailable, pause, pending, order }: Placed) => isAvailable && !pause && !order && pending < MOST_PENDING

/**
 * Places an order for each call, or refuses it. The orders of services without a form are placed at once. The answers of the others are
 * judged one by one, again if the form has changed before they are placed.
 */
export async function decideOnOrders<Reply>(tx: Tx, calls: Call[], placed: (order: OrderView, actor: Actor) => Outcome<Reply>) {
  const placings: (Placed | Refusal)[] = await placeOrders(
    tx,
    calls.map(({ actor, body: { serviceId, notes, formVersion } }) => ({
      userId: actor.id,
      ...{ serviceId, notes },
      version: formVersion ? UNJUDGED : null,
    })),
  )
  const waiting = () => placings.flatMap((one, n) => (one instanceof Refusal || !awaitsAnswers(one) ? [] : [n]))
  for (let left = waiting(); left.length; left = waiting()) {
    const verdicts = await judgeSent(
      tx,
      left.map((n) => ({ ...calls[n]!.body, userId: calls[n]!.actor.id })),
    )
    const accepted: { n: number; answers: Judged }[] = []
    verdicts.forEach((answers, place) => {
      const n = left[place]!
      if (answers instanceof Refusal) placings[n] = answers
      else accepted.push({ n, answers })
    })
    const orders = accepted.length ? await placeJudged(tx, calls, accepted) : []
    orders.forEach((one, place) => {
      placings[accepted[place]!.n] = one
    })
  }
  return decideEach(calls, ({ actor }, n) => {
    const placing = placings[n]!
    if (placing instanceof Refusal) throw placing
    const { isAvailable, pause, pending, order } = placing
    if (!isAvailable) refuse('service_unavailable')
    if (pause) refuse('service_unavailable', { body: { ...pause, until: pause.until && new Date(pause.until) } })
    if (!order) throw quotaExceeded({ quota: 'pending_orders', used: pending, allowed: MOST_PENDING })
    return placed(order, actor)
  })
}

async function placeJudged(tx: Tx, calls: Call[], accepted: { n: number; answers: Judged }[]) {
  const placings = accepted.map(({ n, answers: { version } }) => {
    const { actor, body } = calls[n]!
    return { userId: actor.id, serviceId: body.serviceId, notes: body.notes, version: version || null }
  })
  const placed = await placeOrders(tx, placings)
  const answered = placed.flatMap(({ order }, place) => (order ? [{ orderId: order.id, ...accepted[place]!.answers }] : []))
  await keepAnswers(tx, answered)
  for (const { orderId, objectIds } of answered) await useFiles(tx, { orderId, objectIds })
  return placed
}
