/** Conditions of a form: on which fields they can be, and what has become wrong with them. */
import type { Condition, Fields, FormField, Kind } from './model.ts'

type Op = Condition['op']
const fit: Partial<Record<Kind, Op[]>> = {
  choice: ['any', 'none'],
  choices: ['any', 'none'],
  yes_no: ['any', 'none'],
  items: ['any', 'none', 'atLeast', 'atMost'],
  number: ['atLeast', 'atMost'],
}
export const opsOf = (field: FormField) => (field.options?.length === 0 ? [] : (fit[field.kind] ?? []))

/** The fields above one that its conditions can read. */
export function readable(fields: Fields, key: string) {
  const at = fields.findIndex((field) => field.key === key)
  return fields.slice(0, at).filter((field) => opsOf(field).length > 0)
}

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

/** `gone`: the form has no such field. `below`: it is not further up. `unfit`: it cannot be read like this. */
export type Fault = 'gone' | 'below' | 'unfit'

export function faultOf(fields: Fields, key: string, { field: read, op, value }: Condition): Fault | undefined {
  const [at, where] = [key, read].map((one) => fields.findIndex((field) => field.key === one)) as [number, number]
  const field = fields[where]
  if (!field) return 'gone'
  if (where >= at) return 'below'
  const isCount = op === 'atLeast' || op === 'atMost'
  if (!opsOf(field).includes(op) || isCount === Array.isArray(value)) return 'unfit'
  if (isCount) return undefined
  const known: (string | boolean)[] = field.kind === 'yes_no' ? [true, false] : (field.options ?? []).map((option) => option.key)
  return (value as (string | boolean)[]).every((one) => known.includes(one)) && (value as []).length > 0 ? undefined : 'unfit'
}

/** The fields with a condition that cannot be kept, such as one on a field that was moved below. */
export const faulty = (fields: Fields) => fields.filter(({ key, when }) => when.some((condition) => faultOf(fields, key, condition)))

/** Takes away the conditions that cannot be kept. */
export const withoutFaults = (fields: Fields) =>
  fields.map((field) => ({ ...field, when: field.when.filter((condition) => !faultOf(fields, field.key, condition)) }))
