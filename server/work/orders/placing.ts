/** Placing orders of several people in one transaction. */
import type { Static } from 'typebox'
import type { Actor } from '../../platform/auth/actor.ts'
import { decideEach, type Outcome } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { quotaExceeded, Refusal, refuse } from '../../platform/errors/refusal.ts'
import type { Answers } from '../service-forms/rules.ts'
import { type Judged, judgeSent } from './answering.ts'
import { findAsked } from './approving.ts'
import { keepAnswers } from './details.ts'
import { useFiles } from './files.ts'
import { judgeOrdering, judgeTerms, keepTerms, readSteps, type Terms } from './holding.ts'
import { MOST_PENDING, type Placed, placeOrders, UNJUDGED } from './new-orders.ts'
import { type OrderView, readViews, viewsOf } from './queries.ts'
import type { NewOrder } from './shapes.ts'

interface Call {
  actor: Actor
  body: Static<typeof NewOrder>
}
/** A placed order, and the approvers who are notified of it. */
type Placing = Placed & { asked?: number[] }

/**
 * Whether an order was not placed only because it was not judged yet, or because its judgement is out of date: the form or the steps of its
 * service, or the rights of its beneficiary, have changed.
 */
const awaitsAnswers = ({ isAvailable, pause, pending, order }: Placed) => isAvailable && !pause && !order && pending < MOST_PENDING

/** The beneficiary of an order; null if it is for the caller. */
const beneficiaryIn = ({ actor, body: { forUserId = null } }: Call) => (forUserId === actor.id ? null : forUserId)

/**
 * Places an order for each call, or refuses it. Orders of services without a form or approvals are placed in one statement, unless they are
 * for somebody else. The rest are judged one by one, and again if their service has changed before they are placed.
 */
export async function decideOnOrders<Reply>(
  tx: Tx,
  calls: Call[],
  placed: (order: OrderView, actor: Actor, asked: number[]) => Outcome<Reply>,
) {
  const placings: (Placing | Refusal)[] = await placeAtOnce(tx, calls)
  const waiting = () => placings.flatMap((one, n) => (one instanceof Refusal || !awaitsAnswers(one) ? [] : [n]))
  for (let left = waiting(); left.length; left = waiting()) {
    const verdicts = await judgeCalls(
      tx,
      left.map((n) => calls[n]!),
    )
    const accepted: Accepted[] = []
    verdicts.forEach((verdict, place) => {
      const n = left[place]!
      if (verdict instanceof Refusal) placings[n] = verdict
      else accepted.push({ n, ...verdict })
    })
    const orders = accepted.length ? await placeJudged(tx, calls, accepted) : []
    orders.forEach((one, place) => {
      placings[accepted[place]!.n] = one
    })
  }
  return decideEach(calls, ({ actor }, n) => {
    const placing = placings[n]!
    if (placing instanceof Refusal) throw placing
    const { isAvailable, pause, pending, order, asked = [] } = placing
    if (!isAvailable) refuse('service_unavailable')
    if (pause) refuse('service_unavailable', { body: { ...pause, until: pause.until && new Date(pause.until) } })
    if (!order) throw quotaExceeded({ quota: 'pending_orders', used: pending, allowed: MOST_PENDING })
    return placed(order, actor, asked)
  })
}

/** Places the simple orders. For orders with a form version or for somebody else, it only checks the service and the caller. */
async function placeAtOnce(tx: Tx, calls: Call[]): Promise<(Placing | Refusal)[]> {
  const refused = new Map<number, Refusal>()
  for (const [n, call] of calls.entries()) {
    const forUserId = beneficiaryIn(call)
    if (forUserId === null) continue
    const verdict = await judgeOrdering(tx, { actor: call.actor, serviceId: call.body.serviceId, forUserId })
    if (verdict instanceof Refusal) refused.set(n, verdict)
  }
  const some = [...calls.keys()].filter((n) => !refused.has(n))
  const placed = await placeOrders(
    tx,
    some.map((n) => {
      const { actor, body } = calls[n]!
      const forUserId = beneficiaryIn(calls[n]!)
      const isJudged = !body.formVersion && forUserId === null
      return { userId: actor.id, serviceId: body.serviceId, notes: body.notes, forUserId, version: isJudged ? null : UNJUDGED }
    }),
  )
  const byCall = new Map(some.map((n, place) => [n, placed[place]!]))
  return calls.map((_, n) => refused.get(n) ?? byCall.get(n)!)
}

interface Verdict {
  answers: Judged
  terms: Terms
}
interface Accepted extends Verdict {
  n: number
}

async function judgeCalls(tx: Tx, calls: Call[]): Promise<(Verdict | Refusal)[]> {
  const answered = await judgeSent(
    tx,
    calls.map(({ actor, body }) => ({ ...body, userId: actor.id })),
  )
  const steps = await readSteps(tx, [...new Set(calls.map(({ body }) => body.serviceId))])
  const terms = await judgeTerms(
    tx,
    calls.map((call, n) => {
      const { serviceId } = call.body
      const answers = answered[n]!
      if (answers instanceof Refusal) return answers
      const about = { actor: call.actor, serviceId, forUserId: beneficiaryIn(call) }
      return { ...about, answers: answers.answers as Answers, steps: steps.get(serviceId) ?? [] }
    }),
  )
  return terms.map((one, n) => (one instanceof Refusal ? one : { answers: answered[n] as Judged, terms: one }))
}

async function placeJudged(tx: Tx, calls: Call[], accepted: Accepted[]): Promise<Placing[]> {
  const placings = accepted.map(({ n, answers: { version }, terms: { forUserId, steps, applying } }) => {
    const { actor, body } = calls[n]!
    const about = { userId: actor.id, serviceId: body.serviceId, notes: body.notes, forUserId }
    return { ...about, version: version || null, steps, isHeld: applying.length > 0 }
  })
  const placed: Placing[] = await placeOrders(tx, placings)
  const kept = placed.flatMap(({ order }, place) => (order ? [{ orderId: order.id, ...accepted[place]! }] : []))
  await keepAnswers(
    tx,
    kept.map(({ orderId, answers }) => ({ orderId, ...answers })),
  )
  for (const { orderId, answers } of kept) await useFiles(tx, { orderId, objectIds: answers.objectIds })
  const held = kept.filter(({ terms: { forUserId, applying } }) => forUserId !== null || applying.length)
  if (held.length === 0) return placed
  await keepTerms(
    tx,
    held.map(({ orderId, terms }) => ({ orderId, ...terms })),
  )
  const views = await readViews(tx, viewsOf(held.map(({ orderId }) => orderId)))
  const asked = await findAsked(
    tx,
    views.flatMap(({ id, userId, hold }) => (hold === null ? [] : [{ id, userId, place: 0 }])),
  )
  const known = new Map(views.map((order) => [order.id, order]))
  return placed.map((one) => {
    const order = one.order && known.get(one.order.id)
    return order ? { ...one, order, asked: asked.get(order.id) ?? [] } : one
  })
}
