/** Dates and times to read: in both calendars, in the language and the digits in force. */
import { signal } from '@preact/signals'
import { language, locale } from './language.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

function formatter(options: Intl.DateTimeFormatOptions, calendar?: 'gregory' | 'islamic-umalqura') {
  const key = locale(calendar) + JSON.stringify(options)
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale(calendar), options)
  formats.set(key, known)
  return known
}
/** Formats a moment or a day by options of `Intl`. The formatters are cached, because they are slow to create. */
export const format = (at: Date | string, options: Intl.DateTimeFormatOptions, calendar?: 'gregory' | 'islamic-umalqura') =>
  formatter(options, calendar).format(new Date(at))

const day = { day: 'numeric', month: 'long', year: 'numeric' } as const

/** As “Sunday, 22 November 2026”. For a plain day (`YYYY-MM-DD`), pass the `timeZone` `'UTC'`. */
export const longDay = (at: Date | string, timeZone?: string) => format(at, { weekday: 'long', ...day, timeZone })
/** As `longDay`, without the weekday, in the Umm al-Qura calendar. */
export const hijriDay = (at: Date | string, timeZone?: string) => format(at, { ...day, timeZone }, 'islamic-umalqura')
/** As “22 Nov 2026”. */
export const shortDay = (at: Date | string, timeZone?: string) => format(at, { day: 'numeric', month: 'short', year: 'numeric', timeZone })
const timeWith = (twelve: boolean) =>
  ({ hour: twelve ? 'numeric' : '2-digit', minute: '2-digit', hourCycle: twelve ? 'h12' : 'h23' }) as const
/** As “14:05”, or as “2:05 pm” with `twelve`. */
export const timeOfDay = (at: Date | string, twelve = false) => format(at, timeWith(twelve))
/** As `timeOfDay`, in parts: the digits, and “am” or “pm” with `twelve`. */
export function timeParts(at: Date, twelve: boolean) {
  const parts = formatter(timeWith(twelve)).formatToParts(at)
  const half = parts.find(({ type }) => type === 'dayPeriod')?.value
  const isDigits = ({ type }: Intl.DateTimeFormatPart, index: number) => type !== 'dayPeriod' && parts[index + 1]?.type !== 'dayPeriod'
  return {
    digits: parts
      .filter(isDigits)
      .map(({ value }) => value)
      .join(''),
    half,
  }
}
/** A moment with its date in both calendars, for the tooltip of a relative time. */
export const exactly = (at: Date | string) => `${longDay(at)}${language.value === 'ar' ? '، ' : ', '}${timeOfDay(at)} (${hijriDay(at)})`

/** The current time of this device, updated each minute. */
export const minute = signal(new Date())
setInterval(() => {
  minute.value = new Date()
}, 60_000)
