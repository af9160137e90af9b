/** Sends what the device keeps of an order, once. */
import { type Order, place } from '../orders/data.ts'
import { answer, api, idempotencyKey, portalNow } from '../platform/client.ts'
import type { Draft } from '../platform/drafts.ts'
import { Refusal } from '../platform/refusal.ts'
import { onward } from '../platform/router.ts'
import type { NewOrder } from './data.ts'
import { sayOrdered } from './said.ts'

interface Sent {
  body: NewOrder
  key: string
  /** When the first was sent with this key, by the clock of the portal. */
  at: number
  /** What was sent before with the same key, and has no answer either. */
  before?: NewOrder[] | undefined
}

/** What the device keeps of an order until it is sent. */
export interface Kept {
  notes: string
  /** It belongs to these notes and answers, so that they are sent only once. */
  key: string
  /** What was sent, while it is unknown whether it arrived. */
  sent?: Sent | undefined
}
export const empty = (): Kept => ({ notes: '', key: idempotencyKey() })

/** So long the portal surely knows a key: an hour less than its day. */
const KEY_LASTS_MS = 23 * 3_600_000
/** The clock of the portal's database may be behind its own by less than this. */
const CLOCK_MS = 60_000
/** With these the portal answers before it looks whether an order has arrived. */
const unsure = [401, 403, 429]

/** The order that has arrived although its answer was lost, found among the person's own. */
async function findArrived({ body, before = [], at }: Sent) {
  const mine = await answer(api.GET('/orders/my'))
  return mine.find(
    ({ serviceId, notes, createdAt }) =>
      [body, ...before].some((one) => serviceId === one.serviceId && notes === (one.notes ?? null)) &&
      Date.parse(createdAt) > at - CLOCK_MS,
  )
}

/** With these the portal says that the key is taken: an order has arrived. */
const taken: (string | undefined)[] = ['idempotency_mismatch', 'answer_forgotten']
const isTaken = (failure: unknown) => failure instanceof Refusal && taken.includes(failure.code)

/** The order that took the key: what was sent with it is sent again as it was, and the portal repeats its first answer. */
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
 * Sends a draft, and closes its form. If what was sent before has no answer, its key is used again, whether the draft has changed since or
 * not: an order with this key is placed only once. If the former text has arrived, that order is shown, and the draft is kept. Once the
 * portal has forgotten the key, the order is looked for instead. Throws refusals.
 */
export async function sendOnce<T extends Kept>(draft: Draft<T>, bodyOf: (typed: T) => NewOrder, close: () => void): Promise<void> {
  const show = onward()
  const { value } = draft
  // It may not be read yet.
  const typed = value.peek() ?? (empty() as T)
  const former: Sent | undefined = typed.sent
  const now = portalNow().getTime()
  /** Shows the order that has arrived as it was sent before, or sends the draft. */
  const goOn = (order: Order | undefined) => {
    value.value = { ...value.peek()!, sent: undefined, key: idempotencyKey() }
    if (!order) return sendOnce(draft, bodyOf, close)
    show(`/orders/${order.id}`, { replace: true })
    return sayOrdered(order, true)
  }
  if (former && now - former.at >= KEY_LASTS_MS) return goOn(await findArrived(former))
  const isSame = former?.key === typed.key
  const tried = former ? [former.body, ...(former.before ?? [])] : undefined
  const sent = isSame ? former : { key: typed.key, at: now, ...former, body: bodyOf(typed), before: tried }
  value.value = { ...typed, key: sent.key, sent }
  try {
    const order = await place(sent.body, sent.key)
    await draft.drop()
    close()
    sayOrdered(order)
  } catch (failure) {
    if (former && isTaken(failure)) return goOn(await findByKey(sent))
    // Above 500, a proxy may have answered for the portal.
    if (!(failure instanceof Refusal) || failure.status > 500 || (isSame && unsure.includes(failure.status))) throw failure
    // A changed draft may be refused before the portal looks whether the former text has arrived.
    value.value = { ...value.peek()!, sent: isSame ? undefined : former, ...(former && { key: idempotencyKey() }) }
    throw failure
  }
}
