/** Sends what the device keeps of an order, once. */
import { place } from '../orders/data.ts'
import { idempotencyKey } from '../platform/client.ts'
import type { Draft } from '../platform/drafts.ts'
import { Refusal } from '../platform/refusal.ts'
import { onward } from '../platform/router.ts'
import type { NewOrder } from './data.ts'
import { sayOrdered } from './said.ts'

/** What the device keeps of an order until it is sent. */
export interface Kept {
  notes: string
  /** It belongs to these notes and answers, so that they are sent only once. */
  key: string
  /** What was sent with its key, while it is unknown whether it arrived. */
  sent?: { body: NewOrder; key: string } | undefined
}
export const empty = (): Kept => ({ notes: '', key: idempotencyKey() })

/** With these the portal answers before it looks whether an order has arrived. */
const unsure = [401, 429]

/**
 * Sends a draft, and closes its form. What was sent before without an answer is sent again first, as it was: if it has arrived, nothing else
 * is ordered, whatever was typed since, and the order is shown. Throws refusals.
 */
export async function sendOnce<T extends Kept>(draft: Draft<T>, bodyOf: (typed: T) => NewOrder, close: () => void): Promise<void> {
  const show = onward()
  const { value } = draft
  // It may not be read yet.
  const typed = value.peek() ?? (empty() as T)
  const { key, sent = { body: bodyOf(typed), key } }: Kept = typed
  value.value = { ...typed, sent }
  try {
    const order = await place(sent.body, sent.key)
    const isFormer = value.peek()!.key !== sent.key
    await draft.drop()
    if (isFormer) show(`/orders/${order.id}`, { replace: true })
    else close()
    sayOrdered(order, isFormer)
  } catch (failure) {
    // Above 500, a proxy may have answered for the portal.
    if (!(failure instanceof Refusal) || failure.status > 500 || (typed.sent && unsure.includes(failure.status))) throw failure
    value.value = { ...value.peek()!, sent: undefined }
    if (sent.key === key) throw failure
    await sendOnce(draft, bodyOf, close)
  }
}
