import { useEffect } from 'preact/hooks'
import { DueMoment, momentInWords } from '../../parts/show/due/moment.tsx'
import { t as words } from '../../parts/show/due/texts.ts'
import { minute } from '../../platform/dates.ts'
import { catalogue, entryOf, type Service } from './data.ts'
import { timesOf } from './due-now.ts'
import { t } from './texts.ts'

/**
 * Reloads the catalogue each minute while the page is visible, so that the due times and the state of the teams are those of the present
 * moment.
 */
export function useDueTimes() {
  const now = minute.value
  useEffect(() => {
    const isTimed = catalogue.peek()?.some(({ teamNameEn, dueIfNow: { receiveBy, completeBy } }) => teamNameEn || receiveBy || completeBy)
    if (!document.hidden && isTimed) void catalogue.refresh()
  }, [now])
}

interface DueProps {
  of: Service
  /** The moment for which the order is wanted. It is not due earlier. */
  wantedAt?: string | undefined
}

/** When the closed team works again, and when an order placed now is due. */
export const Due = ({ of, wantedAt }: DueProps) =>
  timesOf(entryOf(of), wantedAt).map(({ kind, at }) => (
    <p key={kind} class="quiet small">
      <DueMoment at={at}>{(kind === 'opens' ? t.closed : words[kind])(momentInWords(at, kind !== 'opens'))}</DueMoment>
      {kind !== 'opens' && entryOf(of).needsApproval === 'yes' && t.ifApproved}
      {wantedAt && kind === 'by' && at > wantedAt && <strong>{t.afterWanted}</strong>}
    </p>
  ))
