import './style.css'
import { useMemo } from 'preact/hooks'
import { CONFIRMED } from '../frame/question.ts'
import { lazily } from '../parts/lazily.tsx'
import { path, queryValue } from '../platform/router.ts'
import { Security } from './security.tsx'

const Enrol = lazily(async () => (await import('./enrol.tsx')).Enrol)

/** Closes the window in which somebody has confirmed themselves at a provider. Returns whether it was one. */
function closeConfirmed() {
  if (!queryValue('confirmed')) return false
  // The page that asked waits in another window.
  new BroadcastChannel(CONFIRMED).postMessage({ failed: queryValue('failed') })
  window.close()
  return window.closed
}

/** How a person signs in, and the setting up of a second factor. */
export default function SecurityRoom() {
  if (useMemo(closeConfirmed, [])) return null
  return path.value === '/enrol' ? <Enrol /> : <Security />
}
