/** The columns of a file: their headings, and the values that a cell may have. */
import { Type } from 'typebox'
import type { Language } from '../../platform/tables.ts'
import { cleanText } from '../../platform/text.ts'
import { newPerson } from '../users/shapes.ts'

const values = <T>(...all: (readonly [T, ...string[]])[]) => new Map(all.flatMap(([value, ...words]) => words.map((word) => [word, value])))

/** `heads`: the headings, in both languages. `field`: the column of `users` that the cell sets. `values`: the words that a cell may have. */
export const columns = {
  username: { heads: ['username', 'اسم المستخدم'], shape: newPerson.username },
  email: { heads: ['email', 'البريد الإلكتروني'], field: 'email', shape: newPerson.email },
  display_name_ar: { heads: ['display_name_ar', 'الاسم بالعربية'], field: 'displayNameAr', shape: newPerson.displayNameAr },
  display_name_en: { heads: ['display_name_en', 'الاسم بالإنجليزية'], field: 'displayNameEn', shape: newPerson.displayNameEn },
  language: {
    heads: ['language', 'اللغة'],
    field: 'preferredLanguage',
    values: values<Language>(['ar', 'ar', 'arabic', 'العربية', 'عربي'], ['en', 'en', 'english', 'الإنجليزية', 'إنجليزي']),
  },
  groups: { heads: ['groups', 'المجموعات'] },
  manager: { heads: ['manager', 'المدير'], shape: newPerson.username },
  active: { heads: ['active', 'مفعّل'], field: 'isActive', values: values([true, 'true', '1', 'نعم'], [false, 'false', '0', 'لا']) },
} as const
export type ColumnName = keyof typeof columns
export const columnNames = Object.keys(columns) as ColumnName[]

/** The columns that set a field of a person, each with that field. */
export const fieldColumns = columnNames.flatMap((name) => {
  const column = columns[name]
  return 'field' in column ? [[name, column.field] as const] : []
})

/** The schema of the cells that are texts, by column. */
export const CellTexts = Type.Partial(
  Type.Object(
    Object.fromEntries(
      columnNames.flatMap((name) => {
        const column = columns[name]
        return 'shape' in column ? [[name, column.shape]] : []
      }),
    ),
  ),
)

/** Folds a word, so that headings and values are compared without case, marks and variants of the alef. */
const folded = (text: string) =>
  cleanText(text, 'line')
    .toLowerCase()
    .replace(/[\p{M}ـ]/gu, '')
    .replace(/[أإآ]/g, 'ا')
    .replace(/\s+/g, ' ')

const byHeading = new Map(columnNames.flatMap((name) => columns[name].heads.map((head) => [folded(head), name] as const)))
export const columnOf = (heading: string) => byHeading.get(folded(heading))

/** The value that a word stands for in a column; undefined for an unknown word. */
export function valueIn(name: ColumnName, word: string) {
  const column = columns[name]
  if (!('values' in column)) return undefined
  for (const [known, value] of column.values) if (folded(known) === folded(word)) return value
  return undefined
}
export const wordsOf = (name: ColumnName) => {
  const column = columns[name]
  return 'values' in column ? [...column.values.keys()] : []
}
