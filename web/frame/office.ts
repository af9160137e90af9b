import { minute } from '../platform/dates.ts'
import { settings } from './site.ts'

const checked = new Map<string, boolean>()
/** Whether this browser can tell the time in a zone; an old one knows none of the newer names. */
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

/** The office's time zone, as far as this browser knows it. */
export function officeZone() {
  const zone = settings.data?.timeZone ?? 'UTC'
  return knowsZone(zone) ? zone : 'UTC'
}

/** Today in the office, as `YYYY-MM-DD`. Apart from the site's settings, because only rooms need it. */
export const officeToday = () => new Intl.DateTimeFormat('en-CA', { timeZone: officeZone() }).format(minute.value)
