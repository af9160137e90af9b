/** Patches (RFC 7644, 3.5.2) as directories really send them: a list of moves, each of one attribute or of a part of it. */

import { isObject } from '../../platform/is-object.ts'
import { refuseScim } from './errors.ts'
import { type Condition, readFilter } from './filter.ts'
import { type Attribute, fieldOf, findAttribute, type ResourceType, schemasOf, splitUrn } from './schema.ts'

const MOST_OPERATIONS = 1000

/** `part`: the name of a part of the attribute. `where`: which values of a list. */
export interface Move {
  op: 'add' | 'replace' | 'remove'
  attribute: Attribute
  part: string | undefined
  where: Condition | undefined
  value: unknown
}

const PATH = /^([^\s.[\]]+)\s*(?:\[(.*)\])?(?:\.([^\s.[\]]+))?$/s

/** The place of a path; undefined for an attribute that the portal does not know, which is ignored. Refuses `invalidPath`. */
async function placeOf(type: ResourceType, schema: string | undefined, path: string) {
  const [, name, filter, partName] = PATH.exec(path) ?? refuseScim('invalidPath', 'The path cannot be read.')
  const where = filter === undefined ? undefined : await readFilter(filter)
  const attribute = findAttribute(type, schema, name!)
  if (!attribute) return undefined
  const part = partName === undefined ? undefined : attribute.parts.get(partName.toLowerCase())
  if (partName !== undefined && part === undefined) return undefined
  if (where !== undefined && attribute.kind !== 'list') refuseScim('invalidPath', `${attribute.name} is no list.`)
  return { attribute, part, where }
}

/** The moves of each field of an object: the keys are paths, too. */
async function movesOfFields(
  type: ResourceType,
  schema: string | undefined,
  op: Move['op'],
  fields: Record<string, unknown>,
): Promise<Move[]> {
  const moves: Move[] = []
  for (const [key, value] of Object.entries(fields)) moves.push(...(await movesAt(type, schema, op, key, value)))
  return moves
}

async function movesAt(type: ResourceType, within: string | undefined, op: Move['op'], path: string, value: unknown): Promise<Move[]> {
  const { schema = within, rest } = splitUrn(type, path.trim())
  if (rest === '' && schema !== undefined) {
    if (op === 'remove' && value === undefined) return everyMove(type, schema)
    if (isObject(value)) return movesOfFields(type, schema, op, value)
    return value === null ? everyMove(type, schema) : refuseScim('invalidValue', 'The value of an extension is an object.')
  }
  const place = await placeOf(type, schema, rest)
  return place ? [{ op, ...place, value }] : []
}

const everyMove = (type: ResourceType, schema: string): Move[] =>
  [...schemasOf[type].get(schema)!.values()].map((attribute) => ({
    op: 'remove',
    attribute,
    part: undefined,
    where: undefined,
    value: undefined,
  }))

async function movesOf(type: ResourceType, operation: unknown): Promise<Move[]> {
  if (!isObject(operation)) return refuseScim('invalidSyntax', 'An operation is an object.')
  const sent = fieldOf(operation, 'op')
  const op = typeof sent === 'string' ? sent.toLowerCase() : undefined
  if (op !== 'add' && op !== 'replace' && op !== 'remove') return refuseScim('invalidSyntax', '`op` is add, replace or remove.')
  const [path, value] = [fieldOf(operation, 'path'), fieldOf(operation, 'value')]
  if (typeof path === 'string' && path.trim() !== '') return movesAt(type, undefined, op, path, value)
  if (path !== undefined && path !== null && path !== '') return refuseScim('invalidPath', 'A path is a text.')
  if (op === 'remove') return refuseScim('noTarget', 'Removing needs a path.')
  return isObject(value) ? movesOfFields(type, undefined, op, value) : refuseScim('invalidValue', 'Without a path, the value is an object.')
}

/** Refuses `tooMany`, `invalidSyntax`, `invalidPath`, `invalidValue`, `invalidFilter` and `noTarget`. */
export async function readPatch(type: ResourceType, body: Record<string, unknown>): Promise<Move[]> {
  const operations = fieldOf(body, 'Operations') ?? []
  if (!Array.isArray(operations)) return refuseScim('invalidSyntax', '`Operations` is a list.')
  if (operations.length > MOST_OPERATIONS) return refuseScim('tooMany', `A patch has at most ${MOST_OPERATIONS} operations.`)
  const moves: Move[] = []
  for (const operation of operations) moves.push(...(await movesOf(type, operation)))
  return moves
}

/** A whole resource as the moves that make it: each attribute that it has replaces the former. */
export const readResource = (type: ResourceType, body: Record<string, unknown>) => movesOfFields(type, undefined, 'replace', body)
