/** Sends an order whose draft the device stores, so that it is placed only once. */

import { answer, api, idempotencyKey, portalNow } from '../../platform/client.ts'
import type { Draft } from '../../platform/drafts.ts'
import { Refusal } from '../../platform/refusal.ts'
import { onward } from '../../platform/router.ts'
import { type Order, place } from '../orders/data.ts'
import type { NewOrder } from './data.ts'
import { sayOrdered } from './said.ts'

interface Sent {
  body: NewOrder
  key: string
  /** When this key was first sent, in ms since 1970 by the portal's clock. */
  at: number
  /** Earlier bodies that were sent with the same key and have no answer either. */
  before?: NewOrder[] | undefined
}

/** The draft of an order, which the device stores until it is sent. */
export interface Kept {
  notes: string
  /** The idempotency key of these notes and answers, so that they are placed as an order only once. */
  key: string
  /** The last attempt to send, while it is unknown whether the order arrived. */
  sent?: Sent | undefined
}
export const empty = (): Kept => ({ notes: '', key: idempotencyKey() })

/** How long the portal certainly knows a key: an hour less than the day for which it stores the key. */
const KEY_LASTS_MS = 23 * 3_600_000
/** The clock of the portal's database may be behind the portal's own clock by less than this. */
const CLOCK_MS = 60_000
/** Statuses with which the portal answers before it checks whether an order has arrived. */
const unsure = [401, 403, 429]

/** Finds an order that has arrived although its answer was lost, among the person's own orders. */
async function findArrived({ body, before = [], at }: Sent) {
  const mine = await answer(api.GET('/orders/my'))
  return mine.find(
    ({ serviceId, notes, createdAt }) =>
      [body, ...before].some((one) => serviceId === one.serviceId && notes === (one.notes ?? null)) &&
      Date.parse(createdAt) > at - CLOCK_MS,
  )
}

/** Codes with which the portal says that the key is taken: an order has arrived. */
const taken: (string | undefined)[] = ['idempotency_mismatch', 'answer_forgotten']
const isTaken = (failure: unknown) => failure instanceof Refusal && taken.includes(failure.code)

/**
 * Finds the order that took the key. Sends the earlier bodies again unchanged: the portal repeats its first answer to the body that
 * arrived. If none did, searches the person's own orders.
 */
async function findByKey(sent: Sent): Promise<Order | undefined> {
  for (const body of sent.before ?? []) {
    try {
      return await place(body, sent.key)
    } catch (failure) {
      if (!isTaken(failure)) throw failure
    }
  }
  return findArrived(sent)
}

/**
 * Sends a draft, and closes its form unless the draft has been edited since. If an earlier attempt has no answer, its key is used again,
 * even if the draft has changed since: the portal places only one order with a key. If the earlier text has arrived, that order is shown,
 * and the draft is kept. After the portal has forgotten the key, the person's own orders are searched instead. Throws refusals.
 */
export async function sendOnce<T extends Kept>(draft: Draft<T>, bodyOf: (typed: T) => NewOrder, close: () => void): Promise<void> {
  const show = onward()
  const { value } = draft
  // The draft may not have been read from the device yet.
  const typed = value.peek() ?? (empty() as T)
  const former: Sent | undefined = typed.sent
  const now = portalNow().getTime()
  /** Makes the draft one that was not sent yet. */
  const renew = () => {
    value.value = { ...value.peek()!, sent: undefined, key: idempotencyKey() }
  }
  /** Shows the order that arrived with an earlier text; without one, sends the draft. */
  const goOn = (order: Order | undefined) => {
    renew()
    if (!order) return sendOnce(draft, bodyOf, close)
    show(`/orders/${order.id}`, { replace: true })
    return sayOrdered(order, true)
  }
  if (former && now - former.at >= KEY_LASTS_MS) return goOn(await findArrived(former))
  const isSame = former?.key === typed.key
  const tried = former ? [former.body, ...(former.before ?? [])] : undefined
  const sent = isSame ? former : { key: typed.key, at: now, ...former, body: bodyOf(typed), before: tried }
  const asSent = { ...typed, key: sent.key, sent }
  value.value = asSent
  try {
    const order = await place(sent.body, sent.key)
    const isWhole = await draft.drop(asSent)
    if (isWhole) close()
    else renew()
    sayOrdered(order, !isWhole)
  } catch (failure) {
    if (former && isTaken(failure)) return goOn(await findByKey(sent))
    // Above 500, a proxy may have answered for the portal.
    if (!(failure instanceof Refusal) || failure.status > 500 || (isSame && unsure.includes(failure.status))) throw failure
    // A changed draft may be refused before the portal checks whether the former text has arrived.
    value.value = { ...value.peek()!, sent: isSame ? undefined : former, ...(former && { key: idempotencyKey() }) }
    throw failure
  }
}
