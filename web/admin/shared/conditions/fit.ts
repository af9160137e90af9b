/** Conditions on the answers to a form: which fields they can read, and how. */
import type { FormField } from '../../../parts/answers/judging.ts'

export type Condition = FormField['when'][number]
type Op = Condition['op']

/** How many conditions one thing can have. */
export const MOST_CONDITIONS = 3

const fit: Partial<Record<FormField['kind'], Op[]>> = {
  choice: ['any', 'none'],
  choices: ['any', 'none'],
  yes_no: ['any', 'none'],
  items: ['any', 'none', 'atLeast', 'atMost'],
  number: ['atLeast', 'atMost'],
}
export const opsOf = (field: FormField) => (field.options?.length === 0 ? [] : (fit[field.kind] ?? []))

/** What a condition on a field begins with. */
export function conditionOn(field: FormField, op: Op = opsOf(field)[0]!): Condition {
  if (op === 'atLeast' || op === 'atMost') return { field: field.key, op, value: 1 }
  return { field: field.key, op, value: [field.kind === 'yes_no' ? true : field.options![0]!.key] }
}

/** The same condition with another comparison, and its value if that still fits. */
export function withOp(condition: Condition, field: FormField, op: Op): Condition {
  const next = conditionOn(field, op)
  return Array.isArray(next.value) === Array.isArray(condition.value) ? { ...condition, op } : next
}

/** Whether a condition can read a field as it is now. */
export function fits({ op, value }: Condition, field: FormField) {
  const isCount = op === 'atLeast' || op === 'atMost'
  if (!opsOf(field).includes(op) || isCount === Array.isArray(value)) return false
  if (isCount) return true
  const known: (string | boolean)[] = field.kind === 'yes_no' ? [true, false] : (field.options ?? []).map((option) => option.key)
  return (value as (string | boolean)[]).every((one) => known.includes(one)) && (value as []).length > 0
}

/** What an administrator calls a field: its label, or the beginning of what it says. */
export const wordsOf = ({ kind, labelAr, labelEn, textAr, textEn }: FormField) => {
  const isText = kind === 'info' && !labelAr && !labelEn
  return isText ? { ar: textAr ?? null, en: textEn ?? null } : { ar: labelAr, en: labelEn }
}
