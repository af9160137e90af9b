import { officeToday } from '../../../frame/office.ts'
import { between } from '../../../parts/forms/calendar/days.ts'
import { formatNumber } from '../../../platform/language.ts'
import type { Counts, Review } from '../data.ts'
import { t } from '../texts.ts'

/** The status of a review as a chip; for an open review, the days left until its due date. */
export function StatusChip({ review: { status, dueDate } }: { review: Review }) {
  if (status !== 'open')
    return (
      <span class="chip" data-kind={status === 'closing' ? 'blue' : undefined}>
        {t.statuses[status]}
      </span>
    )
  const left = Math.max(0, between(officeToday(), dueDate))
  return (
    <span class="chip" data-kind={left <= 3 ? 'warn' : undefined}>
      {t.left(left)}
    </span>
  )
}

/** How much of a review is decided, as a bar. */
export const Progress = ({ counts: { total, keep, remove, undecided } }: { counts: Counts }) => (
  <span class="reviews-bar" role="img" aria-label={t.decidedOf(formatNumber(total - undecided), formatNumber(total))}>
    {keep > 0 && <span style={{ flexGrow: keep }} data-kind="keep" />}
    {remove > 0 && <span style={{ flexGrow: remove }} data-kind="remove" />}
    {(undecided > 0 || total === 0) && <span style={{ flexGrow: undecided }} />}
  </span>
)
