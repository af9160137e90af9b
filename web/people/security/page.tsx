import './style.css'
import { useMemo } from 'preact/hooks'
import { CONFIRMED } from '../../frame/question.ts'
import { lazily } from '../../parts/show/lazily.tsx'
import { ours } from '../../platform/device.ts'
import { path, queryValue } from '../../platform/router.ts'
import { Security } from './security.tsx'

const Enrol = lazily(async () => (await import('./enrol.tsx')).Enrol)

/**
 * If this window was opened for confirming at a provider, reports the result and closes the window. Returns whether the window is closed.
 */
function closeConfirmed() {
  if (!queryValue('confirmed')) return false
  // The page that asked for the confirmation is open in another window.
  new BroadcastChannel(ours(CONFIRMED)).postMessage({ failed: queryValue('failed') })
  window.close()
  return window.closed
}

/** The security page, and the page to set up a second factor. */
export default function SecurityRoom() {
  if (useMemo(closeConfirmed, [])) return null
  return path.value === '/enrol' ? <Enrol /> : <Security />
}
