/** The language in force, and the texts in it. */
import { effect, signal } from '@preact/signals'
import { setting } from './device.ts'

export type Language = 'ar' | 'en'

/** Can change while the page is open: components that read it, or a text, are then rendered again. */
export const language = signal<Language>(document.documentElement.lang === 'en' ? 'en' : 'ar')

effect(() => {
  document.documentElement.lang = language.value
  document.documentElement.dir = language.value === 'ar' ? 'rtl' : 'ltr'
  setting.write('language', language.value)
})

/**
 * The texts of a page in the language in force. Declare `en: typeof ar`, so that a missing text does not compile. Read a text where it is
 * shown: in a constant of a module, it would stay in the first language.
 */
export function texts<T extends object>(both: { ar: T; en: T }): T {
  return new Proxy({} as T, { get: (_, name) => both[language.value][name as keyof T] })
}

type Arabic = Record<'zero' | 'one' | 'two' | 'few' | 'many' | 'other', string>
type English = Record<'one' | 'other', string> & { zero?: string }

const rules = { ar: new Intl.PluralRules('ar'), en: new Intl.PluralRules('en') }

/** An Arabic text whose form depends on a number; `#` stands for the number. */
export const countedAr = (forms: Arabic) => (count: number) =>
  forms[rules.ar.select(count) as keyof Arabic].replace('#', () => formatNumber(count))
export const countedEn = (forms: English) => (count: number) =>
  ((count === 0 && forms.zero) || forms[rules.en.select(count) as 'one' | 'other']).replace('#', () => formatNumber(count))

/** Whether numbers use Arabic-Indic digits instead of Latin ones, the default. */
export const arabicDigits = signal(setting.read('digits') === 'arab')
export function chooseDigits(arabic: boolean) {
  arabicDigits.value = arabic
  setting.write('digits', arabic ? 'arab' : null)
}

/** The locale in force with calendar and digits written out: `ar-SA` alone would mean the Hijri calendar. */
export const locale = (calendar: 'gregory' | 'islamic-umalqura' = 'gregory') =>
  `${language.value === 'ar' ? 'ar-SA' : 'en-GB'}-u-ca-${calendar}-nu-${arabicDigits.value ? 'arab' : 'latn'}`

const numbers = new Map<string, Intl.NumberFormat>()

export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}) {
  const key = locale() + JSON.stringify(options)
  const known = numbers.get(key) ?? new Intl.NumberFormat(locale(), options)
  numbers.set(key, known)
  return known.format(value)
}

/** Names in a sentence: "A, B and C". */
export const listed = (names: readonly string[]) => new Intl.ListFormat(locale(), { type: 'conjunction' }).format(names)

/** A text, such as a time, in the digits that the person has chosen. */
export const withDigits = (text: string) => (arabicDigits.value ? text.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]!) : text)

/** The text in the language in force, or in the other language if that is empty: `inLanguage(app.nameAr, app.nameEn)`. */
export const inLanguage = (ar: string | null | undefined, en: string | null | undefined) =>
  (language.value === 'ar' ? ar || en : en || ar) ?? ''
/** A record's name in the language in force, or in the other language if that is empty. */
export const named = (record: { nameAr: string; nameEn: string }) => inLanguage(record.nameAr, record.nameEn)
/** A person's display name in the language in force, or in the other language if that is empty, or else the username. */
export const nameOf = (person: { username: string; displayNameAr: string | null; displayNameEn: string | null }) =>
  inLanguage(person.displayNameAr, person.displayNameEn) || person.username

/** Isolates a name inside a sentence in the other language, so that name and sentence do not change each other's direction. */
export const isolated = (text: string) => `\u2068${text}\u2069`
