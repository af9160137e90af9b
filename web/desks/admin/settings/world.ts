/** Time zones and currencies, named in the current language. */
import { knowsZone, officeZone } from '../../../frame/office.ts'
import { resource } from '../../../platform/cache.ts'
import { folded } from '../../../platform/folded.ts'
import { locale } from '../../../platform/language.ts'

/** The name of a zone in the current language, such as “Saudi Arabia Time”. */
export function zoneName(timeZone: string) {
  if (!knowsZone(timeZone)) return timeZone
  const parts = new Intl.DateTimeFormat(locale(), { timeZone, timeZoneName: 'longGeneric' }).formatToParts()
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}

export const currencyName = (code: string) => new Intl.DisplayNames(locale(), { type: 'currency' }).of(code) ?? code

/** Folded names, cached because naming four hundred zones takes longer than the pause between two keystrokes. */
const searched = new Map<string, { code: string; text: string }[]>()
function texts(codes: readonly string[], nameOf: (code: string) => string) {
  const key = `${locale()} ${codes[0]}`
  const found = searched.get(key) ?? codes.map((code) => ({ code, text: folded(`${code.replaceAll(/[/_]/g, ' ')} ${nameOf(code)}`) }))
  searched.set(key, found)
  return found
}

/** The codes whose own text or name contains the typed text; those with a word that begins with it come first. */
function search(codes: readonly string[], nameOf: (code: string) => string, typed: string) {
  const wanted = folded(typed).trim()
  const found = texts(codes, nameOf).filter(({ text }) => text.includes(wanted))
  const isFirst = ({ text }: { text: string }) => text.split(' ').some((word) => word.startsWith(wanted))
  return found.toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one))).map(({ code }) => code)
}

const taken = resource('/settings/time-zones')
/** The zones that the portal accepts and this browser knows, filtered by the typed text. */
export const timeZones = async (typed: string) => search((await taken.load()).names.filter(knowsZone), zoneName, typed)

export const currencies = (typed: string) => search(Intl.supportedValuesOf('currency'), currencyName, typed)

/** The time in the office: 14:05. */
export const officeTime = (at: Date) =>
  new Intl.DateTimeFormat(locale(), { timeZone: officeZone(), hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at)
