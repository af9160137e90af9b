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

/** The tag of a person’s state, by what a source may change. */
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

/** A person as they stand; `groups` and `roles` as they hold them. */
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

/** Which attributes a call wants. */
export interface Selection {
  attributes?: unknown
  excludedAttributes?: unknown
}
const namesIn = (value: unknown): string[] =>
  [value]
    .flat()
    .flatMap((one) => (typeof one === 'string' ? one.split(',') : []))
    .map((one) => one.trim())
    .filter(Boolean)

/** The attribute that a name means, with the part of it. */
function meant(type: ResourceType, written: string) {
  const { schema, rest } = splitUrn(type, written)
  if (rest === '') return schema === undefined ? undefined : { schema, name: undefined, part: undefined }
  const [name, part] = rest.split('.') as [string, string | undefined]
  const attribute = findAttribute(type, schema, name)
  return (
    attribute && {
      schema: attribute.schema,
      name: attribute.name,
      part: part === undefined ? undefined : attribute.parts.get(part.toLowerCase()),
    }
  )
}
type Meant = NonNullable<ReturnType<typeof meant>>
const isExtension = (schema: string) => schema === ENTERPRISE || schema === PORTAL

const onlyPart = (value: unknown, part: string): unknown =>
  Array.isArray(value)
    ? value.map((one) => onlyPart(one, part))
    : typeof value === 'object' && value !== null && part in value
      ? { [part]: (value as Resource)[part] }
      : {}

/** Whether a call asks for an attribute that is not sent unasked. */
export const asksFor = (type: ResourceType, { attributes }: Selection, name: string) =>
  namesIn(attributes).some((one) => meant(type, one)?.name === name)
export const leavesOut = (type: ResourceType, { attributes, excludedAttributes }: Selection, name: string) =>
  attributes !== undefined && namesIn(attributes).length > 0
    ? !asksFor(type, { attributes }, name)
    : namesIn(excludedAttributes).some((one) => meant(type, one)?.name === name && meant(type, one)?.part === undefined)

/** The attributes that a call wants; ids and schemas always, roles only where it names them. */
export function selected(type: ResourceType, resource: Resource, { attributes, excludedAttributes }: Selection): Resource {
  const wanted = namesIn(attributes).flatMap((one) => meant(type, one) ?? [])
  if (namesIn(attributes).length > 0) return onlyThese(resource, wanted)
  const unwanted = namesIn(excludedAttributes).flatMap((one) => meant(type, one) ?? [])
  const { roles: _, ...usual } = resource
  return without(usual, unwanted)
}

function onlyThese(resource: Resource, wanted: readonly Meant[]): Resource {
  const kept: Resource = { schemas: resource['schemas'], id: resource['id'] }
  for (const { schema, name, part } of wanted) {
    const from = isExtension(schema) ? ((resource[schema] as Resource | undefined) ?? {}) : resource
    if (name === undefined) {
      Object.assign(kept, isExtension(schema) ? schema in resource && { [schema]: resource[schema] } : without(resource, []))
      continue
    }
    if (!(name in from)) continue
    const value = part === undefined ? from[name] : onlyPart(from[name], part)
    if (isExtension(schema)) kept[schema] = { ...(kept[schema] as Resource | undefined), [name]: value }
    else if (name !== 'id' && name !== 'schemas') kept[name] = value
  }
  return kept
}

function without(resource: Resource, unwanted: readonly Meant[]): Resource {
  const kept = { ...resource }
  for (const { schema, name, part } of unwanted) {
    if (name === 'id' || name === 'schemas') continue
    if (isExtension(schema)) {
      const { [name ?? '']: _, ...rest } = (kept[schema] as Resource | undefined) ?? {}
      if (name === undefined || Object.keys(rest).length === 0) delete kept[schema]
      else kept[schema] = rest
    } else if (name !== undefined && part === undefined) delete kept[name]
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

/** Reads the parameters of a list, from an address or the body of a search. Unknown ones are ignored. */
export function readAsked(sent: Record<string, unknown>): Asked {
  const filter = fieldOf(sent, 'filter')
  if (filter !== undefined && filter !== null && typeof filter !== 'string') return refuseScim('invalidFilter', 'A filter is one text.')
  const startIndex = Math.max(1, numberIn(fieldOf(sent, 'startIndex'), 'startIndex') ?? 1)
  const count = numberIn(fieldOf(sent, 'count'), 'count') ?? USUAL
  return {
    filter: filter?.trim() ? filter : undefined,
    offset: Math.min(startIndex - 1, 2147483647),
    count: Math.min(Math.max(count, 0), MOST),
    attributes: fieldOf(sent, 'attributes'),
    excludedAttributes: fieldOf(sent, 'excludedAttributes'),
  }
}

/** A list without its resources, which come last. */
export const listHead = (totalResults: number, startIndex: number, itemsPerPage: number) => ({
  schemas: [LIST],
  totalResults,
  startIndex,
  itemsPerPage,
})

/** Refuses `changed_meanwhile` when the call is about another state. */
export function checkMatch(header: string | undefined, version: string) {
  if (header !== undefined && !namesTag(header, version.slice(2))) refuse('changed_meanwhile')
}
