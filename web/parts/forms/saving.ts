import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { inLanguage } from '../../platform/language.ts'
import { Refusal, type RefusalCode } from '../../platform/refusal.ts'
import { meaningOf, report } from '../show/failures.ts'
import { t } from './saving-texts.ts'

interface Options<F extends string> {
  /** The fields that show their own errors. */
  fields?: readonly F[]
  /** The fields to which refusals belong, by code, for refusals that do not name a field. */
  fieldOf?: Partial<Record<RefusalCode, F>>
  /** The message if the portal does not answer. */
  unreached?: string
}

/** The key of the text about an invalid input. Only inputs for an email address or a web address can have a type mismatch. */
const meaningOfInput = ({ type, validity: { valueMissing, typeMismatch } }: HTMLInputElement) =>
  valueMissing ? 'missing' : typeMismatch ? (type as 'email' | 'url') : 'wrong'

/** The field of an error's detail: `userIds` of `userIds/3`. */
const fieldAt = (path: string) => path.split(/[/.[]/)[0]!

/** Returns a function that says whether the component is still mounted. */
export function useDrawn() {
  const isGone = useRef(false)
  useLayoutEffect(
    () => () => {
      isGone.current = true
    },
    [],
  )
  return () => !isGone.current
}

/**
 * Returns a `close` to call when an answer arrives: it does nothing if the person has closed the dialog since, and perhaps opened another.
 */
export function useClosing(close: () => void) {
  const isDrawn = useDrawn()
  return () => {
    if (isDrawn()) close()
  }
}

/** The state of a call that saves: whether it is under way, its failure, and the errors of its fields. */
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
    failure: failure.value,
    /** The error of a field, for the field to show. */
    error(field: F) {
      const wrong = unfilled.value[field]
      if (wrong) return t[wrong]
      if (about === field) return refusal?.text
      const detail = details.find(({ path }) => fieldAt(path) === field)
      return detail && inLanguage(detail.messageAr, detail.messageEn)
    },
    /** The error that a form shows for an input, by the input’s name; undefined if the browser finds it valid. */
    unfilled(name: string) {
      const wrong = unfilled.value[name]
      return wrong && t[wrong]
    },
    /** The error, if no field shows it; otherwise ''. */
    problem: failure.value && !isShown ? meaningOf(failure.value, unreached) : '',
    /**
     * Whether the browser finds all fields in `box` valid. Otherwise the invalid ones show errors in the page's language, and the first of
     * them gets the focus. If `box` is not a form element, only custom errors of fields count.
     */
    isFilled(box: HTMLElement) {
      const fields = [...box.querySelectorAll<HTMLInputElement>('input, select, textarea')]
      const isForm = box instanceof HTMLFormElement
      const wrong = fields.filter(({ name, validity }) => validity.customError || (isForm && name !== '' && !validity.valid))
      const unsaid = wrong.filter(({ validity }) => !validity.customError)
      failure.value = undefined
      unfilled.value = Object.fromEntries(unsaid.map((input) => [input.name, meaningOfInput(input)]))
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
