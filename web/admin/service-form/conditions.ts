/** Conditions of a form: the fields that they can read, and their faults. */
import { fits, opsOf } from '../shared/conditions/fit.ts'
import type { Condition, Fields } from './model.ts'

/** The fields above a field that its conditions can read. */
export function readable(fields: Fields, key: string) {
  const at = fields.findIndex((field) => field.key === key)
  return fields.slice(0, at).filter((field) => opsOf(field).length > 0)
}

/** The field that a condition reads is `gone` from the form, not above the condition (`below`), or cannot be compared so (`unfit`). */
export type Fault = 'gone' | 'below' | 'unfit'

export function faultOf(fields: Fields, key: string, condition: Condition): Fault | undefined {
  const [at, where] = [key, condition.field].map((one) => fields.findIndex((field) => field.key === one)) as [number, number]
  const field = fields[where]
  if (!field) return 'gone'
  if (where >= at) return 'below'
  return fits(condition, field) ? undefined : 'unfit'
}

/** The fields with a condition that cannot be kept. */
export const faulty = (fields: Fields) => fields.filter(({ key, when }) => when.some((condition) => faultOf(fields, key, condition)))

const isMisplaced = (fields: Fields, key: string, condition: Condition) => faultOf(fields, key, condition) === 'below'

/** The fields with a condition on a field that was moved below. */
export const misplaced = (fields: Fields) => fields.filter(({ key, when }) => when.some((condition) => isMisplaced(fields, key, condition)))

/** Removes the conditions on fields that were moved below. */
export const withoutMisplaced = (fields: Fields) =>
  fields.map((field) => ({ ...field, when: field.when.filter((condition) => !isMisplaced(fields, field.key, condition)) }))
