import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useDecisionKeys } from '../../../frame/decision-keys.ts'
import { between } from '../../../parts/forms/calendar/days.ts'
import { TextArea } from '../../../parts/forms/field.tsx'
import { useSaving } from '../../../parts/forms/saving.ts'
import { Button } from '../../../parts/show/button.tsx'
import type { Draft } from '../../../platform/drafts.ts'
import { isolated, nameOf } from '../../../platform/language.ts'
import { dayName, weekday } from '../shared/days.ts'
import { clock, officeDay } from '../shared/office.ts'
import { decide, isMine, isOutdated } from './data.ts'
import { changedBetween, type Request, type Side } from './proposal.ts'
import { t } from './texts.ts'
import { Follows } from './then.tsx'

/** The weekday of a day from today to six days ahead; the date of any other day. */
const shortDay = (date: string) => {
  const far = between(officeDay(), date)
  return far >= 0 && far < 7 ? weekday(date) : dayName(date)
}

/** The label of the approve button, which names the effect of an approval. */
function outcomeOf({ type }: Request, before: Side | undefined, after: Side) {
  if (type === 'create' || !before) return t.approve.create(shortDay(after.date))
  if (type === 'cancel' || type === 'attendees' || type === 'note') return t.approve[type]
  const changed = changedBetween(before, after)
  if (changed.includes('date')) return t.approve.moved(shortDay(after.date))
  if (changed.includes('time') && after.startTime && after.startTime !== before.startTime) return t.approve.time(clock(after.startTime))
  return t.approve.edit
}

const keys = { KeyA: 'approve', KeyE: 'giveBack', KeyR: 'reject' } as const

interface DecideProps {
  request: Request
  before: Side | undefined
  after: Side
  /** The typed comment, which the device stores until it is sent. */
  word: Draft<string>
}

/** The effects of an approval, a comment for the requester, and the three decisions. */
export function Decide({ request, before, after, word: { value: word, drop } }: DecideProps) {
  useDecisionKeys(keys, (decision) => t.keys[decision])
  const box = useRef<HTMLDivElement>(null)
  const isMissing = useSignal(false)
  const saving = useSaving(async (status: 'approved' | 'rejected' | 'needs_edit') => {
    const sent = word.peek() ?? ''
    await decide(request, status, sent)
    drop(sent)
  })
  const name = request.requester && !isMine(request) ? isolated(nameOf(request.requester)) : undefined
  const giveBack = () => {
    isMissing.value = !word.value?.trim()
    if (isMissing.value) box.current?.querySelector('textarea')?.focus()
    else saving.run('needs_edit')
  }
  return (
    <div ref={box} class="card requests-end">
      <Follows id={request.meetingId ?? undefined} before={before} after={after} />
      <TextArea
        label={t.word(name ?? t.someone)}
        hint={t.wordHint}
        error={isMissing.value ? t.wordMissing : undefined}
        rows={2}
        maxLength={2000}
        value={word.value ?? ''}
        onInput={(event) => {
          word.value = event.currentTarget.value
          isMissing.value = false
        }}
      />
      <p class="error" role="alert">
        {isOutdated(saving.failure) ? t.changedMeanwhile : saving.problem}
      </p>
      <div class="requests-acts">
        <Button
          kind="main"
          icon="check"
          data-decision="approve"
          aria-keyshortcuts="A"
          isBusy={saving.isBusy}
          onClick={() => saving.run('approved')}
        >
          {outcomeOf(request, before, after)}
        </Button>
        <Button data-decision="giveBack" aria-keyshortcuts="E" isBusy={saving.isBusy} onClick={giveBack}>
          {t.giveBack}
        </Button>
        <Button kind="danger" data-decision="reject" aria-keyshortcuts="R" isBusy={saving.isBusy} onClick={() => saving.run('rejected')}>
          {t.reject}
        </Button>
      </div>
      <p class="quiet small">
        {name ? t.final(name) : t.finalNobody} {t.goesOn}
      </p>
    </div>
  )
}
