/**
 * The changes of a group that a call asks for: its name, its id at the source, and the members who join or leave. The present members are
 * not read here.
 */
import { isObject } from '../../platform/is-object.ts'
import { refuseMissing, refuseScim } from './errors.ts'
import type { Condition } from './filter.ts'
import type { Move } from './patch.ts'
import { idIn } from './rules.ts'
import { fieldOf } from './schema.ts'

const MOST_MEMBERS = 60_000
const LONGEST_NAME = 200
const LONGEST_ID = 255

export interface GroupEdit {
  displayName?: string
  externalId?: string | null
  /** Whether the group has exactly `joins` as members afterwards. */
  isExact: boolean
  joins: Set<number>
  leaves: Set<number>
}

const written = (value: unknown, name: string, most: number) => {
  if (typeof value !== 'string' || value.trim() === '' || value.length > most)
    return refuseScim('invalidValue', `${name} has 1 to ${most} characters.`)
  return value
}

/** Some directories show only by the `$ref` that a member is a group. */
const isGroup = (type: unknown, ref: unknown) =>
  (typeof type === 'string' && type.toLowerCase() === 'group') || (typeof ref === 'string' && /\/groups\/[^/]*$/i.test(ref))

/** The ids of the members in a value. Refuses `invalidValue` for a group and, unless the members leave, for anything that is no id. */
function memberIds(value: unknown, isLeaving: boolean): number[] {
  return [value].flat().flatMap((one) => {
    if (isObject(one) && isGroup(fieldOf(one, 'type'), fieldOf(one, '$ref')))
      return refuseScim('invalidValue', 'A group cannot be a member.')
    const id = idIn(isObject(one) ? fieldOf(one, 'value') : one)
    return id ?? (isLeaving ? [] : refuseScim('invalidValue', 'A member is unknown.'))
  })
}

/** The ids in `value eq "7"`, or in several such conditions joined by `or`. */
function idsIn(condition: Condition): number[] {
  if (condition.op === 'or') return condition.conditions.flatMap(idsIn)
  if (condition.op !== 'eq' || condition.path.toLowerCase() !== 'value')
    return refuseScim('invalidFilter', 'Members are found by `value eq`.')
  return [idIn(condition.value) ?? []].flat()
}

/** Refuses `invalidPath` for a filter or a part that a membership cannot have: only `remove` finds members, by `members[…]` or `members[…].value`. */
function checkPath({ op, where, part }: Move) {
  const isOfOne = op === 'remove' && where !== undefined && (part === undefined || part === 'value')
  if ((where !== undefined || part !== undefined) && !isOfOne) refuseScim('invalidPath', 'Members are added, removed or replaced whole.')
}

function moveMembers(edit: GroupEdit, move: Move) {
  checkPath(move)
  const { op, where, value } = move
  const isNone = value === null || value === undefined
  if (op === 'remove') {
    if (where === undefined && isNone) return Object.assign(edit, { isExact: true, joins: new Set(), leaves: new Set() })
    for (const id of where ? idsIn(where) : memberIds(value, true)) {
      edit.joins.delete(id)
      edit.leaves.add(id)
    }
    return edit
  }
  if (op === 'replace') Object.assign(edit, { isExact: true, joins: new Set(), leaves: new Set() })
  for (const id of isNone ? [] : memberIds(value, false)) {
    edit.leaves.delete(id)
    edit.joins.add(id)
  }
  return edit
}

/** Reads the changes of a group from a patch. Refuses `mutability` for a changed id, `tooMany`, `invalidPath` and `invalidValue`. */
export function readGroupEdit(moves: readonly Move[], id?: number): GroupEdit {
  const edit: GroupEdit = { isExact: false, joins: new Set(), leaves: new Set() }
  for (const move of moves) {
    const { op, attribute, value } = move
    const isGone = op === 'remove' || value === null || value === undefined
    if (attribute.name === 'members') moveMembers(edit, move)
    if (attribute.name === 'displayName')
      edit.displayName = isGone ? refuseMissing(op, 'displayName') : written(value, 'displayName', LONGEST_NAME)
    if (attribute.name === 'externalId') edit.externalId = isGone || value === '' ? null : written(value, 'externalId', LONGEST_ID)
    if (attribute.name === 'id' && id !== undefined && !isGone && idIn(value) !== id) refuseScim('mutability', 'The id cannot change.')
  }
  if (edit.joins.size + edit.leaves.size > MOST_MEMBERS) refuseScim('tooMany', `A call names at most ${MOST_MEMBERS} members.`)
  return edit
}
