import { present } from '../../../platform/ago.ts'
import { dueOf, type Order, type Times } from './due-of.ts'
import { DueMoment, momentInWords } from './moment.tsx'
import { t } from './texts.ts'

interface OrderDueProps {
  order: Order
  times: Times
  /** Whether the reader is a party of the order. */
  isParty?: boolean
}

/** Says when an open order is due next, or that it is late. */
export function OrderDue({ order, times, isParty }: OrderDueProps) {
  const due = dueOf(order, times, present(), isParty)
  if (!due) return null
  const text = due.isLate ? t.late : due.isUnclaimed ? t.receivedBy : t.by
  return (
    <span class="chip" data-kind={due.isLate ? 'danger' : undefined}>
      <DueMoment at={due.at}>{text(momentInWords(due.at))}</DueMoment>
    </span>
  )
}

/** Says in words when an order was completed. */
export const Completed = ({ at }: { at: string }) => <DueMoment at={at}>{t.completed(momentInWords(at))}</DueMoment>

/** Says in words for which moment an order is wanted, and whether that is before it is due. */
export const Wanted = ({ at, dueAt }: { at: string; dueAt?: string | null }) => (
  <DueMoment at={at}>{(dueAt && dueAt > at ? t.wantedBefore : t.wanted)(momentInWords(at))}</DueMoment>
)
