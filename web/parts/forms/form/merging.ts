/** Merges typed values with a record that somebody else has changed since it was opened. */
import { reversed, type Staged } from '../../lists/set-editor/staged.ts'

/** Whether there are no changed fields. */
export const isNothing = (changed: object) => Object.keys(changed).length === 0

const isSet = (value: unknown): value is (string | number)[] => Array.isArray(value) && value.every((one) => typeof one !== 'object')
const textOf = (value: unknown) => JSON.stringify(isSet(value) ? value.toSorted() : value)

/** Whether two values are equal; the order of ids in a list does not matter. */
export const isSame = (one: unknown, other: unknown) => one === other || textOf(one) === textOf(other)

/** Applies the removals and additions of both sides to the base. */
function mergeSets(base: unknown[], mine: unknown[], theirs: unknown[]) {
  const [before, here, there] = [new Set(base), new Set(mine), new Set(theirs)]
  return [...before.intersection(here).intersection(there), ...here.difference(before), ...there.difference(here.union(before))]
}

/** The fields that differ between two records. */
export const changedIn = <V extends object>(one: V, other: V) =>
  (Object.keys(one) as (keyof V & string)[]).filter((field) => !isSame(one[field], other[field]))

/**
 * Applies `mine`, the local changes, to `theirs`. Returns the local changes that remain: identical ones are dropped, and lists of ids are
 * merged from the common base. `overlaps` are the fields that both sides changed differently; `mine` keeps the local values of those.
 */
export function meet<V extends object>(base: V, mine: Partial<V>, theirs: V) {
  const left: Partial<V> = {}
  const overlaps: (keyof V & string)[] = []
  for (const field of Object.keys(mine) as (keyof V & string)[]) {
    const [before, here, there] = [base[field], mine[field] as V[typeof field], theirs[field]]
    const merged = isSet(before) && isSet(here) && isSet(there) ? (mergeSets(before, here, there) as V[typeof field]) : here
    if (isSame(merged, there)) continue
    left[field] = merged
    if (merged === here && !isSame(before, there)) overlaps.push(field)
  }
  return { mine: left, overlaps }
}

/** The changes that undo `sent`, which was saved over `former`. A `Staged` value is reversed. */
export function reverse<V extends object>(former: V, sent: Partial<V>) {
  const back = (value: unknown, was: unknown) =>
    value && typeof value === 'object' && 'add' in value && 'remove' in value ? reversed(value as Staged<unknown>) : was
  return Object.fromEntries(Object.entries(sent).map(([field, value]) => [field, back(value, former[field as keyof V])])) as Partial<V>
}

/** The portal trims texts. */
const asSaved = (value: unknown) => (typeof value === 'string' ? value.trim() : value)

/**
 * `base` with those fields of `theirs` that equal one of the changes in `sent`. Calls without an answer sent these changes, so the portal may
 * have saved them, and nobody else has.
 */
export function withSent<V extends object>(base: V, sent: readonly Partial<V>[], theirs: V): V {
  const own = (Object.keys(base) as (keyof V & string)[]).filter((field) =>
    sent.some((one) => field in one && isSame(asSaved(one[field]), theirs[field])),
  )
  return { ...base, ...Object.fromEntries(own.map((field) => [field, theirs[field]])) }
}

const bare = (word: string | undefined) => word?.replace(/[\s.,;:،؛]+$/, '')

/**
 * Splits `text` into `[start, own, end]`: the words that it shares with the start of `other`, its own words, and the words that it shares
 * with the end of `other`.
 */
export function ownWords(text: string, other: string): [start: string, own: string, end: string] {
  const [words, others] = [text.split(/(?<=\s)/), other.split(/(?<=\s)/)]
  let start = 0
  while (start < words.length && bare(words[start]) === bare(others[start])) start++
  let end = 0
  const most = Math.min(words.length, others.length) - start
  while (end < most && bare(words.at(-1 - end)) === bare(others.at(-1 - end))) end++
  const part = (from: number, to: number) => words.slice(from, to).join('')
  return [part(0, start), part(start, words.length - end), part(words.length - end, words.length)]
}
