import { useEffect } from 'preact/hooks'
import { DueMoment, momentInWords } from '../parts/due/moment.tsx'
import { t as words } from '../parts/due/texts.ts'
import { minute } from '../platform/dates.ts'
import { catalogue, entryOf, type Service } from './data.ts'
import { t } from './texts.ts'

/** Reloads the catalogue each minute, so that its due times are those of an order placed now. */
export function useDueTimes() {
  const now = minute.value
  useEffect(() => {
    if (!document.hidden && catalogue.peek()?.some(({ dueIfNow }) => dueIfNow.receiveBy || dueIfNow.completeBy)) void catalogue.refresh()
  }, [now])
}

interface DueProps {
  of: Service
  /** The moment for which the order is wanted. It is not due earlier. */
  wantedAt?: string | undefined
}

/** When an order placed now is due to be completed, or at least claimed; outside the team's hours, when the team works again. */
export function Due({ of, wantedAt }: DueProps) {
  const { opensAt, receiveBy, completeBy } = entryOf(of)
  const due = completeBy ?? receiveBy
  const isLater = wantedAt !== undefined && (!completeBy || wantedAt > completeBy)
  if (!due && !isLater) return null
  const at = isLater ? wantedAt : (opensAt ?? due!)
  const text = isLater
    ? words.by(momentInWords(at))
    : opensAt
      ? t.closed(momentInWords(at, false))
      : (completeBy ? words.by : words.receivedBy)(momentInWords(at))
  return (
    <p class="quiet small">
      <DueMoment at={at}>{text}</DueMoment>
    </p>
  )
}
