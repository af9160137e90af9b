import { present } from '../../platform/ago.ts'
import type { Schemas } from '../../platform/client.ts'
import { DueMoment, momentInWords } from './moment.tsx'
import { t } from './texts.ts'

type Order = Pick<Schemas['ServiceOrder'], 'status'>
type Times = Schemas['OrderTimes']

/** When an open order is due next, and whether that has passed; undefined without a target. */
export function dueOf({ status }: Order, { receiveBy, completeBy, receivedAt, completedAt, isLate }: Times) {
  if (status === 'completed' || status === 'cancelled' || completedAt) return undefined
  const isUnclaimed = status === 'pending' && !receivedAt && receiveBy !== null
  const at = isUnclaimed ? receiveBy : completeBy
  if (!at) return undefined
  return { at, isUnclaimed, isLate: isLate || Date.parse(at) <= present().getTime() }
}

/** When an open order is due next, in words; late is said, too. */
export function OrderDue({ order, times }: { order: Order; times: Times }) {
  const due = dueOf(order, times)
  if (!due) return null
  const text = due.isLate ? t.late : due.isUnclaimed ? t.receivedBy : t.by
  return (
    <span class="chip" data-kind={due.isLate ? 'danger' : undefined}>
      <DueMoment at={due.at}>{text(momentInWords(due.at))}</DueMoment>
    </span>
  )
}

/** The moment for which an order is wanted. */
export const Wanted = ({ at }: { at: string }) => <DueMoment at={at}>{t.wanted(momentInWords(at))}</DueMoment>
