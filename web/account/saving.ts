import { useSignal } from '@preact/signals'
import { say } from '../parts/toasts.tsx'
import { Refusal } from '../platform/refusal.ts'
import { t } from './texts.ts'

const problemOf = (failure: unknown) => (failure instanceof Refusal ? failure.text : t.notSaved)

/** Does something that shows at once; says so where it could not be done. */
export const attempt = (work: Promise<unknown>) =>
  work.then(
    () => true,
    (failure) => {
      say({ text: problemOf(failure), kind: 'error' })
      return false
    },
  )

/** A form's way to the portal: whether it is under way, and what was wrong with which field or with the whole. */
export function useSaving(save: () => Promise<unknown>, fieldOf: Partial<Record<string, string>> = {}) {
  const isBusy = useSignal(false)
  const failure = useSignal<unknown>(undefined)
  const about = failure.value instanceof Refusal ? fieldOf[failure.value.code] : undefined
  const isOfFields = about !== undefined || (failure.value instanceof Refusal && !!failure.value.body.details?.length)
  return {
    isBusy: isBusy.value,
    /** What is wrong with a field. */
    error: (field: string) =>
      failure.value instanceof Refusal ? (about === field ? failure.value.text : failure.value.field(field)) : undefined,
    /** What is wrong with no field in particular. */
    problem: failure.value && !isOfFields ? problemOf(failure.value) : undefined,
    /** Saves; true where it was done. */
    async run() {
      if (isBusy.value) return false
      isBusy.value = true
      failure.value = undefined
      try {
        await save()
        return true
      } catch (thrown) {
        failure.value = thrown
        return false
      } finally {
        isBusy.value = false
      }
    },
  }
}
