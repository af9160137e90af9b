/** Cleans and checks texts from people, and formats names and dates for them. */
import type { Language } from './tables.ts'

/**
 * Characters that embed, override or isolate a text direction, and the control characters from U+007F on, as the inside of a character
 * class.
 */
const controls = '\\u007F-\\u009F\\u202A-\\u202E\\u2066-\\u2069'
const unwanted = {
  line: new RegExp(`[\\u0000-\\u001F${controls}]`, 'g'),
  text: new RegExp(`[\\u0000-\\u0008\\u000B-\\u001F${controls}]`, 'g'),
}

/** Spaces and invisible marks, which often surround copied names and addresses. Tag characters are not among them: flags end with one. */
const around = '[[\\s[\\p{Cf}&&\\p{Default_Ignorable_Code_Point}]]--[\\u{E0001}-\\u{E007F}]]+'
// The pattern matches only at the beginning of a run, so that a long run inside the text takes linear time.
const edges = new RegExp(`^${around}|(?<!${around.slice(0, -1)})${around}$`, 'gv')

/** A line without spaces and invisible marks at its edges. A line of marks only is not emptied, so that `isVisible` refuses it. */
function trimLine(line: string) {
  return line.replace(edges, '') || line.trim()
}

export const cleanText = (value: string, kind: 'line' | 'text') =>
  kind === 'line'
    ? trimLine(
        value
          .replace(/[\r\n\t\u2028\u2029]+/g, ' ')
          .replace(unwanted.line, '')
          .normalize('NFC'),
      )
    : value
        .replace(/\r\n?|[\u2028\u2029]/g, '\n')
        .replace(unwanted.text, '')
        .normalize('NFC')
        .trim()

/** The maximum number of combining marks in a row that a text may have. */
export const MOST_MARKS = 30
const longMarkRun = new RegExp(`\\p{M}{${MOST_MARKS + 1}}`, 'u')

/**
 * Whether a text has more than 30 combining marks in a row, which no script needs. Characters that `cleanText` drops do not interrupt a
 * row. Normalising a run of marks takes quadratic time, so this check comes first.
 */
export const hasLongMarkRun = (value: string) => longMarkRun.test(value.replace(unwanted.text, ''))

/** Symbols that fonts leave blank, as the inside of a character class: an empty Braille cell, an object's placeholder, a null notehead. */
const BLANK = '\\u2800\\uFFFC\\u{1D159}'
const visible = new RegExp(`(?!\\p{Default_Ignorable_Code_Point})(?![${BLANK}])[\\p{L}\\p{N}\\p{P}\\p{S}]`, 'u')
/** Whether a text has a visible character: marks, spaces and letters that fonts leave blank do not count. */
export const isVisible = (value: string) => visible.test(value)

const NOTHING_IGNORABLE = '(?!.*\\p{Default_Ignorable_Code_Point})'
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?'
/** One of the parts, separated by dots, of an e-mail address before the @. */
const ATOM = `[^\\s\\p{C}${BLANK}.@<>()\\[\\],;:"\\\\]+`

const domain = new RegExp(`^${NOTHING_IGNORABLE}(?=.{1,253}$)${LABEL}(?:\\.${LABEL})+$`, 'u')
/** Whether a text is a domain of several labels. */
export const isDomain = (value: string) => domain.test(value)

/** Usernames and e-mail addresses, once they are clean. The patterns are meant for the `u` flag; lengths are in code points. */
export const accountNames = {
  username: { min: 1, max: 64, pattern: `^${NOTHING_IGNORABLE}(\\p{L}\\p{M}*|[\\p{Nd}._-])+$` },
  email: {
    min: 3,
    max: 254,
    pattern: `^${NOTHING_IGNORABLE}(?=[^@]{1,64}@)(?!\\p{M})${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})*$`,
  },
}

/** The name as it is stored; undefined if no account may have it. */
export function readAccountName(value: string, rule: keyof typeof accountNames) {
  const { max, pattern } = accountNames[rule]
  if (!isStorable(value) || hasLongMarkRun(value)) return undefined
  const name = cleanText(value, 'line')
  return [...name].length <= max && new RegExp(pattern, 'u').test(name) ? name : undefined
}

/** An e-mail address with or without a name before it, cleaned; undefined if it is invalid. */
export function readNamedAddress(value: string) {
  if (/\p{Cc}/u.test(value)) return undefined
  const line = cleanText(value, 'line')
  const named = /^([^<>]*)<([^<>]*)>$/.exec(line)
  const address = readAccountName(named?.[2] ?? line, 'email')
  return named && address ? `${cleanText(named[1]!, 'line')} <${address}>`.trim() : address
}

/** Whether PostgreSQL can store the text and UTF-8 can encode it. */
export const isStorable = (value: string) => !value.includes('\0') && value.isWellFormed()

/**
 * The paths of the first `most` texts in a parsed JSON value, names of fields included, that are not storable. Walks without recursion,
 * because the sender chooses the depth.
 */
export function unstorableIn(value: unknown, most: number): string[] {
  const found: string[] = []
  const waiting = [{ path: '', value }]
  while (waiting.length && found.length < most) {
    const { path, value } = waiting.pop()!
    if (typeof value === 'string' && !isStorable(value)) found.push(path)
    if (typeof value !== 'object' || value === null) continue
    const fields = Object.entries(value).map(([key, inner]) => ({ key, path: path ? `${path}.${key}` : key, value: inner as unknown }))
    for (const { key, path } of fields) if (!isStorable(key)) found.push(path)
    waiting.push(...fields.filter(({ key }) => isStorable(key)).toReversed())
  }
  return found.slice(0, most)
}

/** The name in the reader's language, else in the other language, else the username. */
export const displayName = (person: { username: string; displayNameAr: string | null; displayNameEn: string | null }, language: string) =>
  (language === 'ar' ? person.displayNameAr || person.displayNameEn : person.displayNameEn || person.displayNameAr) || person.username

const LONGEST_TITLE = 60

/**
 * The title of a role or group in each language: the first line of its description, else of that in the other language, else its name. A
 * line of more than 60 characters is cut.
 */
export function titlesOf({
  name,
  descriptionAr,
  descriptionEn,
}: {
  name: string
  descriptionAr: string | null
  descriptionEn: string | null
}) {
  const title = (description: string | null) => {
    const letters = [...(description ?? '').trim().split('\n')[0]!.trim()]
    const short = letters.slice(0, LONGEST_TITLE - 1).join('')
    return (letters.length > LONGEST_TITLE ? `${short.trim()}…` : letters.join('')) || name
  }
  return { ar: title(descriptionAr || descriptionEn), en: title(descriptionEn || descriptionAr) }
}

/** The pattern of a substring search for a text already folded by `portal_fold`. */
export const likePattern = (folded: string) => `%${folded.replace(/[\\%_]/g, '\\$&')}%`

const [GREGORIAN, HIJRI] = ['gregory', 'islamic-umalqura']
const writerOf = (locale: string, options: Intl.DateTimeFormatOptions = {}) =>
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC', ...options })
const dateWriters = {
  ar: [writerOf(`ar-SA-u-ca-${GREGORIAN}-nu-latn`, { weekday: 'long' }), writerOf(`ar-SA-u-ca-${HIJRI}-nu-latn`)],
  en: [writerOf(`en-GB-u-ca-${GREGORIAN}`, { weekday: 'long' }), writerOf(`en-GB-u-ca-${HIJRI}`)],
} as const

/** A calendar date (`YYYY-MM-DD`) as people read it: with the day of the week, and the Hijri date (Umm al-Qura) after the Gregorian one. */
export function describeDate(date: string, language: 'ar' | 'en') {
  const [gregorian, hijri] = dateWriters[language]
  const day = new Date(`${date}T00:00:00Z`)
  return `${gregorian.format(day)} (${hijri.format(day)})`
}

const utc: Record<Language, string> = { ar: 'بالتوقيت العالمي', en: 'UTC' }
/** The usual name of a time zone at that moment: some have another name in summer. */
function nameOfZone(language: Language, moment: Date, timeZone: string) {
  if (timeZone === 'UTC') return utc[language]
  const parts = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'long' }).formatToParts(moment)
  const name = parts.find(({ type }) => type === 'timeZoneName')!.value
  return language === 'ar' ? `(${name})` : name
}

/** A moment as people of the office read it: the Gregorian date and the time, with the Hijri date (Umm al-Qura) beside it. */
export function momentFor(language: Language, moment: Date, timeZone: string) {
  const locale = language === 'ar' ? 'ar' : 'en-GB'
  const gregorian = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone, calendar: 'gregory' }).format(moment)
  const hijri = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone, calendar: 'islamic-umalqura' }).format(moment)
  return `${gregorian} ${nameOfZone(language, moment, timeZone)} (${hijri})`
}
