import type { FormField, Option } from '../../../../parts/forms/answers/judging.ts'
import { formatNumber, inLanguage, isolated } from '../../../../platform/language.ts'
import { type Condition, wordsOf } from './fit.ts'
import { t } from './texts.ts'

/** The name of a field in the current language. */
export const nameOf = (field: FormField) => {
  const { ar, en } = wordsOf(field)
  return inLanguage(ar, en) || t.unnamed
}
export const optionName = ({ ar, en }: Option, at: number) => inLanguage(ar, en) || t.option(formatNumber(at + 1))

/** A comparison in words. For a yes-no field it is “is” or “is not”, and the value follows it. */
export function opName(field: FormField, op: Condition['op']) {
  if (field.kind === 'yes_no') return op === 'any' ? t.isYes : t.isNotYes
  return t.ops[op]
}

function valueName(field: FormField, value: string | boolean) {
  if (typeof value === 'boolean') return value ? t.yes : t.no
  const at = (field.options ?? []).findIndex(({ key }) => key === value)
  return at < 0 ? value : isolated(optionName(field.options![at]!, at))
}

/** “Show only if Amount is at least 100”, where `onlyIf` is “Show only if”. */
export function conditionInWords(fields: readonly FormField[], { field: key, op, value }: Condition, at: number, onlyIf: string) {
  const field = fields.find((one) => one.key === key)
  if (!field) return ''
  const values = Array.isArray(value) ? value.map((one) => valueName(field, one)).join(t.comma) : formatNumber(value)
  return `${at === 0 ? onlyIf : t.andIf} ${isolated(nameOf(field))} ${opName(field, op)} ${values}`
}
