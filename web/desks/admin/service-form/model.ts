/** The operations of the form editor. All functions are pure; those that change the fields return new ones. */
import { type Condition, type FormField, type Kind, settings } from '../../../../server/work/service-forms/rules.ts'
import { wordsOf } from '../shared/conditions/fit.ts'
import { keyOf } from '../shared/keys.ts'

export type { Condition, FormField, Kind } from '../../../../server/work/service-forms/rules.ts'
export type Fields = readonly FormField[]
export type Option = NonNullable<FormField['options']>[number]
export type Side = 'ar' | 'en'

export const MOST = { fields: 60, options: 200, optionsOfField: 100 }

export const hasOptions = (kind: Kind) => 'options' in settings[kind]
export const keysIn = (list: readonly { key: string }[]) => list.map(({ key }) => key)
/** A typed text; null if it is blank. */
export const text = (typed: string) => (typed.trim() ? typed : null)

const fieldKey = (field: FormField, taken: readonly string[]) => keyOf(wordsOf(field), 'field', taken)
const optionKey = ({ ar, en }: Option, taken: readonly string[]) => keyOf({ ar, en }, 'option', taken)

/** A new field at the end, with the defaults of its kind. */
export function addField(fields: Fields, kind: Kind, words: { ar: string; en: string }): FormField[] {
  const [ar, en] = [text(words.ar), text(words.en)]
  const named = kind === 'info' ? { labelAr: null, labelEn: null, textAr: ar, textEn: en } : { labelAr: ar, labelEn: en }
  const blank = { key: '', kind, labelAr: null, labelEn: null, hintAr: null, hintEn: null, required: false, when: [] }
  const field: FormField = { ...blank, ...structuredClone(settings[kind]), ...named }
  return [...fields, { ...field, key: fieldKey(field, keysIn(fields)) }]
}

export const changeField = (fields: Fields, key: string, change: Partial<FormField>) =>
  fields.map((field) => (field.key === key ? { ...field, ...change } : field))

/** Replaces each condition by the result of `of`; undefined removes the condition. */
const withConditions = (fields: Fields, of: (condition: Condition) => Condition | undefined) =>
  fields.map((field) => {
    const when = field.when.map(of)
    return when.every((one, n) => one === field.when[n]) ? field : { ...field, when: when.filter((one) => one !== undefined) }
  })

/** Gives a field a new key, also in the conditions that read it. */
export const renameField = (fields: Fields, key: string, next: string) =>
  withConditions(changeField(fields, key, { key: next }), (one) => (one.field === key ? { ...one, field: next } : one))

/** Changes the texts of a field. Its key follows if it was made from them and is not in `saved`. */
export function relabel(fields: Fields, key: string, change: Partial<FormField>, saved: readonly string[]): FormField[] {
  const before = fields.find((field) => field.key === key)!
  const others = keysIn(fields).filter((one) => one !== key)
  const after = changeField(fields, key, change)
  if (saved.includes(key) || fieldKey(before, others) !== key) return after
  return renameField(after, key, fieldKey({ ...before, ...change }, others))
}

/** The fields with a condition on the field `key`, or on one of its options. */
export const readersOf = (fields: Fields, key: string, option?: string) =>
  fields.filter(({ when }) =>
    when.some(({ field, value }) => field === key && (option === undefined || (Array.isArray(value) && value.includes(option)))),
  )

/** Removes a field, and the conditions that read it. */
export const removeField = (fields: Fields, key: string) =>
  withConditions(
    fields.filter((field) => field.key !== key),
    (one) => (one.field === key ? undefined : one),
  )

/** A condition without an option; undefined if it has no other option. */
function withoutOption(condition: Condition, option: string) {
  if (!Array.isArray(condition.value)) return condition
  const value = condition.value.filter((one) => one !== option)
  return value.length > 0 ? { ...condition, value } : undefined
}

export const optionsOf = (fields: Fields, key: string) => fields.find((field) => field.key === key)?.options ?? []
export const withOptions = (fields: Fields, key: string, options: Option[]) => changeField(fields, key, { options })

export function addOption(fields: Fields, key: string, at: number): FormField[] {
  const [own, { kind }] = [optionsOf(fields, key), fields.find((field) => field.key === key)!]
  const option = { key: keyOf({ ar: null, en: null }, 'option', keysIn(own)), ar: null, en: null, ...(kind === 'items' && { most: 99 }) }
  return withOptions(fields, key, own.toSpliced(at, 0, option))
}

/** Removes an option, also from the conditions that read it. */
export const removeOption = (fields: Fields, key: string, option: string) =>
  withConditions(
    withOptions(
      fields,
      key,
      optionsOf(fields, key).filter((one) => one.key !== option),
    ),
    (one) => (one.field === key ? withoutOption(one, option) : one),
  )

/** Changes an option. Its key follows, also in conditions, if it was made from its texts and is not in `saved`. */
export function changeOption(fields: Fields, key: string, option: string, change: Partial<Option>, saved: readonly string[]): FormField[] {
  const own = optionsOf(fields, key)
  const before = own.find((one) => one.key === option)!
  const others = keysIn(own).filter((one) => one !== option)
  const isFree = !saved.includes(option) && optionKey(before, others) === option
  const after = { ...before, ...change }
  const next = isFree ? optionKey(after, others) : option
  const all = withOptions(
    fields,
    key,
    own.map((one) => (one === before ? { ...after, key: next } : one)),
  )
  if (next === option) return all
  const renamed = (value: Condition['value']) => (Array.isArray(value) ? value.map((one) => (one === option ? next : one)) : value)
  return withConditions(all, (one) => (one.field === key ? { ...one, value: renamed(one.value) } : one))
}

const isArabic = (line: string) => /\p{Script=Arabic}/u.test(line)

/** The texts of a pasted line: in both languages if a tab divides it, otherwise in that of the column. */
function textsIn(line: string, side: Side): Partial<Option> {
  const [first = '', second] = line.split('\t').map((part) => part.trim())
  if (!second) return { [side]: first || null }
  return isArabic(first) ? { ar: first, en: second } : { ar: second, en: first }
}

/** Overwrites options from `at` on with pasted lines, and adds missing options. Returns undefined for a single line without a tab. */
export function pasteLines(
  fields: Fields,
  key: string,
  { at, side, pasted }: { at: number; side: Side; pasted: string },
  saved: readonly string[],
): FormField[] | undefined {
  const lines = pasted.split(/\r\n?|\n/).filter((line) => line.trim())
  if (lines.length < 2 && !pasted.trim().includes('\t')) return undefined
  let all = [...fields]
  for (const [n, line] of lines.slice(0, MOST.optionsOfField - at).entries()) {
    if (optionsOf(all, key).length <= at + n) all = addOption(all, key, at + n)
    all = changeOption(all, key, optionsOf(all, key)[at + n]!.key, textsIn(line, side), saved)
  }
  return all
}

/** The languages in which a field lacks a text that it has in the other language. */
export function missingIn(field: FormField): Side[] {
  const pairs: (readonly [string | null | undefined, string | null | undefined])[] = [
    [field.labelAr, field.labelEn],
    [field.hintAr, field.hintEn],
    [field.unitAr, field.unitEn],
    [field.textAr, field.textEn],
    ...(field.options ?? []).map(({ ar, en }) => [ar, en] as const),
  ]
  return (['ar', 'en'] as const).filter((side) => pairs.some(([ar, en]) => (side === 'ar' ? !ar && en : !en && ar)))
}
