/** The time zones and currencies that the browser knows, named in the current language. */
import { folded } from '../../platform/folded.ts'
import { locale } from '../../platform/language.ts'

/** Saudi Arabia Time, or what the language calls the zone. */
export function zoneName(timeZone: string) {
  const parts = new Intl.DateTimeFormat(locale(), { timeZone, timeZoneName: 'longGeneric' }).formatToParts()
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}

export const currencyName = (code: string) => new Intl.DisplayNames(locale(), { type: 'currency' }).of(code) ?? code

/** Cached, because naming four hundred zones takes longer than the pause between two keystrokes. */
const searched = new Map<string, { code: string; text: string }[]>()
function texts(codes: readonly string[], nameOf: (code: string) => string) {
  const key = `${locale()} ${codes[0]}`
  const found = searched.get(key) ?? codes.map((code) => ({ code, text: folded(`${code.replaceAll(/[/_]/g, ' ')} ${nameOf(code)}`) }))
  searched.set(key, found)
  return found
}

/** Codes and names that contain the typed text; those that begin with it come first. */
function search(codes: readonly string[], nameOf: (code: string) => string, typed: string) {
  const wanted = folded(typed).trim()
  const found = texts(codes, nameOf).filter(({ text }) => text.includes(wanted))
  const isFirst = ({ text }: { text: string }) => text.split(' ').some((word) => word.startsWith(wanted))
  return found.toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one))).map(({ code }) => code)
}

export const timeZones = (typed: string) => search(Intl.supportedValuesOf('timeZone'), zoneName, typed)
export const currencies = (typed: string) => search(Intl.supportedValuesOf('currency'), currencyName, typed)

/** The time in a time zone: 14:05. */
export const timeIn = (timeZone: string, at: Date) =>
  new Intl.DateTimeFormat(locale(), { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at)
