import { offerPush } from '../../frame/offer.ts'
import { say } from '../../parts/overlay/toasts.tsx'
import { go } from '../../platform/router.ts'
import { about, cancel, type Order, serviceOf } from '../orders/data.ts'
import { t } from './texts.ts'

const UNDO_MS = 8000
let last = 0

/** Says once that an order was sent, with a link to it and undo. `isFormer`: it was sent with an earlier text than the draft has now. */
export function sayOrdered(order: Order, isFormer = false) {
  if (order.id === last) return
  last = order.id
  say({
    about: about(order),
    text: (isFormer ? t.sentBefore : t.sent)(serviceOf(order)),
    act: { text: t.show, run: () => go(`/orders/${order.id}`) },
    undo: () => cancel(order),
    undoUntil: Date.now() + UNDO_MS,
  })
  offerPush()
}
