import { inLanguage } from '../../../platform/language.ts'
import { Refusal } from '../../../platform/refusal.ts'

/** The error at a place of the form, such as `weekly.0.1`; with `isBelow`, also one below it. */
export type ErrorAt = (path: string, isBelow?: boolean) => string | undefined

/** Finds the errors of a refusal by their places, because `useForm` knows only the fields. */
export const errorsIn =
  (failure: unknown): ErrorAt =>
  (path, isBelow = false) => {
    const details = failure instanceof Refusal ? (failure.body.details ?? []) : []
    const found = details.find((detail) => detail.path === path || (isBelow && detail.path.startsWith(`${path}.`)))
    return found && inLanguage(found.messageAr, found.messageEn)
  }
