import './style.css'
import { useSignal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { ago } from '../../../platform/ago.ts'
import type { Schemas } from '../../../platform/client.ts'
import { type Draft, draft } from '../../../platform/drafts.ts'
import { isolated, named } from '../../../platform/language.ts'
import { onward } from '../../../platform/router.ts'
import { isAdmin, me } from '../../../platform/session.ts'
import { TextArea } from '../../forms/field.tsx'
import { useSaving } from '../../forms/saving.ts'
import { say } from '../../overlay/toasts.tsx'
import { Button } from '../button.tsx'
import { approve, type Details, deny, isOvertaken, ownApproval } from './data.ts'
import { t } from './texts.ts'

/** The draft of the person's note about an order, stored on the device until it is sent. */
const noteAbout = (id: number) => draft(`approval:${id}`, '')
export const useNote = (id: number) => useMemo(() => noteAbout(id), [id])

const MOST_NAMED = 20

interface DecideProps {
  order: Schemas['ServiceOrder']
  details: Details
  note: Draft<string>
  /** The page to open after the decision, unless the person has gone elsewhere. */
  next?: string
}

/** Approving an order, and denying it with a note. The buttons have `data-decision`, for the keys of decisions. */
export function Decide({ order, details, note: { value: typed, drop }, next }: DecideProps) {
  const { id } = order
  const approval = details.approval!
  const box = useRef<HTMLDivElement>(null)
  const isMissing = useSignal(false)
  const service = isolated(named(order.service))
  const own = ownApproval(approval, me.value?.id)
  const { waitsFor } = approval
  // The portal names at most `MOST_NAMED` approvers, so the person may be missing from a full list.
  const isUnasked = isAdmin.value && waitsFor.length < MOST_NAMED && !waitsFor.some((one) => one.id === me.value?.id)
  const saving = useSaving(
    async (act: typeof approve, word: string, said: string) => {
      const goOn = onward()
      const sent = typed.peek()
      await act(id, word)
      const isWhole = await drop(sent)
      say({ about: `approval ${id}`, text: said })
      if (next && isWhole) goOn(next)
    },
    { fields: ['note'] },
  )
  const note = typed.value ?? ''
  const word = note.trim()
  function refuse() {
    isMissing.value = !word
    if (word) return saving.run(deny, word, t.said.denied(service))
    const field = box.current?.querySelector('textarea')
    // By itself, the browser scrolls a field only to the edge of the window, where the buttons cover it.
    field?.focus({ preventScroll: true })
    field?.scrollIntoView({ block: 'center' })
  }
  return (
    <>
      <section ref={box} class="card approval-decide" aria-labelledby="decide">
        <h2 id="decide">{t.decide}</h2>
        {own && <p>{t.youApproved(ago(own.at))}</p>}
        {isUnasked && !own && <p class="small">{t.asAdmin}</p>}
        <TextArea
          label={t.note}
          hint={t.noteHint}
          error={isMissing.value ? t.noteMissing : saving.error('note')}
          rows={2}
          maxLength={1000}
          value={note}
          onInput={(event) => {
            typed.value = event.currentTarget.value
            isMissing.value = false
          }}
        />
      </section>
      <div class="approval-bar">
        <p class="error" role="alert">
          {isOvertaken(saving.failure) ? t.changed : saving.problem}
        </p>
        <Button
          kind="main"
          icon="check"
          data-decision="approve"
          aria-keyshortcuts="A"
          isBusy={saving.isBusy}
          onClick={() => {
            isMissing.value = false
            saving.run(approve, word, t.said.approved(service))
          }}
        >
          {t.approve}
        </Button>
        <Button kind="danger" data-decision="deny" aria-keyshortcuts="R" isBusy={saving.isBusy} onClick={refuse}>
          {t.deny}
        </Button>
      </div>
    </>
  )
}
