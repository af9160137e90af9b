import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { AnswerFields } from '../../parts/forms/answers/fields.tsx'
import { totalIn } from '../../parts/forms/answers/judging.ts'
import { t as words } from '../../parts/forms/answers/texts.ts'
import { takeTyped } from '../../parts/forms/form/take-typed.ts'
import { useSaving } from '../../parts/forms/saving.ts'
import { Button } from '../../parts/show/button.tsx'
import { Skeleton } from '../../parts/show/skeleton.tsx'
import { t as parts } from '../../parts/texts.ts'
import { isAdmin } from '../../platform/session.ts'
import type { Service } from './data.ts'
import { Due } from './due.tsx'
import { ForWhom } from './for-whom.tsx'
import type { Form } from './laying.ts'
import { Notes } from './notes.tsx'
import { t } from './texts.ts'
import { useOrderForm } from './use-order-form.ts'
import { asksForWhom, isLacking, wrongPerson } from './whom.ts'

interface OrderFormProps {
  service: Service
  /** The earlier order whose answers fill the form. */
  again?: number | undefined
  /** The form, if the portal has just sent it. */
  sent?: Form | undefined
  close: () => void
}

const frame = () => new Promise(requestAnimationFrame)
const controls = 'input:not(:disabled), select, textarea, button'
const WRONG = '[data-field]:is([data-wrong], :has([aria-invalid=true]))'

/** Orders a service with a form: the answers, the optional notes, and the errors. */
export function OrderForm({ service, again, sent, close }: OrderFormProps) {
  const of = useOrderForm({ service, again, sent, close })
  const box = useRef<HTMLFormElement>(null)
  const wrong = useSignal(0)
  /** Focuses the first wrong field, shows how many are wrong, and returns whether any is. */
  async function lookAgain() {
    await frame()
    const found = [...(box.current?.querySelectorAll(WRONG) ?? [])]
    wrong.value = found.length
    // Of a field with several controls, the wrong one.
    const first = found[0]?.querySelector(':is([aria-invalid=true], :scope [data-wrong] input)') ?? found[0]?.querySelector(controls)
    if (first instanceof HTMLElement) first.focus()
    return found.length > 0
  }
  const isMissing = useSignal(false)
  const { isBusy, problem, failure, run } = useSaving(of.send, { unreached: t.unreached })
  /** The id of the person for whom the portal refused the order: the error disappears once somebody else is chosen. */
  const refusedFor = useSignal<number | undefined>(undefined)
  const aboutWhom = wrongPerson(failure, of.whom)
  const isRefused = refusedFor.value !== undefined && refusedFor.value === of.whom?.person?.id
  const wrongWhom = (isRefused && aboutWhom) || (isMissing.value && isLacking(of.whom) ? 'missing' : undefined)
  async function press() {
    if (isBusy || !box.current) return
    takeTyped(box.current)
    // While a file is still being uploaded, its field shows a message and the order is not sent.
    if (box.current.querySelector<HTMLInputElement>('[type=file]:invalid')?.checkValidity() === false) return
    refusedFor.value = undefined
    if (!of.isSent()) {
      of.tell()
      isMissing.value = isLacking(of.whom)
      if (await lookAgain()) return
    }
    if (!(await run())) refusedFor.value = of.whom?.person?.id
    await lookAgain()
  }
  const isOpen = of.form !== undefined
  useEffect(() => {
    if (isOpen) box.current?.querySelector<HTMLElement>(`[data-marked] :is(${controls}), [data-field] :is(${controls}), textarea`)?.focus()
  }, [isOpen, of.changed])
  if (of.unread)
    return (
      <p class="error" role="alert">
        {of.unread}{' '}
        <button type="button" class="link" onClick={() => of.open()}>
          {parts.retry}
        </button>
      </p>
    )
  if (!of.form) return <Skeleton count={3} height={4} />
  const total = totalIn(of.form.fields, of.judgement)
  const wanted = of.form.fields.find(({ kind }) => kind === 'wanted_at')
  const wantedAt = wanted && (of.judgement.answers[wanted.key] as string | undefined)
  return (
    <form
      ref={box}
      class="services-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        press()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        press()
      }}
    >
      {of.changed && (
        <p class="services-changed" role="status">
          {of.changed}
        </p>
      )}
      {asksForWhom(service, of.whom) && <ForWhom service={service} whom={of.whom} error={wrongWhom} change={of.chooseWhom} />}
      <AnswerFields fields={of.form.fields} {...of} {...of.around} change={of.answer} tellsGaps={isAdmin.value} />
      <Notes value={of.notes} change={of.note} />
      <div class="services-foot">
        <p class="error" role="alert">
          {(aboutWhom ? '' : problem) || (wrong.value > 0 && of.errors.size > 0 ? words.again(wrong.value) : '')}
        </p>
        <div class="services-send">
          <div>
            {total > 0 && <p class="small services-price">{words.total(total)}</p>}
            <Due of={service} wantedAt={wantedAt} />
          </div>
          <Button kind="main" type="submit" icon="send" isBusy={isBusy} aria-keyshortcuts="Control+Enter">
            {t.send}
          </Button>
        </div>
      </div>
    </form>
  )
}
