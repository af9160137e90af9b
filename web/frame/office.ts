import { present } from '../platform/ago.ts'
import { settings } from './site.ts'

const checked = new Map<string, boolean>()
/** Whether this browser knows a time zone. An old browser does not know newer names. */
export function knowsZone(timeZone: string) {
  let isKnown = checked.get(timeZone)
  if (isKnown === undefined) {
    try {
      new Intl.DateTimeFormat('en', { timeZone })
      isKnown = true
    } catch {
      isKnown = false
    }
    checked.set(timeZone, isKnown)
  }
  return isKnown
}

/** The office's time zone, or UTC if this browser does not know it. */
export function officeZone() {
  const zone = settings.data?.timeZone ?? 'UTC'
  return knowsZone(zone) ? zone : 'UTC'
}

/** Today in the office, as `YYYY-MM-DD`. Not in `site.ts`, which every page loads, because only some rooms need it. */
export const officeToday = () => new Intl.DateTimeFormat('en-CA', { timeZone: officeZone() }).format(present())
