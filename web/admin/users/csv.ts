/** Lists of people as spreadsheet programs read and write them. */
import { folded } from '../../platform/folded.ts'

/** Decodes a file: UTF-8, or else the other encoding that spreadsheet programs use for Arabic. */
export function decode(bytes: ArrayBuffer) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1256').decode(bytes)
  }
}

const separatorOf = (line: string) => {
  const bare = line.replace(/"[^"]*"/g, '')
  return [';', '\t', ','].toSorted((one, other) => bare.split(other).length - bare.split(one).length)[0]!
}

/** The cells of a CSV text. Its first line decides the separator; empty lines are skipped. */
export function parseCsv(text: string): string[][] {
  const separator = separatorOf(text.split(/\r?\n/, 1)[0] ?? '')
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endRow = () => {
    row.push(cell)
    if (row.some((one) => one.trim())) rows.push(row)
    row = []
    cell = ''
  }
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!
    if (isQuoted && letter === '"' && text[at + 1] === '"') cell += text[at++]
    else if (letter === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted
    else if (isQuoted) cell += letter
    else if (letter === separator) {
      row.push(cell)
      cell = ''
    } else if (letter === '\n' || letter === '\r') {
      if (letter === '\r' && text[at + 1] === '\n') at++
      endRow()
    } else cell += letter
  }
  endRow()
  return rows
}

/** Characters with which spreadsheet programs begin a formula. */
const formula = /^[=+\-@＝＋－＠\t\r]/

/** A CSV text that spreadsheet programs read as UTF-8 and without formulas. */
export function writeCsv(rows: readonly (readonly string[])[]) {
  const write = (cell: string) => {
    const guarded = formula.test(cell) ? `'${cell}` : cell
    return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
  }
  return `\uFEFF${rows.map((row) => row.map(write).join()).join('\r\n')}\r\n`
}

export const columns = ['username', 'email', 'displayNameAr', 'displayNameEn', 'preferredLanguage', 'groups'] as const
type Name = (typeof columns)[number]

/** The headings by which each column is recognised, in both languages. */
const heads: Record<Name, string[]> = {
  username: ['username', 'user name', 'user', 'login', 'اسم المستخدم', 'المستخدم'],
  email: ['email', 'e-mail', 'mail', 'email address', 'البريد الإلكتروني', 'البريد', 'الإيميل'],
  displayNameAr: ['arabic name', 'name in arabic', 'name (arabic)', 'الاسم', 'الاسم بالعربية', 'الاسم العربي'],
  displayNameEn: ['name', 'full name', 'english name', 'name in english', 'name (english)', 'الاسم بالإنجليزية', 'الاسم الإنجليزي'],
  preferredLanguage: ['language', 'اللغة'],
  groups: ['groups', 'group', 'المجموعات', 'المجموعة'],
}
const languages: Record<'ar' | 'en', string[]> = {
  ar: ['ar', 'arabic', 'عربي', 'العربية', 'عربية'],
  en: ['en', 'english', 'إنجليزي', 'الإنجليزية', 'إنجليزية'],
}

const isAmong = (text: string, some: readonly string[]) => some.some((one) => folded(one) === folded(text).trim())

/** The index of each column in the file; undefined if it is missing. */
export const placesIn = (head: readonly string[]) =>
  Object.fromEntries(
    columns.map((name) => {
      const place = head.findIndex((text) => isAmong(text.replace('\uFEFF', ''), heads[name]))
      return [name, place < 0 ? undefined : place]
    }),
  ) as Record<Name, number | undefined>

export type LanguageCode = keyof typeof languages
export const languageIn = (text: string) => (Object.keys(languages) as LanguageCode[]).find((code) => isAmong(text, languages[code]))
