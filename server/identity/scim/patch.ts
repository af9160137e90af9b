/** Reads patches (RFC 7644, 3.5.2), in all forms that directories send, as moves: each changes one attribute or a part of it. */

import { isObject } from '../../platform/is-object.ts'
import { refuseScim } from './errors.ts'
import { type Condition, readFilter } from './filter.ts'
import { type Attribute, fieldOf, findAttribute, type ResourceType, schemasOf, splitUrn } from './schema.ts'

const MOST_OPERATIONS = 1000

/** `part` names a part of the attribute. `where` selects values of a list. */
export interface Move {
  op: 'add' | 'replace' | 'remove'
  attribute: Attribute
  part: string | undefined
  where: Condition | undefined
  value: unknown
}

/** The moves read from a call so far, and the number of paths that it has named, keys of objects included. */
interface Reading {
  type: ResourceType
  moves: Move[]
  paths: number
}

/** What may follow the name of an attribute: a filter, and the name of a part. */
const REST = /^(?:\[(.*)\])?(?:\.([^\s.[\]]+))?$/s

/**
 * The attribute, part and filter that a path names; undefined for an unknown attribute, even in a malformed path, and for an unknown part.
 * Refuses `invalidPath`.
 */
async function placeOf(type: ResourceType, schema: string | undefined, path: string) {
  const name = /^[^.[]*/.exec(path)![0]
  const attribute = findAttribute(type, schema, name.trim())
  if (!attribute) return undefined
  const [, filter, partName] = REST.exec(path.slice(name.length)) ?? refuseScim('invalidPath', 'The path cannot be read.')
  const part = partName === undefined ? undefined : attribute.parts.get(partName.toLowerCase())
  if (partName !== undefined && part === undefined) return undefined
  if (filter !== undefined && attribute.kind !== 'list') refuseScim('invalidPath', `${attribute.name} is no list.`)
  return { attribute, part, where: filter === undefined ? undefined : await readFilter(filter) }
}

/** Reads each field of an object: the keys are paths, too. */
async function readFields(reading: Reading, schema: string | undefined, op: Move['op'], fields: Record<string, unknown>) {
  for (const [key, value] of Object.entries(fields)) await readPath(reading, schema, op, key, value)
}

async function readPath(reading: Reading, within: string | undefined, op: Move['op'], path: string, value: unknown): Promise<void> {
  if (++reading.paths > MOST_OPERATIONS) refuseScim('tooMany', `A call has at most ${MOST_OPERATIONS} operations, each key counted.`)
  const { type, moves } = reading
  const { schema, rest } = splitUrn(type, path.trim())
  if (schema !== undefined && rest === '') {
    const isGone = value === null || (op === 'remove' && value === undefined)
    if (isGone) moves.push(...[...schemasOf[type].get(schema)!.values()].map(removing))
    else if (isObject(value)) await readFields(reading, schema, op, value)
    else refuseScim('invalidValue', 'The value of an extension is an object.')
    return
  }
  const place = await placeOf(type, schema ?? within, rest)
  if (place) moves.push({ op, ...place, value })
}

const removing = (attribute: Attribute): Move => ({ op: 'remove', attribute, part: undefined, where: undefined, value: undefined })

async function readOperation(reading: Reading, operation: unknown) {
  if (!isObject(operation)) return refuseScim('invalidSyntax', 'An operation is an object.')
  const sent = fieldOf(operation, 'op')
  const op = typeof sent === 'string' ? sent.toLowerCase() : undefined
  if (op !== 'add' && op !== 'replace' && op !== 'remove') return refuseScim('invalidSyntax', '`op` is add, replace or remove.')
  const [path, value] = [fieldOf(operation, 'path'), fieldOf(operation, 'value')]
  if (typeof path === 'string' && path.trim() !== '') return readPath(reading, undefined, op, path, value)
  if (path !== undefined && path !== null && path !== '') return refuseScim('invalidPath', 'A path is a text.')
  if (op === 'remove') return refuseScim('noTarget', 'Removing needs a path.')
  if (!isObject(value)) return refuseScim('invalidValue', 'Without a path, the value is an object.')
  return readFields(reading, undefined, op, value)
}

/** Reads the moves of a patch. Refuses `tooMany`, `invalidSyntax`, `invalidPath`, `invalidValue`, `invalidFilter` and `noTarget`. */
export async function readPatch(type: ResourceType, body: Record<string, unknown>): Promise<Move[]> {
  const operations = fieldOf(body, 'Operations') ?? []
  if (!Array.isArray(operations)) return refuseScim('invalidSyntax', '`Operations` is a list.')
  if (operations.length > MOST_OPERATIONS) return refuseScim('tooMany', `A patch has at most ${MOST_OPERATIONS} operations.`)
  const reading: Reading = { type, moves: [], paths: 0 }
  for (const operation of operations) await readOperation(reading, operation)
  return reading.moves
}

/** Reads a whole resource as moves, each of which replaces one attribute. */
export async function readResource(type: ResourceType, body: Record<string, unknown>): Promise<Move[]> {
  const reading: Reading = { type, moves: [], paths: 0 }
  await readFields(reading, undefined, 'replace', body)
  return reading.moves
}
