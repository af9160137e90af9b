/** Conditions on the answers to a form: the fields and comparisons that they can have. */
import type { FormField } from '../../../../parts/forms/answers/judging.ts'

export type Condition = FormField['when'][number]
type Op = Condition['op']

/** The most conditions that a field or a step can have. */
export const MOST_CONDITIONS = 3

const fit: Partial<Record<FormField['kind'], Op[]>> = {
  choice: ['any', 'none'],
  choices: ['any', 'none'],
  yes_no: ['any', 'none'],
  items: ['any', 'none', 'atLeast', 'atMost'],
  number: ['atLeast', 'atMost'],
}
export const opsOf = (field: FormField) => (field.options?.length === 0 ? [] : (fit[field.kind] ?? []))

/** A new condition on a field, with a default value. */
export function conditionOn(field: FormField, op: Op = opsOf(field)[0]!): Condition {
  if (op === 'atLeast' || op === 'atMost') return { field: field.key, op, value: 1 }
  return { field: field.key, op, value: [field.kind === 'yes_no' ? true : field.options![0]!.key] }
}

/** A condition with a new comparison. It keeps its value if that still fits. */
export function withOp(condition: Condition, field: FormField, op: Op): Condition {
  const next = conditionOn(field, op)
  return Array.isArray(next.value) === Array.isArray(condition.value) ? { ...condition, op } : next
}

/** Whether a condition fits the present kind and options of a field. */
export function fits({ op, value }: Condition, field: FormField) {
  const isCount = op === 'atLeast' || op === 'atMost'
  if (!opsOf(field).includes(op) || isCount === Array.isArray(value)) return false
  if (isCount) return true
  const known: (string | boolean)[] = field.kind === 'yes_no' ? [true, false] : (field.options ?? []).map((option) => option.key)
  return (value as (string | boolean)[]).every((one) => known.includes(one)) && (value as []).length > 0
}

/** The texts by which an administrator knows a field: its label or, for information without a label, its text. */
export const wordsOf = ({ kind, labelAr, labelEn, textAr, textEn }: FormField) => {
  const isText = kind === 'info' && !labelAr && !labelEn
  return isText ? { ar: textAr ?? null, en: textEn ?? null } : { ar: labelAr, en: labelEn }
}
