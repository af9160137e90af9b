/** A person as a source sees them: the attributes it sent, the effect of patches, and the portal's fields derived from the attributes. */

import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../platform/is-object.ts'
import { languageIn } from '../../platform/languages.ts'
import type { Language } from '../../platform/tables.ts'
import { cleanText, hasLongMarkRun, isVisible, readAccountName } from '../../platform/text.ts'
import { refuseMissing, refuseScim } from './errors.ts'
import { type Condition, meets } from './filter.ts'
import type { Move } from './patch.ts'
import { idIn } from './rules.ts'
import { type Attribute, ENTERPRISE, PORTAL, USER } from './schema.ts'

type Fields = Record<string, unknown>
export interface PersonState {
  userName: string | null
  externalId: string | null
  active: boolean
  /** Whether the source itself deactivated the person; then nobody else can activate them. */
  switchedOff: boolean
  /** Keyed by name. The attributes of an extension are below the URN of its schema. */
  attributes: Fields
}

const MOST_BYTES = 8 * 1024
/** The most values in one list, and in all lists of a call: each value is compared with the others in its list. */
const MOST_VALUES = 100
const MOST_VALUES_SENT = 1000
const LONGEST_NAME = 200
const LONGEST_USER_NAME = 320
const LONGEST_ID = 255

const refuseValue = (detail: string): never => refuseScim('invalidValue', detail)

/** A boolean, which some directories send as a string. */
function flagOf(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value
  const written = typeof value === 'string' ? value.toLowerCase() : undefined
  return written === 'true' || written === 'false' ? written === 'true' : refuseValue(`${name} is true or false.`)
}

function textOf(value: unknown, name: string, most: number): string {
  if (typeof value !== 'string' && typeof value !== 'number') return refuseValue(`${name} is a text.`)
  const text = String(value)
  if (text.trim() === '' || text.length > most) return refuseValue(`${name} has 1 to ${most} characters.`)
  return text
}

/** Keeps only the known parts of an attribute, under their own spelling. Null marks a part that is to have no value (RFC 7643, 2.5). */
function partsOf(attribute: Attribute, value: Fields): Fields {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => {
      const name = attribute.parts.get(key.toLowerCase())
      return name === undefined || part === undefined ? [] : [[name, part]]
    }),
  )
}

const assigned = (parts: Fields): Fields => Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== null))

/** Reads an attribute with parts. Some directories send it in a list, and a manager as a text. */
function complexOf(attribute: Attribute, value: unknown): Fields {
  const one = Array.isArray(value) ? value[0] : value
  if (isObject(one)) return partsOf(attribute, one)
  if (attribute.name === 'manager' && (typeof one === 'string' || typeof one === 'number')) return one === '' ? {} : { value: one }
  return one === undefined || one === '' ? {} : refuseValue(`${attribute.name} is an object.`)
}

function listOf(attribute: Attribute, value: unknown): Fields[] {
  return [value].flat().map((one) => {
    if (isObject(one)) return assigned(partsOf(attribute, one))
    return typeof one === 'string' || typeof one === 'number' ? { value: one } : refuseValue(`A value of ${attribute.name} is an object.`)
  })
}

const isNone = (value: unknown) => value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
const typeOf = (one: Fields) => (typeof one['type'] === 'string' ? one['type'].toLowerCase() : undefined)

const has = (list: readonly Fields[], value: Fields) => list.some((one) => isDeepStrictEqual(one, value))

/** The list with the values added. A value replaces the one that has the same type. */
function added(list: readonly Fields[], values: readonly Fields[]): Fields[] {
  const all = [...list]
  for (const value of values) {
    if (has(all, value)) continue
    const at = all.findIndex((one) => typeOf(value) !== undefined && typeOf(one) === typeOf(value))
    if (at < 0) all.push(value)
    else all[at] = value
  }
  return all
}

/** Whether a given value means this one: by its `value` or, if it has none, by all the parts that it has. */
function describes(given: Fields, one: Fields) {
  const parts = 'value' in given ? ['value'] : Object.keys(given)
  return parts.length > 0 && parts.every((part) => isDeepStrictEqual(given[part], one[part]))
}

const isPrimary = ({ primary }: Fields) => primary === true || (typeof primary === 'string' && primary.toLowerCase() === 'true')

/** If a value becomes the primary one, the others no longer are (RFC 7644, 3.5.2). */
function withOnePrimary(list: readonly Fields[], before: readonly Fields[]): Fields[] {
  const isOld = (one: Fields) => before.includes(one)
  const isNewest = list.some((one) => isPrimary(one) && !isOld(one))
  return list.map((one) => (isNewest && isOld(one) && isPrimary(one) ? { ...one, primary: false } : one))
}

/** The parts that a value must have to meet the condition; undefined unless the condition consists of `eq` joined by `and`. */
function partsIn(attribute: Attribute, condition: Condition): Fields | undefined {
  if (condition.op === 'and') {
    const all = condition.conditions.map((one) => partsIn(attribute, one))
    return all.includes(undefined) ? undefined : Object.assign({}, ...all)
  }
  const name = condition.op === 'eq' ? attribute.parts.get(condition.path.toLowerCase()) : undefined
  return name === undefined || condition.op !== 'eq' ? undefined : { [name]: condition.value }
}

function movedList(list: readonly Fields[], { op, attribute, part, where, value }: Move): Fields[] {
  const isMeant = (one: Fields) => where === undefined || meets(where, (name) => one[attribute.parts.get(name.toLowerCase()) ?? ''])
  if (op === 'remove') {
    if (part !== undefined)
      return list.map((one) => (isMeant(one) ? Object.fromEntries(Object.entries(one).filter(([key]) => key !== part)) : one))
    if (where !== undefined || value === undefined || value === null) return list.filter((one) => !isMeant(one))
    const gone = listOf(attribute, value)
    return list.filter((one) => !gone.some((given) => describes(given, one)))
  }
  if (where === undefined && part === undefined) {
    const values = isNone(value) ? [] : listOf(attribute, value)
    // A list that is sent whole is kept as sent, except for duplicates.
    return op === 'add' ? added(list, values) : values.filter((one, at) => !has(values.slice(0, at), one))
  }
  const set = part === undefined ? partsOf(attribute, isObject(value) ? value : { value }) : { [part]: value }
  const made = where === undefined ? {} : partsIn(attribute, where)
  if (list.some(isMeant)) {
    if (isNone(value)) return list.filter((one) => !isMeant(one))
    // A value that is replaced whole keeps the parts by which the filter selects it: some directories do not repeat them.
    const isWhole = op === 'replace' && part === undefined
    return list.map((one) => (isMeant(one) ? assigned({ ...(isWhole ? made : one), ...set }) : one))
  }
  if (isNone(value)) return [...list]
  return made ? [...list, assigned({ ...made, ...set })] : refuseScim('noTarget', `No value of ${attribute.name} meets the filter.`)
}

/** The value of an attribute after a move; undefined for none. */
function moved(before: unknown, move: Move): unknown {
  const { op, attribute, part, value } = move
  if (attribute.kind === 'list') {
    const had = (before as Fields[] | undefined) ?? []
    const list = withOnePrimary(movedList(had, move), had).filter((one) => Object.keys(one).length > 0)
    if (op !== 'remove' && list.length > MOST_VALUES) refuseValue(`${attribute.name} has at most ${MOST_VALUES} values.`)
    return list.length ? list : undefined
  }
  if (attribute.kind === 'complex') {
    const had = (before as Fields | undefined) ?? {}
    const isGone = op === 'remove' || isNone(value)
    if (part === undefined && isGone) return undefined
    const after =
      part === undefined
        ? assigned({ ...had, ...complexOf(attribute, value) })
        : isGone
          ? Object.fromEntries(Object.entries(had).filter(([key]) => key !== part))
          : { ...had, [part]: value }
    return Object.keys(after).length ? after : undefined
  }
  if (op === 'remove' || value === null || value === undefined) return undefined
  return typeof value === 'object' ? refuseValue(`${attribute.name} is a text.`) : value
}

/** Applies the moves of a patch. Changes of read-only attributes are ignored, but a changed `id` is refused. */
export function applyMoves(before: PersonState, moves: readonly Move[], id?: number): PersonState {
  const sent = moves.reduce((sum, { attribute, value }) => sum + (Array.isArray(value) && !attribute.isReadOnly ? value.length : 0), 0)
  if (sent > MOST_VALUES_SENT) refuseScim('tooMany', `A call has at most ${MOST_VALUES_SENT} values.`)
  const after = { ...before, attributes: { ...before.attributes } }
  for (const move of moves) {
    const { op, attribute, value } = move
    const isGone = op === 'remove' || value === null || value === undefined
    if (attribute.name === 'id' && id !== undefined && !isGone && idIn(value) !== id) refuseScim('mutability', 'The id cannot change.')
    if (attribute.isReadOnly) continue
    if (attribute.schema === USER && attribute.name === 'userName') {
      after.userName = isGone ? refuseMissing(op, 'userName') : textOf(value, 'userName', LONGEST_USER_NAME)
    } else if (attribute.schema === USER && attribute.name === 'externalId') {
      after.externalId = isGone || value === '' ? null : textOf(value, 'externalId', LONGEST_ID)
    } else if (attribute.schema === USER && attribute.name === 'active') {
      if (isGone) continue
      after.active = flagOf(value, 'active')
      after.switchedOff = !after.active
    } else setAttribute(after.attributes, move)
  }
  if (Buffer.byteLength(JSON.stringify(after.attributes)) > MOST_BYTES) refuseValue('A person has at most 8 KiB of attributes.')
  return after
}

function setAttribute(attributes: Fields, move: Move) {
  const { schema, name } = move.attribute
  const fields = schema === USER ? attributes : { ...(attributes[schema] as Fields | undefined) }
  const value = moved(fields[name], move)
  if (value === undefined) delete fields[name]
  else fields[name] = value
  if (schema === USER) return
  if (Object.keys(fields).length) attributes[schema] = fields
  else delete attributes[schema]
}

const stringIn = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined)

/** The primary e-mail address, else the one for work, else the first. Refuses a malformed one. */
export function emailOf({ emails }: Fields): string | undefined {
  const list = (emails as Fields[] | undefined)?.filter((one) => stringIn(one['value'])) ?? []
  const one = list.find(isPrimary) ?? list.find((one) => typeOf(one) === 'work') ?? list[0]
  if (!one) return undefined
  return readAccountName(one['value'] as string, 'email') ?? refuseValue('The email address is malformed.')
}

function cleanName(name: string | undefined) {
  if (name === undefined) return undefined
  if (name.length > 4 * LONGEST_NAME || hasLongMarkRun(name)) return refuseValue(`A name has at most ${LONGEST_NAME} characters.`)
  const clean = cleanText(name, 'line')
  if ([...clean].length > LONGEST_NAME) return refuseValue(`A name has at most ${LONGEST_NAME} characters.`)
  return clean !== '' && isVisible(clean) ? clean : undefined
}

export interface Names {
  displayNameAr?: string
  displayNameEn?: string
}
const isArabic = (name: string) => /\p{Script=Arabic}/u.test(name)

/** The display names that are derived from the attributes. */
export function namesOf(attributes: Fields, language: 'auto' | Language): Names {
  const { formatted, givenName, familyName } = (attributes['name'] as Fields | undefined) ?? {}
  const both = [givenName, familyName].map(stringIn).filter(Boolean).join(' ')
  const name = cleanName(stringIn(attributes['displayName']) ?? stringIn(formatted) ?? (both || undefined))
  const own = (attributes[PORTAL] as Fields | undefined) ?? {}
  const [ar, en] = [cleanName(stringIn(own['displayNameAr'])), cleanName(stringIn(own['displayNameEn']))]
  const isInArabic = language === 'ar' || (language === 'auto' && name !== undefined && isArabic(name))
  const displayNameAr = ar ?? (isInArabic ? name : undefined)
  const displayNameEn = en ?? (isInArabic ? undefined : name)
  return { ...(displayNameAr !== undefined && { displayNameAr }), ...(displayNameEn !== undefined && { displayNameEn }) }
}

/** The language of a person in the portal by the first of these attributes that names a known one. */
export const languageOf = ({ preferredLanguage, locale }: Fields) => languageIn(stringIn(preferredLanguage)) ?? languageIn(stringIn(locale))

const LONGEST_FACET = 200
/** A text in lower case; its hash if it is too long for an index. */
const indexed = (text: string) => {
  const lower = text.toLowerCase()
  return lower.length > LONGEST_FACET ? hash('sha256', lower) : lower
}
/**
 * The stored text by which a filter finds a whole value at a path. The path may end with a type, a text of any length that the source has
 * chosen.
 */
export const facet = (path: string, value: unknown) => `${indexed(path)}:${indexed(String(value))}`

const isScalar = (value: unknown) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

export function managerOf(attributes: Fields) {
  const { manager } = (attributes[ENTERPRISE] as Fields | undefined) ?? {}
  return isObject(manager) && isScalar(manager['value']) ? String(manager['value']) : undefined
}

export function facetsOf(attributes: Fields): string[] {
  const { displayName, name, emails } = attributes
  const manager = managerOf(attributes)
  const facets = [
    ...(isScalar(displayName) ? [facet('displayName', displayName)] : []),
    ...Object.entries((name as Fields | undefined) ?? {}).flatMap(([part, value]) =>
      isScalar(value) ? [facet(`name.${part}`, value)] : [],
    ),
    ...((emails as Fields[] | undefined) ?? []).flatMap((one) =>
      isScalar(one['value'])
        ? [facet('emails', one['value']), ...(typeOf(one) === undefined ? [] : [facet(`emails.${typeOf(one)}`, one['value'])])]
        : [],
    ),
    ...(manager === undefined ? [] : [facet('manager', manager)]),
  ]
  return [...new Set(facets)]
}
