import { useSignal } from '@preact/signals'
import { inLanguage } from '../platform/language.ts'
import { Refusal, type RefusalCode } from '../platform/refusal.ts'
import { meaningOf, report } from './failures.ts'
import { t } from './saving-texts.ts'

interface Options<F extends string> {
  /** The fields that show their own errors. */
  fields?: readonly F[]
  /** The field of an error code, if the portal names none. */
  fieldOf?: Partial<Record<RefusalCode, F>>
  /** The message if the portal does not answer. */
  unreached?: string
}

const meaningsOf = ({ valueMissing, typeMismatch }: ValidityState) =>
  valueMissing ? ('missing' as const) : typeMismatch ? ('email' as const) : ('wrong' as const)

/** The field of an error's detail: `userIds` of `userIds/3`. */
const fieldAt = (path: string) => path.split(/[/.[]/)[0]!

/** The state of a call: whether it is under way, and the errors of its fields or of the whole. */
export function useSaving<A extends unknown[], F extends string = never>(
  save: (...given: A) => Promise<unknown>,
  { fields = [], fieldOf = {}, unreached }: Options<F> = {},
) {
  const isBusy = useSignal(false)
  const failure = useSignal<unknown>(undefined)
  const unfilled = useSignal<Readonly<Record<string, keyof typeof t>>>({})
  const refusal = failure.value instanceof Refusal ? failure.value : undefined
  const about = refusal && (fieldOf as Record<string, F | undefined>)[refusal.code]
  const details = refusal?.body.details ?? []
  const isShown = about ? fields.includes(about) : details.length > 0 && details.every(({ path }) => fields.includes(fieldAt(path) as F))
  return {
    isBusy: isBusy.value,
    /** The last failure. */
    failure: failure.value,
    /** The error of a field, for the field to show. */
    error(field: F) {
      const wrong = unfilled.value[field]
      if (wrong) return t[wrong]
      if (about === field) return refusal?.text
      const detail = details.find(({ path }) => fieldAt(path) === field)
      return detail && inLanguage(detail.messageAr, detail.messageEn)
    },
    /** The error that no field shows. */
    problem: failure.value && !isShown ? meaningOf(failure.value, unreached) : '',
    /**
     * Whether the browser finds the form valid. If not, the fields show errors in the page's language, and the first gets the focus. Outside
     * a form element, only fields count that say themselves what is wrong.
     */
    isFilled(box: HTMLElement) {
      const fields = [...box.querySelectorAll<HTMLInputElement>('input, select, textarea')]
      const isForm = box instanceof HTMLFormElement
      const wrong = fields.filter(({ name, validity }) => validity.customError || (isForm && name !== '' && !validity.valid))
      const unsaid = wrong.filter(({ validity }) => !validity.customError)
      failure.value = undefined
      unfilled.value = Object.fromEntries(unsaid.map(({ name, validity }) => [name, meaningsOf(validity)]))
      wrong[0]?.focus()
      return wrong.length === 0
    },
    /** Saves. Returns whether it succeeded. */
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
