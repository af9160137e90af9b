/** Sends what the device keeps of an order, once. */
import { place } from '../orders/data.ts'
import { answer, api, idempotencyKey, portalNow } from '../platform/client.ts'
import type { Draft } from '../platform/drafts.ts'
import { Refusal } from '../platform/refusal.ts'
import { onward } from '../platform/router.ts'
import type { NewOrder } from './data.ts'
import { sayOrdered } from './said.ts'

interface Sent {
  body: NewOrder
  key: string
  /** When, by the clock of the portal. */
  at: number
}

/** What the device keeps of an order until it is sent. */
export interface Kept {
  notes: string
  /** It belongs to these notes and answers, so that they are sent only once. */
  key: string
  /** What was sent with its key, while it is unknown whether it arrived. */
  sent?: Sent | undefined
}
export const empty = (): Kept => ({ notes: '', key: idempotencyKey() })

/** So long the portal knows a key. */
const KEY_LASTS_MS = 24 * 3_600_000
/** So accurate is the portal's clock here. */
const CLOCK_MS = 1000
/** With these the portal answers before it looks whether an order has arrived. */
const unsure = [401, 429]

/** The order that has arrived although its answer was lost, found among the person's own. */
async function findArrived({ body, at }: Sent) {
  const mine = await answer(api.GET('/orders/my'))
  return mine.find(
    ({ serviceId, notes, createdAt }) =>
      serviceId === body.serviceId && notes === (body.notes ?? null) && Date.parse(createdAt) > at - CLOCK_MS,
  )
}

/**
 * Sends a draft, and closes its form. If what was sent before has no answer, it is sent again as it was. If the draft has changed since, or
 * the portal has forgotten the key, the order is looked for instead: if it has arrived, it is shown, and the draft is kept. Throws refusals.
 */
export async function sendOnce<T extends Kept>(draft: Draft<T>, bodyOf: (typed: T) => NewOrder, close: () => void): Promise<void> {
  const show = onward()
  const { value } = draft
  // It may not be read yet.
  const typed = value.peek() ?? (empty() as T)
  const { key }: Kept = typed
  const former = typed.sent
  const now = portalNow().getTime()
  const isSame = former?.key === key && now - former.at < KEY_LASTS_MS
  if (former && !isSame) {
    const order = await findArrived(former)
    value.value = { ...value.peek()!, sent: undefined, ...(former.key === key && { key: idempotencyKey() }) }
    if (!order) return sendOnce(draft, bodyOf, close)
    show(`/orders/${order.id}`, { replace: true })
    return sayOrdered(order, true)
  }
  const sent = isSame ? former : { body: bodyOf(typed), key, at: now }
  value.value = { ...typed, sent }
  try {
    const order = await place(sent.body, sent.key)
    await draft.drop()
    close()
    sayOrdered(order)
  } catch (failure) {
    // Above 500, a proxy may have answered for the portal.
    if (!(failure instanceof Refusal) || failure.status > 500 || (isSame && unsure.includes(failure.status))) throw failure
    value.value = { ...value.peek()!, sent: undefined }
    throw failure
  }
}
