/** Messages about failures: the portal's own text, or a text that says that the portal did not answer. */
import { inLanguage } from '../../platform/language.ts'
import { Refusal, Unreached } from '../../platform/refusal.ts'
import { say } from '../overlay/toasts.tsx'
import { t } from '../texts.ts'

/** The message about a failure. `unreached` replaces the text for a portal that did not answer. */
export function meaningOf(failure: unknown, unreached?: string) {
  if (failure instanceof Unreached) return unreached || t.unreached
  if (!(failure instanceof Refusal)) return t.notDone
  const [detail] = failure.body.details ?? []
  const text = (detail && inLanguage(detail.messageAr, detail.messageEn)) || failure.text || t.notDone
  return failure.retryAfter ? `${text} ${t.wait(failure.retryAfter)}` : text
}

/** Logs a programming error to the console. Refusals and missing answers are not logged. */
export function report(failure: unknown) {
  if (!(failure instanceof Refusal || failure instanceof Unreached)) reportError(failure)
}

/** Shows a failure as a toast: `changeNote(…).catch(sayFailure)`. */
export function sayFailure(failure: unknown, unreached?: string) {
  report(failure)
  say({ text: meaningOf(failure, unreached), kind: 'error' })
}

/** Awaits a call. Returns whether it succeeded, and shows a toast if it failed. */
export const attempt = (work: Promise<unknown>, unreached?: string) =>
  work.then(
    () => true,
    (failure) => {
      sayFailure(failure, unreached)
      return false
    },
  )
