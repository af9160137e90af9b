/** Undoes a removal or a move in the current fields, and keeps later edits. Pure. */
import { isSame } from '../../../parts/forms/form/merging.ts'
import { type Fields, type FormField, keysIn, type Option, optionsOf, withOptions } from './model.ts'

/** Inserts `one` after the last of the items that preceded it before. */
function putBack<T extends { key: string }>(now: readonly T[], before: readonly T[], one: T): T[] {
  const earlier = keysIn(before.slice(0, keysIn(before).indexOf(one.key)))
  return now.toSpliced(now.findLastIndex(({ key }) => earlier.includes(key)) + 1, 0, one)
}

/** Restores the conditions of the other fields on the field `key`, or only those on one of its options. */
const readAgain = (now: Fields, before: Fields, key: string, option?: string) =>
  now.map((field) => {
    const when = [...field.when]
    for (const one of before.find((other) => other.key === field.key)?.when ?? []) {
      const values = Array.isArray(one.value) ? one.value : []
      if (one.field !== key || (option !== undefined && !values.includes(option))) continue
      const left = option === undefined ? [] : values.filter((value) => value !== option)
      const at = when.findIndex((here) => here.field === key && here.op === one.op && isSame(here.value, left))
      if (at >= 0) when[at] = one
      else if (left.length === 0 && !when.some((here) => isSame(here, one))) when.push(one)
    }
    return when.every((one, n) => one === field.when[n]) && when.length === field.when.length ? field : { ...field, when }
  })

/** Restores a removed field, unless the form has it again. */
export function restoreField(now: Fields, before: Fields, key: string): FormField[] {
  const field = before.find((one) => one.key === key)
  return !field || keysIn(now).includes(key) ? [...now] : readAgain(putBack(now, before, field), before, key)
}

/** Restores a removed option of the field `key`, unless the field has it again or is gone. */
export function restoreOption(now: Fields, before: Fields, key: string, option: Option): FormField[] {
  const own = optionsOf(now, key)
  if (!keysIn(now).includes(key) || keysIn(own).includes(option.key)) return [...now]
  return readAgain(withOptions(now, key, putBack(own, optionsOf(before, key), option)), before, key, option.key)
}

/** The current fields in their former order; new fields stay in their places. */
export function inFormerOrder(now: Fields, before: Fields): FormField[] {
  const places = keysIn(before)
  const known = now.filter(({ key }) => places.includes(key)).toSorted((one, other) => places.indexOf(one.key) - places.indexOf(other.key))
  return now.map((field) => (places.includes(field.key) ? known.shift()! : field))
}
