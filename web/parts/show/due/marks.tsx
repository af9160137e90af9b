import { present } from '../../../platform/ago.ts'
import type { Schemas } from '../../../platform/client.ts'
import { OrderDue, Wanted } from './due.tsx'
import { dueOf, type Order } from './due-of.ts'
import { t } from './marks-texts.ts'

interface MarksProps {
  order: Order
  details: Pick<Schemas['ListedOrderDetails'], 'times' | 'wantedAt' | 'progress' | 'lastMessageAt' | 'unread'>
  class: string
}

/**
 * Shows when an order is due, for when it is wanted, whether it waits for somebody, and whether it has messages. Renders nothing if none of
 * these applies.
 */
export function OrderMarks({ order, details: { times, wantedAt, progress, lastMessageAt, unread }, class: name }: MarksProps) {
  const isOver = order.status === 'completed' || order.status === 'cancelled'
  const wanted = !isOver && wantedAt
  // Nobody is notified of messages before somebody claims the order, so a pending order shows any message, not only unread ones.
  const message = order.status === 'pending' ? lastMessageAt && t.message : unread && t.unread
  if (!wanted && !message && progress !== 'waiting' && !dueOf(order, times, present())) return null
  return (
    <p class={name}>
      <OrderDue order={order} times={times} />
      {wanted && <Wanted at={wanted} dueAt={times.completeBy} />}
      {progress === 'waiting' && (
        <span class="chip" data-kind="warn">
          {t.waiting}
        </span>
      )}
      {message && (
        <span class="chip" data-kind="blue">
          {message}
        </span>
      )}
    </p>
  )
}
