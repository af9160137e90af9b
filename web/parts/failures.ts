/** What is said of what did not happen: the portal's own sentence, or that nobody answered. */
import { inLanguage } from '../platform/language.ts'
import { Refusal, Unreached } from '../platform/refusal.ts'
import { t } from './texts.ts'
import { say } from './toasts.tsx'

/** A failure in the language in force; `unreached` where more can be said than that there is no connection. */
export function meaningOf(failure: unknown, unreached?: string) {
  if (failure instanceof Unreached) return unreached || t.unreached
  if (!(failure instanceof Refusal)) return t.notDone
  const [detail] = failure.body.details ?? []
  const text = (detail && inLanguage(detail.messageAr, detail.messageEn)) || failure.text || t.notDone
  return failure.retryAfter ? `${text} ${t.wait(failure.retryAfter)}` : text
}

/** Tells the console of what is a mistake of the pages, and neither a refusal nor silence. */
export function report(failure: unknown) {
  if (!(failure instanceof Refusal || failure instanceof Unreached)) reportError(failure)
}

/** Says in passing why something did not happen: `changeNote(…).catch(sayFailure)`. */
export function sayFailure(failure: unknown, unreached?: string) {
  report(failure)
  say({ text: meaningOf(failure, unreached), kind: 'error' })
}

/** Whether something was done that shows at once; says so where it was not. */
export const attempt = (work: Promise<unknown>, unreached?: string) =>
  work.then(
    () => true,
    (failure) => {
      sayFailure(failure, unreached)
      return false
    },
  )
