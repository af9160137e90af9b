/** Resources as SCIM shows them, whole or with some of their attributes. */
import { hash } from 'node:crypto'
import type { Config } from '../../platform/config.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { namesTag } from '../../platform/tags.ts'
import { refuseScim } from './errors.ts'
import type { PersonState } from './person.ts'
import { baseUrlOf } from './queries.ts'
import { ENTERPRISE, fieldOf, findAttribute, LIST, PORTAL, type ResourceType, splitUrn, USER } from './schema.ts'
import { type PersonRow, stateOf } from './user-queries.ts'

export type Resource = Record<string, unknown>

/** The tag of a person’s state: a hash of everything that a source may change. */
export const versionOfPerson = (id: number, { userName, externalId, active, attributes }: PersonState) =>
  `W/"${hash('sha256', JSON.stringify([id, userName, externalId, active, attributes]), 'base64url')}"`

export const metaOf = (
  config: Config,
  type: ResourceType,
  { id, created, modified, version }: { id: number; created: Date; modified: Date | null; version: string },
) => ({
  resourceType: type,
  created: created.toISOString(),
  lastModified: (modified ?? created).toISOString(),
  location: `${baseUrlOf(config)}/${type}s/${id}`,
  version,
})

/** The resource of a person, with the groups and roles that they hold. */
export function personResource(
  config: Config,
  person: PersonRow,
  held: { groups: { value: string; display: string }[]; roles: string[] } | undefined,
): Resource {
  const state = stateOf(person)
  const { userName, externalId, active, attributes } = state
  const { id, createdAt: created, modifiedAt: modified } = person
  return {
    schemas: [USER, ...[ENTERPRISE, PORTAL].filter((urn) => urn in attributes)],
    id: String(id),
    ...(externalId !== null && { externalId }),
    userName,
    ...attributes,
    active,
    groups: (held?.groups ?? []).map((group) => ({ ...group, $ref: `${baseUrlOf(config)}/Groups/${group.value}`, type: 'direct' })),
    roles: (held?.roles ?? []).map((value) => ({ value })),
    meta: metaOf(config, 'User', { id, created, modified, version: versionOfPerson(id, state) }),
  }
}

/** An attribute that a call names. Without `parts`, all of its parts are meant; without `name`, all attributes of the schema. */
interface Named {
  schema: string
  name: string | undefined
  parts: Set<string> | undefined
}
/** The attributes of a resource that a call wants: `only` these or, if `only` is missing, the usual ones except `without`. */
export interface Selection {
  only?: readonly Named[] | undefined
  without?: readonly Named[]
}

/** The attribute that a name stands for, with its part if the name has one; undefined if the portal does not know it. */
function meant(type: ResourceType, written: string) {
  const { schema, rest } = splitUrn(type, written)
  if (rest === '') return schema === undefined ? undefined : { schema, name: undefined, part: undefined }
  const [name, partName] = rest.split('.') as [string, string | undefined]
  const attribute = findAttribute(type, schema, name)
  const part = partName === undefined ? undefined : attribute?.parts.get(partName.toLowerCase())
  return attribute && (partName === undefined || part !== undefined) ? { schema: attribute.schema, name: attribute.name, part } : undefined
}

const MOST_NAMES = 200

/** The attributes that a list names, each once; undefined if it is empty. Refuses `tooMany`. */
function namedIn(type: ResourceType, list: unknown): Named[] | undefined {
  const names = [list].flat().flatMap((one) => (typeof one === 'string' ? one.split(',') : []))
  const written = names.map((one) => one.trim()).filter(Boolean)
  if (written.length > MOST_NAMES) refuseScim('tooMany', `A call names at most ${MOST_NAMES} attributes.`)
  const found = new Map<string, Named>()
  for (const { schema, name, part } of written.flatMap((one) => meant(type, one) ?? [])) {
    const key = `${schema} ${name}`
    const known = found.get(key)
    if (part === undefined) found.set(key, { schema, name, parts: undefined })
    else if (known) known.parts?.add(part)
    else found.set(key, { schema, name, parts: new Set([part]) })
  }
  return written.length ? [...found.values()] : undefined
}

export const readSelection = (type: ResourceType, sent: Record<string, unknown>): Selection => ({
  only: namedIn(type, fieldOf(sent, 'attributes')),
  without: namedIn(type, fieldOf(sent, 'excludedAttributes')) ?? [],
})

const isExtension = (schema: string) => schema === ENTERPRISE || schema === PORTAL

/** A value, or each value of a list, reduced to the wanted parts. */
const partsOf = (value: unknown, isWanted: (part: string) => boolean): unknown =>
  Array.isArray(value)
    ? value.map((one) => partsOf(one, isWanted))
    : Object.fromEntries(Object.entries(value as Resource).filter(([part]) => isWanted(part)))

/** Whether a call asks for this attribute of the core schema, by its name or with all others of the schema. */
export const asksFor = ({ only = [] }: Selection, name: string) =>
  only.some((one) => one.name === name || (one.name === undefined && !isExtension(one.schema)))
export const leavesOut = ({ only, without = [] }: Selection, name: string) =>
  only ? !asksFor({ only }, name) : without.some((one) => one.name === name && one.parts === undefined)

/** The attributes that a call wants; ids and schemas always, roles only where it names them. */
export function selected(resource: Resource, { only, without = [] }: Selection): Resource {
  if (only) return onlyThese(resource, only)
  const { roles: _, ...usual } = resource
  return allBut(usual, without)
}

function onlyThese(resource: Resource, wanted: readonly Named[]): Resource {
  const kept: Resource = { schemas: resource['schemas'], id: resource['id'] }
  for (const { schema, name, parts } of wanted) {
    const from = isExtension(schema) ? ((resource[schema] as Resource | undefined) ?? {}) : resource
    if (name === undefined) {
      Object.assign(kept, isExtension(schema) ? schema in resource && { [schema]: resource[schema] } : resource)
      continue
    }
    if (!(name in from)) continue
    const value = parts === undefined ? from[name] : partsOf(from[name], (part) => parts.has(part))
    if (isExtension(schema)) kept[schema] = { ...(kept[schema] as Resource | undefined), [name]: value }
    else if (name !== 'id' && name !== 'schemas') kept[name] = value
  }
  return kept
}

function allBut(resource: Resource, unwanted: readonly Named[]): Resource {
  const kept = { ...resource }
  for (const { schema, name, parts } of unwanted) {
    const from = isExtension(schema) ? { ...(kept[schema] as Resource | undefined) } : kept
    if (name === undefined) {
      if (isExtension(schema)) delete kept[schema]
      continue
    }
    if (name === 'id' || name === 'schemas' || !(name in from)) continue
    if (parts === undefined) delete from[name]
    else from[name] = partsOf(from[name], (part) => !parts.has(part))
    if (!isExtension(schema)) continue
    if (Object.keys(from).length) kept[schema] = from
    else delete kept[schema]
  }
  return kept
}

const MOST = 500
const USUAL = 100

/** The part of a list that a call asks for. */
export interface Asked extends Selection {
  filter: string | undefined
  /** From 0. */
  offset: number
  count: number
}

function numberIn(value: unknown, name: string): number | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const number = typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) ? number : refuseScim('invalidValue', `${name} is a whole number.`)
}

/** Reads the parameters of a list, from a URL or the body of a search. Unknown ones are ignored. */
export function readAsked(type: ResourceType, sent: Record<string, unknown>): Asked {
  const filter = fieldOf(sent, 'filter')
  if (filter !== undefined && filter !== null && typeof filter !== 'string') return refuseScim('invalidFilter', 'A filter is one text.')
  const startIndex = Math.max(1, numberIn(fieldOf(sent, 'startIndex'), 'startIndex') ?? 1)
  const count = numberIn(fieldOf(sent, 'count'), 'count') ?? USUAL
  return {
    filter: filter?.trim() ? filter : undefined,
    offset: Math.min(startIndex - 1, 2147483647),
    count: Math.min(Math.max(count, 0), MOST),
    ...readSelection(type, sent),
  }
}

/** The fields of a list before its resources. */
export const listHead = (totalResults: number, startIndex: number, itemsPerPage: number) => ({
  schemas: [LIST],
  totalResults,
  startIndex,
  itemsPerPage,
})

/** Refuses `changed_meanwhile` if the `If-Match` of the call does not name this version. */
export function checkMatch(header: string | undefined, version: string) {
  if (header !== undefined && !namesTag(header, version.slice(2))) refuse('changed_meanwhile')
}
