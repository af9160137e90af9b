/**
 * Handles calls that the portal forbids until the person has confirmed themselves or set up a second factor. Loaded at the first such call.
 */

import type { Refusal } from '../platform/refusal.ts'
import { go, path } from '../platform/router.ts'

/** The pages that stay open to a person who must set up a second factor first. */
const OPEN = /^\/(enrol|account\/security)$/

function enrol() {
  const here = path.peek()
  if (!OPEN.test(here)) go(`/enrol?next=${encodeURIComponent(here + location.search)}`, { replace: true })
  return false
}

let asking: Promise<boolean> | undefined
/** Asks the person to confirm themselves. Calls that arrive while the question is open share its answer. */
async function confirm(refusal: Refusal) {
  const { ask } = await import('./confirm-dialog.tsx')
  asking ??= ask(refusal).finally(() => {
    asking = undefined
  })
  return asking
}

/** Returns whether the call should be sent again. */
export async function remedy(refusal: Refusal) {
  if (refusal.code === 'enrolment_required') return enrol()
  return refusal.code === 'confirmation_required' && confirm(refusal)
}
