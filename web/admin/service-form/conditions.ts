/** Conditions of a form: on which fields they can be, and what has become wrong with them. */
import { fits, opsOf } from '../shared/conditions/fit.ts'
import type { Condition, Fields } from './model.ts'

/** The fields above one that its conditions can read. */
export function readable(fields: Fields, key: string) {
  const at = fields.findIndex((field) => field.key === key)
  return fields.slice(0, at).filter((field) => opsOf(field).length > 0)
}

/** `gone`: the form has no such field. `below`: it is not further up. `unfit`: it cannot be read like this. */
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
