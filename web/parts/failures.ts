/** Messages of failures: the portal's own text, or that it did not answer. */
import { inLanguage } from '../platform/language.ts'
import { Refusal, Unreached } from '../platform/refusal.ts'
import { t } from './texts.ts'
import { say } from './toasts.tsx'

/** A failure in the current language. `unreached` replaces the text about a missing connection. */
export function meaningOf(failure: unknown, unreached?: string) {
  if (failure instanceof Unreached) return unreached || t.unreached
  if (!(failure instanceof Refusal)) return t.notDone
  const [detail] = failure.body.details ?? []
  const text = (detail && inLanguage(detail.messageAr, detail.messageEn)) || failure.text || t.notDone
  return failure.retryAfter ? `${text} ${t.wait(failure.retryAfter)}` : text
}

/** Logs errors of the pages to the console, but no refusals or missing answers. */
export function report(failure: unknown) {
  if (!(failure instanceof Refusal || failure instanceof Unreached)) reportError(failure)
}

/** Shows a failure as a toast: `changeNote(…).catch(sayFailure)`. */
export function sayFailure(failure: unknown, unreached?: string) {
  report(failure)
  say({ text: meaningOf(failure, unreached), kind: 'error' })
}

/** Awaits a call whose effect shows at once. Returns whether it succeeded; shows its failure. */
export const attempt = (work: Promise<unknown>, unreached?: string) =>
  work.then(
    () => true,
    (failure) => {
      sayFailure(failure, unreached)
      return false
    },
  )
