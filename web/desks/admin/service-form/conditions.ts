/** Conditions of a form: the fields that they can read, and their faults. */
import { fits, opsOf } from '../shared/conditions/fit.ts'
import type { Condition, Fields } from './model.ts'

/** The fields that the conditions of the field `key` can read: those above it that can be compared. */
export function readable(fields: Fields, key: string) {
  const at = fields.findIndex((field) => field.key === key)
  return fields.slice(0, at).filter((field) => opsOf(field).length > 0)
}

/**
 * Why a condition is faulty: the field that it reads is `gone` from the form, is not above the condition (`below`), or cannot be compared
 * in this way (`unfit`).
 */
export type Fault = 'gone' | 'below' | 'unfit'

export function faultOf(fields: Fields, key: string, condition: Condition): Fault | undefined {
  const [at, where] = [key, condition.field].map((one) => fields.findIndex((field) => field.key === one)) as [number, number]
  const field = fields[where]
  if (!field) return 'gone'
  if (where >= at) return 'below'
  return fits(condition, field) ? undefined : 'unfit'
}

/** The fields that have a condition with a fault. */
export const faulty = (fields: Fields) => fields.filter(({ key, when }) => when.some((condition) => faultOf(fields, key, condition)))

const isMisplaced = (fields: Fields, key: string, condition: Condition) => faultOf(fields, key, condition) === 'below'

/** The fields with a condition on a field that was moved below them. */
export const misplaced = (fields: Fields) => fields.filter(({ key, when }) => when.some((condition) => isMisplaced(fields, key, condition)))

/** Removes the conditions on fields that were moved below the condition. */
export const withoutMisplaced = (fields: Fields) =>
  fields.map((field) => ({ ...field, when: field.when.filter((condition) => !isMisplaced(fields, field.key, condition)) }))
