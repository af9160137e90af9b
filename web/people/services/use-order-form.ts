import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { type Given, judge, keyOf, lay, type Mark } from '../../parts/forms/answers/judging.ts'
import { type Broken, wrongText } from '../../parts/forms/answers/wrong.ts'
import { useClosing } from '../../parts/forms/saving.ts'
import { meaningOf, report } from '../../parts/show/failures.ts'
import { idempotencyKey } from '../../platform/client.ts'
import { type Draft, draft } from '../../platform/drafts.ts'
import { language } from '../../platform/language.ts'
import { Refusal } from '../../platform/refusal.ts'
import { catalogue, type NewOrder, orderAt, type Service } from './data.ts'
import { t } from './form-texts.ts'
import { aroundOf, type Form, layAgain, readForm } from './laying.ts'
import { empty, type Kept, sendOnce } from './sending.ts'
import { bodyFor, type Whom, whomOf } from './whom.ts'

interface Typed extends Kept {
  given?: Given
  /** The form that `given` answers. */
  form?: Form
  whom?: Whom
}
const none = new Map<string, never>()

/** Waits until a draft is read from the device. */
const isRead = (value: Draft<Typed>['value']) =>
  new Promise<void>((done) => {
    value.subscribe((typed) => typed && done())
  })

interface Options {
  service: Service
  /** The earlier order whose answers fill the form. */
  again: number | undefined
  /** The form, if the portal has just sent it. */
  sent: Form | undefined
  close: () => void
}

/** The state of an order with a form: its draft, the errors in it, and the portal's refusals. */
export function useOrderForm({ service, again, sent, close }: Options) {
  const kept = useMemo(() => draft<Typed>(`order:${service.id}${again ? `:${again}` : ''}`, empty()), [])
  const form = useSignal<Form | undefined>(undefined)
  const marks = useSignal<ReadonlyMap<string, Mark>>(none)
  const hasChanged = useSignal(false)
  const failure = useSignal<unknown>(undefined)
  const closing = useClosing(close)
  /** Fields whose errors are shown: those that were wrong at the last try. */
  const tried = useSignal<ReadonlySet<string>>(new Set())
  const refused = useSignal<ReadonlyMap<string, Broken>>(none)
  const around = aroundOf(service)
  const typed: Typed = kept.value.value ?? empty()
  const { given = {} } = typed
  const fields = form.value?.fields ?? []
  const judgement = judge(fields, given, around)

  const type = (change: Partial<Typed>) => {
    const before = kept.value.peek() ?? empty()
    kept.value.value = { ...before, ...(form.peek() && { form: form.peek()! }), ...change, key: idempotencyKey() }
  }
  /** Carries the answers over into a form that has changed since. */
  function take(now: Form) {
    const { given = {}, form: before, ...rest }: Typed = kept.value.peek() ?? empty()
    form.value = now
    if (!before || before.version === now.version) return
    const laid = lay({ fields: before.fields, given }, now.fields, aroundOf(service))
    marks.value = laid.marks
    hasChanged.value = true
    refused.value = none
    tried.value = new Set()
    // An order that may have arrived is sent again unchanged.
    if (rest.sent?.key !== rest.key) type({ given: laid.given, form: now })
  }
  async function open() {
    failure.value = undefined
    try {
      const now = sent ?? (await readForm(service.id))
      await isRead(kept.value)
      const { form: before } = kept.value.peek()!
      if (again && !before) {
        const laid = await layAgain(service, again, now)
        const { notes } = await orderAt(again).load()
        form.value = now
        marks.value = laid.marks
        type({ given: laid.given, notes: notes ?? '', ...(laid.whom && { whom: laid.whom }) })
      } else take(now)
    } catch (thrown) {
      report(thrown)
      failure.value = thrown
    }
  }
  useEffect(() => void open(), [])

  const errorOf = (key: string) => {
    const wrong = refused.value.get(key) ?? (tried.value.has(key) ? judgement.errors.find(({ path }) => keyOf(path) === key) : undefined)
    const field = wrong && fields.find((one) => one.key === key)
    return field && wrong ? wrongText(field, wrong, language.value) : undefined
  }
  const errors = new Map(judgement.visible.flatMap((key) => (errorOf(key) ? [[key, errorOf(key)!] as const] : [])))

  const bodyOf = ({ notes, given = {}, whom }: Typed): NewOrder => ({
    ...{ serviceId: service.id, notes: notes.trim() || null, ...bodyFor(whomOf(service, whom)) },
    ...{ formVersion: form.peek()!.version, answers: judge(form.peek()!.fields, given, aroundOf(service)).answers },
  })
  /** Sends the order. Answers that the portal refuses get errors at their fields; other refusals are thrown. */
  async function send() {
    kept.value.value = { form: form.peek()!, ...kept.value.peek()! }
    try {
      await sendOnce(kept, bodyOf, closing)
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      const { details = [] } = thrown.body
      if (thrown.code === 'form_changed') return take(thrown.body['form'] as Form)
      void catalogue.refresh()
      if (!details.length || !details.every(({ path }) => path.startsWith('answers.'))) throw thrown
      refused.value = new Map(
        details.map(({ path, rule, params }) => [
          keyOf(path),
          { rule, limit: typeof params['limit'] === 'number' ? params['limit'] : undefined },
        ]),
      )
    }
  }
  return {
    form: form.value,
    isRead: kept.value.value !== undefined,
    notes: typed.notes,
    whom: whomOf(service, typed.whom),
    given,
    judgement,
    around,
    errors,
    marks: marks.value,
    /** Says that the form has changed since it was answered, or ''. */
    changed: hasChanged.value ? t.changed : '',
    /** Why the form could not be read, or ''. */
    unread: failure.value ? meaningOf(failure.value) : '',
    open,
    send,
    /** Whether the order may have arrived already in its present state; it is then sent again unchanged. */
    isSent: () => kept.value.peek()?.sent?.key === kept.value.peek()?.key,
    note: (notes: string) => type({ notes }),
    chooseWhom: (whom: Whom) => type({ whom }),
    answer(key: string, value: unknown) {
      marks.value = new Map([...marks.peek()].filter(([one]) => one !== key))
      refused.value = new Map([...refused.peek()].filter(([one]) => one !== key))
      type({ given: { ...kept.value.peek()?.given, [key]: value } })
    },
    /** Shows the errors of the answers that are wrong now. */
    tell() {
      const { errors } = judge(form.peek()!.fields, kept.value.peek()?.given ?? {}, aroundOf(service))
      tried.value = new Set(errors.map(({ path }) => keyOf(path)))
    },
  }
}
