import { present } from '../../platform/ago.ts'
import type { Schemas } from '../../platform/client.ts'
import { OrderDue, Wanted } from './due.tsx'
import { dueOf, type Order } from './due-of.ts'
import { t } from './marks-texts.ts'

interface MarksProps {
  order: Order
  details: Pick<Schemas['ListedOrderDetails'], 'times' | 'wantedAt' | 'progress' | 'lastMessageAt' | 'unread'>
  class: string
}

/** When an order is due and for when it is wanted, whether it waits for somebody, and whether there are messages; often nothing. */
export function OrderMarks({ order, details: { times, wantedAt, progress, lastMessageAt, unread }, class: name }: MarksProps) {
  // Nobody is told of a message before somebody has claimed the order.
  const message = order.status === 'pending' ? lastMessageAt && t.message : unread && t.unread
  if (!wantedAt && !message && progress !== 'waiting' && !dueOf(order, times, present())) return null
  return (
    <p class={name}>
      <OrderDue order={order} times={times} />
      {wantedAt && <Wanted at={wantedAt} />}
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
