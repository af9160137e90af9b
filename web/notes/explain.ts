import { say } from '../parts/toasts.tsx'
import { Refusal, Unreached } from '../platform/refusal.ts'
import { t } from './texts.ts'

/** What a failure means, in the language in force. */
export const meaningOf = (failure: unknown) =>
  failure instanceof Unreached ? t.offline : (failure instanceof Refusal && (failure.field('name') || failure.text)) || t.failed

/** Says in passing why something did not happen: `changeNote(…).catch(explain)`. */
export const explain = (failure: unknown) => void say({ text: meaningOf(failure), kind: 'error' })
