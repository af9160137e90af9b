import { present } from '../../platform/ago.ts'
import type { Schemas } from '../../platform/client.ts'
import { exactly, format, shortDay, timeOfDay, today } from '../../platform/dates.ts'
import { locale } from '../../platform/language.ts'
import { me } from '../../platform/session.ts'
import { t } from './texts.ts'

const DAY_MS = 86_400_000
const DAYS_BY_NAME = 6

/** A moment near now: "10:40 today", "Sunday 08:00", "6 Dec 2026 08:00". */
export function momentInWords(at: string, isTimeFirst = true) {
  const days = (Date.parse(today(new Date(at))) - Date.parse(today())) / DAY_MS
  const time = timeOfDay(at, me.value?.clockHour12 ?? false)
  const isNear = Math.abs(days) < 2
  if (days > DAYS_BY_NAME || (days < 0 && !isNear)) return `${shortDay(at)} ${time}`
  const day = isNear ? new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(days, 'day') : format(at, { weekday: 'long' })
  return isNear && isTimeFirst ? `${time} ${day}` : `${day} ${time}`
}

/** A text about a moment, with the moment in both calendars as a tooltip. */
export const DueMoment = ({ at, children }: { at: string; children: string }) => (
  <time dateTime={at} title={exactly(at)}>
    {children}
  </time>
)

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
