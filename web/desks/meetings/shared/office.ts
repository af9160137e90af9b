/** The office's clock. Days and times of meetings are in the office's time zone, wherever the device is. */
import { signal } from '@preact/signals'
import { officeZone } from '../../../frame/office.ts'
import { portalNow } from '../../../platform/client.ts'
import { timeOfDay } from '../../../platform/dates.ts'
import { locale, withDigits } from '../../../platform/language.ts'
import { me } from '../../../platform/session.ts'

const MINUTE_MS = 60_000
let timer: ReturnType<typeof setTimeout> | undefined
const tick = () => {
  clearTimeout(timer)
  now.value = portalNow()
  timer = setTimeout(tick, MINUTE_MS - (now.peek().getTime() % MINUTE_MS))
}
// Update when the page becomes visible, because timers are late after the device slept or the page was hidden.
const wake = () => document.visibilityState === 'visible' && tick()

/** The current time by the portal’s clock. It updates each minute while something shows it. */
export const now = signal(portalNow(), {
  watched() {
    // In a microtask, because a component is rendering now.
    queueMicrotask(tick)
    addEventListener('visibilitychange', wake, true)
  },
  unwatched() {
    clearTimeout(timer)
    removeEventListener('visibilitychange', wake, true)
  },
})

/** Formats by language, time zone and options, cached because creating one is slow. */
const formats = new Map<string, Intl.DateTimeFormat>()
function format(language: string, options: Intl.DateTimeFormatOptions, at: Date) {
  const key = language + officeZone() + JSON.stringify(options)
  const known = formats.get(key) ?? new Intl.DateTimeFormat(language, { timeZone: officeZone(), ...options })
  formats.set(key, known)
  return known.format(at)
}

/** The office's day, `YYYY-MM-DD`. */
export const officeDay = (at = now.value) => format('en-CA', {}, at)
/** The office's time, `HH:MM`. */
export const officeTime = (at = now.value) => format('en-GB', { hour: '2-digit', minute: '2-digit' }, at)

const elsewhere = { day: 'numeric', hour: '2-digit', minute: '2-digit' } as const
const own = new Intl.DateTimeFormat('en-GB', elsewhere)
/** The name of the office's time zone if the device has another time: "Saudi Arabia Time". */
export function otherZone(at = now.value) {
  if (own.format(at) === format('en-GB', elsewhere, at)) return undefined
  const parts = new Intl.DateTimeFormat(locale(), { timeZone: officeZone(), timeZoneName: 'shortGeneric' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value
}

/** A meeting's time as the person prefers it: `13:00` or 1:00 pm. */
export const clock = (time: string) => withDigits(me.value?.clockHour12 ? timeOfDay(`2000-01-01T${time}`, true) : time)
