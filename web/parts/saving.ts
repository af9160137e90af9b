import { useSignal } from '@preact/signals'
import { Refusal } from '../platform/refusal.ts'
import { meaningOf, report } from './failures.ts'
import { t } from './saving-texts.ts'

interface Options {
  /** The field that a code is about, where the portal names none. */
  fieldOf?: Partial<Record<string, string>>
  /** What is said where nobody answered. */
  unreached?: string
}

const meaningsOf = ({ valueMissing, typeMismatch }: ValidityState) =>
  valueMissing ? ('missing' as const) : typeMismatch ? ('email' as const) : ('wrong' as const)

/** A form's way to the portal: whether it is under way, and what was wrong with which field or with the whole. */
export function useSaving<A extends unknown[]>(save: (...given: A) => Promise<unknown>, { fieldOf = {}, unreached }: Options = {}) {
  const isBusy = useSignal(false)
  const failure = useSignal<unknown>(undefined)
  const refusal = failure.value instanceof Refusal ? failure.value : undefined
  const about = refusal && fieldOf[refusal.code]
  const unfilled = useSignal<Readonly<Record<string, keyof typeof t>>>({})
  const shown = new Set<string>()
  return {
    isBusy: isBusy.value,
    /** What was thrown last. */
    failure: failure.value,
    /** What is wrong with a field, for the field to show. */
    error(field: string) {
      shown.add(field)
      const wrong = unfilled.value[field]
      if (wrong) return t[wrong]
      return about === field ? refusal?.text : refusal?.field(field)
    },
    /** What is wrong and shown by no field that was asked about before. */
    problem() {
      const fields = about ? [about] : (refusal?.body.details ?? []).map(({ path }) => path)
      const isShown = fields.length > 0 && fields.every((field) => shown.has(field))
      return failure.value && !isShown ? meaningOf(failure.value, unreached) : ''
    },
    /** Whether the form can be sent, as the browser sees it. Where not, its fields say why in the page's language, and the first has the focus. */
    isFilled(form: HTMLFormElement) {
      const wrong = ([...form.elements] as HTMLInputElement[]).filter(({ name, validity }) => name && validity && !validity.valid)
      failure.value = undefined
      unfilled.value = Object.fromEntries(wrong.map(({ name, validity }) => [name, meaningsOf(validity)]))
      wrong[0]?.focus()
      return wrong.length === 0
    },
    /** Saves; true where it was done. */
    async run(...given: A) {
      if (isBusy.value) return false
      isBusy.value = true
      failure.value = undefined
      try {
        await save(...given)
        return true
      } catch (thrown) {
        report(thrown)
        failure.value = thrown
        return false
      } finally {
        isBusy.value = false
      }
    },
  }
}
