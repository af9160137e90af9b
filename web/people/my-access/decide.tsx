import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useDecisionKeys } from '../../frame/decision-keys.ts'
import { TextArea } from '../../parts/forms/field.tsx'
import { useSaving } from '../../parts/forms/saving.ts'
import { say } from '../../parts/overlay/toasts.tsx'
import { Button } from '../../parts/show/button.tsx'
import { ago } from '../../platform/ago.ts'
import type { Draft } from '../../platform/drafts.ts'
import { isolated, nameOf } from '../../platform/language.ts'
import { onward } from '../../platform/router.ts'
import { type AccessRequest, approve, deny, groupIn, isOutdated, ownApproval, type Typed, waitingForMe } from './data.ts'
import { t } from './decide-texts.ts'
import { DurationField, dayAfter, daysOf, inDays } from './duration.tsx'

const keys = { KeyA: 'approve', KeyR: 'deny' } as const

/** The id of the next request that waits for the person, or of the first if there is none after it. */
function nextAfter(id: number) {
  const all = (waitingForMe() ?? []).map((one) => one.id)
  return all[all.indexOf(id) + 1] ?? all.find((one) => one !== id)
}

/**
 * Approves a request for the duration asked for or less, or denies it. A denial needs a note to the requester; an approval may have one.
 */
export function Decide({ request, draft: { value: kept, drop } }: { request: AccessRequest; draft: Draft<Typed> }) {
  useDecisionKeys(keys, (decision) => t.keys[decision])
  const { id, days: asked, requester, approvals, neededApprovals } = request
  const box = useRef<HTMLDivElement>(null)
  const isMissing = useSignal(false)
  const isChecked = useSignal(false)
  const [person, group] = [isolated(nameOf(requester)), isolated(groupIn(request))]
  const own = ownApproval(request)
  const { note, duration = { days: own?.days ?? asked } } = kept.value ?? { note: '' }
  const days = daysOf(duration, asked)
  const saving = useSaving(
    async (act: () => Promise<AccessRequest>) => {
      const next = nextAfter(id)
      const goOn = onward()
      const sent = kept.peek()
      const { status } = await act()
      const isWhole = await drop(sent)
      say({ about: `access request ${id}`, text: t.said[status as keyof typeof t.said](person, group) })
      if (isWhole) goOn(next === undefined ? '/access/review' : `/access/requests/${next}`)
    },
    { fields: ['days', 'note'] },
  )
  const isShorter = days !== undefined && days !== null && days !== asked
  const put = (part: Partial<Typed>) => {
    kept.value = { note, duration: kept.value?.duration, ...part }
  }
  const word = note.trim()
  /** Focuses a field and centres it: by itself, the browser scrolls it only to the edge of the window, where the buttons cover it. */
  const show = (field: 'input' | 'textarea') => {
    const found = box.current?.querySelector<HTMLElement>(field)
    found?.focus({ preventScroll: true })
    found?.scrollIntoView({ block: 'center' })
  }
  const accept = () => {
    isMissing.value = false
    isChecked.value = true
    if (days === undefined) show('input')
    else saving.run(() => approve(id, { ...(isShorter && { days }), ...(word && { note: word }) }))
  }
  const refuse = () => {
    isMissing.value = !word
    if (!word) show('textarea')
    else saving.run(() => deny(id, word))
  }
  const isLast = approvals.filter(({ approver }) => approver.id !== own?.approver.id).length + 1 >= neededApprovals
  return (
    <>
      <section ref={box} class="card my-access-decide" aria-labelledby="decide">
        <h2 id="decide">{t.decide}</h2>
        {own && <p>{t.youApproved(ago(own.at))}</p>}
        <DurationField
          label={t.allow}
          value={duration}
          most={asked}
          isChecked={isChecked.value}
          change={(chosen) => put({ duration: chosen })}
          hint={(chosen) => (chosen === null ? t.wouldLast : t.wouldEnd(dayAfter(chosen)))}
        />
        <TextArea
          label={t.note(person)}
          hint={t.noteHint}
          error={isMissing.value ? t.noteMissing : saving.error('note')}
          rows={2}
          maxLength={1000}
          value={note}
          onInput={(event) => {
            put({ note: event.currentTarget.value })
            isMissing.value = false
          }}
        />
        <p class="quiet small">
          {t.final(person)} {t.goesOn}
        </p>
      </section>
      <div class="my-access-bar">
        <p class="error" role="alert">
          {isOutdated(saving.failure) ? t.changedMeanwhile : saving.problem || saving.error('days')}
        </p>
        <Button kind="main" icon="check" data-decision="approve" aria-keyshortcuts="A" isBusy={saving.isBusy} onClick={accept}>
          {isShorter ? t.approveFor(inDays(days)) : isLast ? t.approveLast(person) : t.approve}
        </Button>
        <Button kind="danger" data-decision="deny" aria-keyshortcuts="R" isBusy={saving.isBusy} onClick={refuse}>
          {t.deny}
        </Button>
      </div>
    </>
  )
}
