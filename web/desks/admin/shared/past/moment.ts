/** The moment in the address of a page about the past. */
import { portalNow } from '../../../../platform/client.ts'
import { shortDay, timeOfDay } from '../../../../platform/dates.ts'
import { queryValue, setQuery } from '../../../../platform/router.ts'
import { t } from './texts.ts'

/** A moment may lie this far in the future, because this device knows the portal's clock only roughly. */
const SOON_MS = 60_000

/** The `at` of the address, as ISO 8601; undefined for now, for a moment of the future, and for any other text. */
export function askedMoment() {
  const text = queryValue('at')
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN
  return time <= portalNow().getTime() + SOON_MS ? new Date(time).toISOString() : undefined
}

/** Puts the moment into the address; undefined stands for now. */
export const askAt = (at: string | undefined) => setQuery({ at: at ?? '' })

/** “on 1 Mar 2026 at 10:00”, or “now”. */
export const momentInWords = (at: string | undefined) => (at ? t.at(shortDay(at), timeOfDay(at)) : t.now)
