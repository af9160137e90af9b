/** The changes of an entry of a history, and the change that reverts it. */
import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { TObject } from 'typebox'
import type { EndMove } from '../../access/grants/rules.ts'
import type { Field } from '../../access/impact/shapes.ts'
import type { HistoryKind } from '../../platform/changes/listed.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { CommandEndpoint } from '../../platform/http/endpoint.ts'
import { MeetingPatch } from '../../work/meetings/meetings/shapes.ts'
import { TaskFields } from '../../work/meetings/tasks/shapes.ts'

/** The commands that revert changes, by their `operationId`, each with the kind of the record if its changes have an impact on access. */
export const operations = {
  changeUser: 'user',
  replaceUserRoles: 'user',
  changeGroup: 'group',
  addGroupUser: null,
  addUserRole: null,
  changeRole: null,
  replaceRolePermissions: 'role',
  changePermission: null,
  changeApp: 'app',
  replaceAppAccess: 'app',
  changeService: null,
  changeCategory: null,
  replaceServiceHandling: null,
  changeServiceTeam: null,
  changeCalendar: null,
  changeSettings: null,
  changeMeeting: null,
  changeTask: null,
} as const
export type Operation = keyof typeof operations

interface Difference {
  add: number[]
  remove: number[]
}
type Fields = Record<string, { from: unknown; to: unknown }>
type Differences = Partial<Record<Field, Difference>>

/** The effect of an entry on a record's fields, and the inverse of its effect on sets. */
export interface Entry {
  operation: Operation
  targetId: number
  fields: Fields
  sets: Differences
  /** The ends of the grants that the entry removed; `id` is the id of the removed member. */
  ends: EndLost[]
  /** The part of the body that names the grant whose end the entry changed. */
  grant?: { userId: number } | { roleId: number }
}
interface EndLost {
  id: number
  from: string
}
type Read = Pick<Entry, 'operation'> & Partial<Entry>

const setOf: Record<HistoryKind, [operation: Operation, field: Field]> = {
  'role.permissions': ['replaceRolePermissions', 'permissionIds'],
  'user.roles': ['replaceUserRoles', 'roleIds'],
  'user.groups': ['changeUser', 'groupIds'],
  'group.users': ['changeGroup', 'userIds'],
  'group.roles': ['changeGroup', 'roleIds'],
  'group.apps': ['changeGroup', 'appIds'],
  'app.permissions': ['replaceAppAccess', 'permissionIds'],
}
/** The set that a history is about, as a field of its record. */
export const fieldOf = (kind: HistoryKind) => setOf[kind][1]

interface HistoryRow {
  kind: HistoryKind
  targetId: number
  added: number[]
  removed: number[]
  ends: readonly EndMove[]
}
/** An entry of the history of a set. */
export function readHistoryRow({ kind, targetId, added, removed, ends }: HistoryRow): Entry {
  const [operation, field] = setOf[kind]
  const [end] = ends
  if (end && added.length + removed.length === 0) return endChange(kind, targetId, end)
  return { operation, targetId, fields: {}, sets: { [field]: { add: removed, remove: added } }, ends: endsLost(ends) }
}
export const endsLost = (ends: readonly EndMove[]) =>
  ends.flatMap(({ id, from, to }) => (from !== null && to === null ? [{ id, from }] : []))

/** An entry that only changed the end of a grant. */
function endChange(kind: HistoryKind, targetId: number, { id, from, to }: EndMove): Entry {
  const common = { fields: { expiresAt: { from, to } }, sets: {}, ends: [] }
  if (kind === 'user.roles') return { ...common, operation: 'addUserRole', targetId, grant: { roleId: id } }
  const [groupId, userId] = kind === 'group.users' ? [targetId, id] : [id, targetId]
  return { ...common, operation: 'addGroupUser', targetId: groupId, grant: { userId } }
}

type Facts = Record<string, unknown>
const setFields: readonly string[] = ['userIds', 'groupIds', 'roleIds', 'appIds', 'permissionIds'] satisfies Field[]
const without = (ids: readonly number[], others: readonly number[]) => {
  const some = new Set(others)
  return ids.filter((id) => !some.has(id))
}

/**
 * The changes of an update, field by field. Entries of earlier versions contain whole sets, so ids in both `from` and `to` did not move.
 */
const edited =
  (operation: Operation) =>
  ({ changed }: Facts): Read => {
    const all = Object.entries(changed as Fields)
    const sets = all.filter(([name]) => setFields.includes(name)) as [Field, { from: number[]; to: number[] }][]
    return {
      operation,
      fields: Object.fromEntries(all.filter(([name]) => !setFields.includes(name))),
      sets: Object.fromEntries(sets.map(([name, { from, to }]) => [name, { add: without(from, to), remove: without(to, from) }])),
    }
  }

/** The changes of a group. A source records only the members that it moved. */
const groupEdited = (facts: Facts): Read => {
  if (facts['changed']) return edited('changeGroup')(facts)
  const { added, removed } = facts as { added: number[]; removed: number[] }
  return { operation: 'changeGroup', sets: { userIds: { add: removed, remove: added } } }
}

/** The changes of an update whose lists are put back whole. */
const whole =
  (operation: Operation) =>
  ({ changed }: Facts): Read => ({ operation, fields: changed as Fields })

/** One id added to a set, or removed. */
const single =
  (operation: Operation, field: Field, fact: string, move: 'added' | 'removed') =>
  ({ [fact]: id }: Facts): Read => ({
    operation,
    sets: { [field]: move === 'added' ? { add: [], remove: [id as number] } : { add: [id as number], remove: [] } },
  })
const memberOf = { userId: 'userIds', roleId: 'roleIds', appId: 'appIds' } as const
const member = (move: 'added' | 'removed') => (facts: Facts) => {
  const fact = Object.keys(memberOf).find((name) => name in facts) as keyof typeof memberOf
  return single('changeGroup', memberOf[fact], fact, move)(facts)
}

/** The changes between two states of a record. */
const around =
  (operation: Operation, names: readonly string[]) =>
  ({ before, after }: Facts): Read => {
    const [was, is] = [comparable(before as Facts), comparable(after as Facts)]
    const moved = names.filter((name) => name in was && name in is && !isDeepStrictEqual(was[name], is[name]))
    // A meeting that moves back to a former day gets a new place there.
    const chosen = moved.includes('date') ? moved.filter((name) => name !== 'sortOrder') : moved
    return { operation, fields: Object.fromEntries(chosen.map((name) => [name, { from: was[name], to: is[name] }])) }
  }

/** For each action whose entries can be reverted, the function that reads the facts of an entry. */
const readers: Record<string, (facts: Facts) => Read> = {
  'user.update': edited('changeUser'),
  'user.roles.replace': edited('replaceUserRoles'),
  'user.role.add': single('replaceUserRoles', 'roleIds', 'roleId', 'added'),
  'user.role.remove': single('replaceUserRoles', 'roleIds', 'roleId', 'removed'),
  'group.update': groupEdited,
  'group.member.update': ({ changed, userId }) => ({
    operation: 'addGroupUser',
    fields: changed as Fields,
    grant: { userId: userId as number },
  }),
  'user.role.update': ({ changed, roleId }) => ({
    operation: 'addUserRole',
    fields: changed as Fields,
    grant: { roleId: roleId as number },
  }),
  'group.member.add': member('added'),
  'group.member.remove': member('removed'),
  'role.update': edited('changeRole'),
  'role.permissions.replace': (facts) => ({
    operation: 'replaceRolePermissions',
    sets: { permissionIds: { add: facts['removedPermissionIds'] as number[], remove: facts['addedPermissionIds'] as number[] } },
  }),
  'role.permission.add': single('replaceRolePermissions', 'permissionIds', 'permissionId', 'added'),
  'role.permission.remove': single('replaceRolePermissions', 'permissionIds', 'permissionId', 'removed'),
  'permission.update': edited('changePermission'),
  'app.update': edited('changeApp'),
  'app.access.replace': edited('replaceAppAccess'),
  'app.permission.add': single('replaceAppAccess', 'permissionIds', 'permissionId', 'added'),
  'app.permission.remove': single('replaceAppAccess', 'permissionIds', 'permissionId', 'removed'),
  'service.update': edited('changeService'),
  'service_category.update': edited('changeCategory'),
  'service.handling.update': whole('replaceServiceHandling'),
  'service_team.update': whole('changeServiceTeam'),
  'working_calendar.update': whole('changeCalendar'),
  'settings.update': edited('changeSettings'),
  'meeting.update': around('changeMeeting', Object.keys(MeetingPatch.properties)),
  'meeting.reorder': around('changeMeeting', ['sortOrder']),
  'meeting_task.update': around('changeTask', Object.keys(TaskFields.properties)),
}

export const isRevertible = (action: string) => Object.hasOwn(readers, action)

interface LogRow {
  action: string
  targetId: number
  facts: Facts
}
/** An entry of the audit log. Refuses `nothing_to_revert` if no entry of its kind can be reverted. */
export function readLogRow({ action, targetId, facts }: LogRow): Entry {
  const read = readers[action]?.(facts) ?? refuse('nothing_to_revert')
  return { targetId, fields: {}, sets: {}, ends: [], ...read }
}

/** An entry without the fields that its command does not take, such as those that only a source writes. */
export function takenBy({ body }: CommandEndpoint, { fields, ...entry }: Entry): Entry {
  const { properties } = body as TObject
  return { ...entry, fields: Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(properties, name))) }
}

/** A record as histories store it: dates are texts, and attendees have no ids of their own. */
export function comparable(record: Facts): Facts {
  const { attendees, ...rest } = JSON.parse(JSON.stringify(record)) as Facts
  if (!Array.isArray(attendees)) return rest
  return { ...rest, attendees: attendees.map(({ id: _, ...attendee }: Facts) => attendee) }
}

/** The changes that revert an entry, without those already made. */
export interface Restoration {
  fields: Facts
  sets: Differences
}

/**
 * Compares an entry with the current record. Fields that have changed since are reverted only with `overwrite`; otherwise refuses
 * `changed_since`. Sets are reverted id by id, for existing ids. Refuses `nothing_to_revert` if nothing would change.
 */
export function restorationOf(
  { fields, sets }: Entry,
  now: Facts,
  { overwrite, known }: { overwrite?: string | undefined; known: (field: Field, id: number) => boolean },
): Restoration {
  const due = Object.entries(fields).filter(([name, { from }]) => !isDeepStrictEqual(now[name] ?? null, from ?? null))
  checkUnchanged(Object.fromEntries(due), now, overwrite)
  const differences = (Object.entries(sets) as [Field, Difference][]).map(([field, { add, remove }]): [Field, Difference] => {
    const present = new Set(now[field] as number[])
    return [field, { add: add.filter((id) => !present.has(id) && known(field, id)), remove: remove.filter((id) => present.has(id)) }]
  })
  const moved = differences.filter(([, { add, remove }]) => add.length + remove.length > 0)
  if (due.length + moved.length === 0) refuse('nothing_to_revert')
  return { fields: Object.fromEntries(due.map(([name, { from }]) => [name, from ?? null])), sets: Object.fromEntries(moved) }
}

/**
 * Refuses `changed_since` if a field has neither the value before the entry nor the one after it, unless `overwrite` is the version of
 * the current values: nobody overwrites values that they were not shown.
 */
export function checkUnchanged(fields: Fields, now: Facts, overwrite: string | undefined) {
  const isIn = (name: string, value: unknown) => isDeepStrictEqual(now[name] ?? null, value ?? null)
  const others = Object.entries(fields).filter(([name, { from, to }]) => !isIn(name, from) && !isIn(name, to))
  const changed = others.map(([field, { from, to }]) => ({ field, from, to, now: now[field] ?? null }))
  const version = hash('sha256', JSON.stringify(changed.map(({ field, now }) => [field, now])), 'base64url')
  if (changed.length && overwrite !== version) refuse('changed_since', { body: { version, fields: changed } })
}

/** The body of the command that carries out a restoration. */
export function bodyOf(operation: Operation, { fields, sets }: Restoration, now: Facts): Facts {
  if (operation === 'addGroupUser') return { userId: now['userId'], ...fields }
  if (operation === 'addUserRole') return { roleName: now['roleName'], ...fields }
  if (operation === 'changeGroup') return { ...fields, members: sets.userIds, roles: sets.roleIds, apps: sets.appIds }
  if (operation === 'replaceServiceHandling') return { ...now, ...fields }
  const complete = (Object.entries(sets) as [Field, Difference][]).map(([field, { add, remove }]) => {
    return [field, [...without(now[field] as number[], remove), ...add]]
  })
  const both = operation === 'replaceAppAccess' ? { permissionIds: now['permissionIds'], groupIds: now['groupIds'] } : {}
  return { ...both, ...fields, ...Object.fromEntries(complete) }
}
