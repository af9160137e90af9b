import { useEffect } from 'preact/hooks'
import { DueMoment, momentInWords } from '../parts/due/moment.tsx'
import { t as words } from '../parts/due/texts.ts'
import { minute } from '../platform/dates.ts'
import { catalogue, entryOf, type Service } from './data.ts'
import { t } from './texts.ts'

/** Keeps the due times those of an order that is placed now. */
export function useDueTimes() {
  const now = minute.value
  useEffect(() => {
    if (!document.hidden && catalogue.peek()?.some(({ dueIfNow }) => dueIfNow.receiveBy || dueIfNow.completeBy)) void catalogue.refresh()
  }, [now])
}

interface DueProps {
  of: Service
  /** The moment for which it is wanted: it is not due before. */
  wantedAt?: string | undefined
}

/** When an order would be done, or at least claimed, were it placed now; outside the hours of the team, when it works again. */
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
