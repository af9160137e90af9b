import './style.css'
import { lazily } from '../parts/lazily.tsx'
import { path } from '../platform/router.ts'
import { Security } from './security.tsx'

const Enrol = lazily(async () => (await import('./enrol.tsx')).Enrol)

/** How a person signs in, and the setting up of a second factor. */
export default function SecurityRoom() {
  return path.value === '/enrol' ? <Enrol /> : <Security />
}
