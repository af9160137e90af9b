import { useEffect } from 'preact/hooks'
import { exactly, format, minute, shortDay, timeOfDay, today } from '../platform/dates.ts'
import { locale } from '../platform/language.ts'
import { me } from '../platform/session.ts'
import { catalogue, entryOf, type Service } from './data.ts'
import { t } from './texts.ts'

/** Keeps the due times those of an order that is placed now. */
export function useDueTimes() {
  const now = minute.value
  useEffect(() => {
    if (!document.hidden && catalogue.peek()?.some(({ dueIfNow }) => dueIfNow.receiveBy || dueIfNow.completeBy)) void catalogue.refresh()
  }, [now])
}

const DAY_MS = 86_400_000

/** A moment to come: "10:40 today", "Sunday 08:00", "6 Dec 2026 08:00". */
function moment(at: string, isTimeFirst: boolean) {
  const days = (Date.parse(today(new Date(at))) - Date.parse(today())) / DAY_MS
  const time = timeOfDay(at, me.value?.clockHour12 ?? false)
  if (days > 6) return `${shortDay(at)} ${time}`
  const isNear = days < 2
  const day = isNear ? new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(days, 'day') : format(at, { weekday: 'long' })
  return isNear && isTimeFirst ? `${time} ${day}` : `${day} ${time}`
}

/** When an order would be done, or at least claimed, were it placed now; outside the hours of the team, when it works again. */
export function Due({ of }: { of: Service }) {
  const { opensAt, receiveBy, completeBy } = entryOf(of)
  const due = completeBy ?? receiveBy
  if (!due) return null
  const at = opensAt ?? due
  return (
    <p class="quiet small">
      <time dateTime={at} title={exactly(at)}>
        {opensAt ? t.closed(moment(at, false)) : (completeBy ? t.by : t.receivedBy)(moment(at, true))}
      </time>
    </p>
  )
}
