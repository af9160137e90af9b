import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useClosing, useSaving } from '../../../parts/forms/saving.ts'
import { Sentences } from '../../../parts/overlay/consequences/consequences.tsx'
import type { Sentence } from '../../../parts/overlay/consequences/sentences.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { meaningOf, report } from '../../../parts/show/failures.ts'
import { type ClosingPreview, cancelReview, closeReview, previewClosing, type Review } from '../data.ts'
import { t } from './closing-texts.ts'
import { Uncovered } from './head.tsx'

/** Sentences about the effect of closing. */
function sentencesOf({ keepCount, removeCount, skipped, ordersReturned }: ClosingPreview, { counts, ifSilent }: Review): Sentence[] {
  const reasons = Map.groupBy(skipped, ({ reason }) => reason)
  const silent = counts.undecided > 0 ? ` ${t.silent[ifSilent](counts.undecided)}` : ''
  return [
    { kind: removeCount > 0 ? 'lose' : 'keep', text: t.removes(removeCount) + (ifSilent === 'remove' ? silent : '') },
    { kind: 'keep', text: t.keeps(keepCount) + (ifSilent === 'keep' ? silent : '') },
    ...[...reasons].map(([reason, all]): Sentence => ({ kind: 'warn', text: t.skipped[reason](all.length) })),
    ...(ordersReturned > 0 ? [{ kind: 'warn' as const, text: t.orders(ordersReturned) }] : []),
  ]
}

interface DialogProps {
  review: Review
  close: () => void
}

/** Closes a review, after a preview of the effect. */
export function Closing({ review, close }: DialogProps) {
  const preview = useSignal<ClosingPreview | undefined>(undefined)
  const problem = useSignal('')
  const closing = useClosing(close)
  const saving = useSaving(() => closeReview(review.id))
  // Preview again when another reviewer decides.
  const decided = JSON.stringify(review.counts)
  useEffect(() => {
    let isCurrent = true
    previewClosing(review.id).then(
      (found) => {
        if (!isCurrent) return
        preview.value = found
        problem.value = ''
      },
      (failure) => {
        report(failure)
        if (isCurrent) problem.value = meaningOf(failure)
      },
    )
    return () => {
      isCurrent = false
    }
  }, [decided])
  const known = preview.value
  async function go() {
    if (!(await saving.run())) return
    closing()
    say({ text: t.closing })
  }
  return (
    <Dialog
      title={t.title}
      close={close}
      end={
        <>
          <Button kind="plain" onClick={close}>
            {t.notNow}
          </Button>
          {known && (
            <Button kind={known.removeCount > 0 ? 'danger' : 'main'} isBusy={saving.isBusy} onClick={go}>
              {t.close(known.removeCount)}
            </Button>
          )}
        </>
      }
    >
      <div aria-live="polite" class="reviews-bulk">
        {known ? <Sentences of={sentencesOf(known, review)} /> : !problem.value && <p class="quiet">{t.asking}</p>}
        <Uncovered review={review} />
        {known && <p class="quiet small">{t.final}</p>}
      </div>
      <p class="error" role="alert">
        {problem.value || saving.problem}
      </p>
    </Dialog>
  )
}

export function Cancelling({ review, close }: DialogProps) {
  const closing = useClosing(close)
  const saving = useSaving(() => cancelReview(review.id))
  async function go() {
    if (!(await saving.run())) return
    closing()
    say({ text: t.cancelled })
  }
  return (
    <Dialog
      title={t.cancelTitle}
      close={close}
      end={
        <>
          <Button kind="plain" onClick={close}>
            {t.notNow}
          </Button>
          <Button kind="danger" isBusy={saving.isBusy} onClick={go}>
            {t.cancelIt}
          </Button>
        </>
      }
    >
      <p>{t.cancelHint}</p>
      <p class="error" role="alert">
        {saving.problem}
      </p>
    </Dialog>
  )
}
