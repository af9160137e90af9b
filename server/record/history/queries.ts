import { sql } from 'kysely'
import { findGrant, findOver } from '../../access/grants/queries.ts'
import type { EndMove } from '../../access/grants/rules.ts'
import type { Field } from '../../access/impact/shapes.ts'
import { findGroup, membersOf } from '../../people/groups/queries.ts'
import { findPermission, findRole, permissionIdsOf } from '../../people/roles/queries.ts'
import { checkUserExists, groupIdsOf, readProfile, roleIdsOf } from '../../people/users/queries.ts'
import type { HistoryKind } from '../../platform/changes/listed.ts'
import type { Reads } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { readSettings } from '../../site/settings/queries.ts'
import { linksOf, loadApp } from '../../work/apps/queries.ts'
import { findCalendar } from '../../work/calendars/queries.ts'
import { readMeeting } from '../../work/meetings/meetings/queries.ts'
import { entityKinds } from '../../work/meetings/meetings/shapes.ts'
import { readTask } from '../../work/meetings/tasks/queries.ts'
import { type ApprovalStep, existingIn } from '../../work/service-handlings/queries.ts'
import { findTeam } from '../../work/service-teams/queries.ts'
import { findCategory, findHandling, findService } from '../../work/services/queries.ts'
import { comparable, type Entry, endsLost, fieldOf, type Operation, readHistoryRow, readLogRow } from './rules.ts'
import type { HistoryName } from './shapes.ts'

const histories: Partial<Record<HistoryName, HistoryKind[]>> = {
  role: ['role.permissions'],
  user: ['user.roles', 'user.groups'],
  group: ['group.users', 'group.roles', 'group.apps'],
  app: ['app.permissions'],
}
/** The target type in the audit log of each history that is not about sets. */
const targets: Partial<Record<HistoryName, string>> = {
  settings: 'settings',
  meeting: 'meeting',
  task: 'meeting_task',
  service_handling: 'service',
  service_team: 'service_team',
  working_calendar: 'working_calendar',
}

/** Whether an entry of a history is the set with which its record was created or restored. */
const cameWithRecord = sql<boolean>`exists (
  select from ledger where ledger.at = permission_history.at and ledger.target_id = permission_history.target_id
    and ledger.target_type = split_part(permission_history.kind, '.', 1) and ledger.kind ~ '[.](created|registered|restored)$')`

/** An entry of a history. Refuses `not_found`, and `nothing_to_revert` if it cannot be reverted. */
export async function findEntry(db: Reads, name: HistoryName, id: number): Promise<Entry> {
  const kinds = histories[name]
  if (kinds) {
    const row = await db
      .selectFrom('permissionHistory')
      .select(['kind', 'targetId', 'added', 'removed', sql<EndMove[]>`ends`.as('ends'), cameWithRecord.as('isFirst')])
      .where('id', '=', id)
      .where('kind', 'in', kinds)
      .executeTakeFirst()
    if (!row) return refuse('not_found')
    return row.isFirst ? refuse('nothing_to_revert') : readHistoryRow(row)
  }
  const entry = await findLogEntry(db, id, name === 'audit' ? undefined : [targets[name]!])
  // The log lists changes of the service itself under this target type, too.
  return name === 'service_handling' && entry.operation !== 'replaceServiceHandling' ? refuse('not_found') : entry
}

/** An entry of the log of executive meetings. Refuses as `findEntry` does. */
export const findMeetingsEntry = (db: Reads, id: number) => findLogEntry(db, id, Object.values(entityKinds))

type EndIn = EndMove & { kind: HistoryKind }
/** SQL: the ends in the history rows that were written with an entry of the log, each with the kind of its history. */
const endsBeside = sql`coalesce(
  (select jsonb_agg(one || jsonb_build_object('kind', permission_history.kind))
   from permission_history cross join jsonb_array_elements(ends) as one
   where permission_history.at = ledger.at and permission_history.target_id = ledger.target_id
     and permission_history.kind in ('user.roles', 'user.groups', 'group.users')
     and split_part(permission_history.kind, '.', 1) = ledger.target_type), '[]')`

/** An entry of the audit log about these types of records; undefined: about any type. Refuses as `findEntry` does. */
async function findLogEntry(db: Reads, id: number, types: string[] | undefined): Promise<Entry> {
  const row = await db
    .selectFrom('ledger')
    .select(['action', 'targetId', 'targetType', 'facts', sql<EndIn[]>`${endsBeside}`.as('ends')])
    .where('id', '=', id)
    .where('action', 'is not', null)
    .$if(types !== undefined, (rows) => rows.where('targetType', 'in', types!))
    .executeTakeFirst()
  const { action, targetId, facts, ends } = row ?? refuse('not_found')
  const entry = readLogRow({ action: action!, targetId, facts })
  // One transaction may take both roles and groups from a person, and a role may have the same id as a group.
  return { ...entry, ends: endsLost(ends.filter(({ kind }) => fieldOf(kind) in entry.sets)) }
}

type Facts = Record<string, unknown>
const readers: Record<Operation, (db: Reads, id: number) => Promise<Facts>> = {
  changeUser: async (db, id) => ({ ...(await readProfile(db, id)), groupIds: await groupIdsOf(db, id) }),
  async replaceUserRoles(db, id) {
    await checkUserExists(db, id)
    return { roleIds: await roleIdsOf(db, id) }
  },
  /** Includes the service accounts among the members, which `findGroup` leaves out. */
  changeGroup: async (db, id) => ({ ...(await findGroup(db, id)), userIds: await membersOf(db, id) }),
  addGroupUser: findGroup,
  addUserRole: readProfile,
  changeRole: findRole,
  async replaceRolePermissions(db, id) {
    await findRole(db, id)
    return { permissionIds: await permissionIdsOf(db, id) }
  },
  changePermission: findPermission,
  changeApp: loadApp,
  async replaceAppAccess(db, id) {
    await loadApp(db, id)
    return { ...(await linksOf(db, id)) }
  },
  changeService: findService,
  changeCategory: findCategory,
  async replaceServiceHandling(db, id) {
    await findService(db, id)
    return { ...(await findHandling(db, id)) }
  },
  changeServiceTeam: async (db, id) => ({ ...(await findTeam(db, id)) }),
  changeCalendar: async (db, id) => ({ ...(await findCalendar(db, id)) }),
  changeSettings: readSettings,
  changeMeeting: readMeeting,
  changeTask: async (db, id) => ({ ...(await readTask(db, id)) }),
}
/** The record of an entry in its current state. Refuses `not_found`. */
export const readNow = async (db: Reads, { operation, targetId, grant }: Entry) =>
  comparable({ ...(await readers[operation](db, targetId)), ...(grant && (await readGrant(db, targetId, grant))) })

/**
 * The present end of a grant, and the field of a command's body that identifies the grant. Refuses `nothing_to_revert` if the grant is
 * over.
 */
async function readGrant(db: Reads, targetId: number, grant: NonNullable<Entry['grant']>) {
  if ('userId' in grant) {
    const held = await findGrant(db, 'group', { userId: grant.userId, id: targetId })
    return { userId: grant.userId, expiresAt: (held ?? refuse('nothing_to_revert')).expiresAt }
  }
  const held = (await findGrant(db, 'role', { userId: targetId, id: grant.roleId })) ?? refuse('nothing_to_revert')
  return { roleName: (await findRole(db, grant.roleId)).name, expiresAt: held.expiresAt }
}

const tables = { userIds: 'users', groupIds: 'groups', roleIds: 'roles', appIds: 'apps', permissionIds: 'permissions' } as const

/**
 * `isKnown`: whether a member that is to be added to a set again still exists, and its end, if it had one, has not passed. `over`: the ids
 * of the members whose end has passed.
 */
export async function findKnown(db: Reads, { sets, ends }: Entry) {
  const over = new Set(await findOver(db, ends))
  const known = new Map<Field, Set<number>>()
  for (const [field, { add }] of Object.entries(sets) as [Field, { add: number[] }][]) {
    const { rows } = await sql<{ id: number }>`select id from ${sql.table(tables[field])} where id = any(${add}::int[])`.execute(db)
    known.set(field, new Set(rows.map(({ id }) => id)))
  }
  return { isKnown: (field: Field, id: number) => known.get(field)!.has(id) && !over.has(id), over }
}

const UPLOADED = /^\/objects\/uploads\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const uploadIn = (value: unknown) => UPLOADED.exec(String(value))?.[1] ?? null

/** An entry without pictures that no longer exist. */
export async function withoutLostPictures(db: Reads, entry: Entry): Promise<Entry> {
  const { imageUrl, avatarUrl, ...fields } = entry.fields
  const pictures = Object.entries({ imageUrl, avatarUrl }).flatMap(([name, change]) => (change ? [{ name, change }] : []))
  const uuids = pictures.flatMap(({ change }) => uploadIn(change.from) ?? [])
  if (uuids.length === 0) return entry
  const { rows } = await sql<{ uuid: string }>`select uuid from objects where uuid = any(${uuids}::uuid[])`.execute(db)
  const known = new Set(rows.map(({ uuid }) => uuid))
  const left = pictures.filter(({ change }) => known.has(uploadIn(change.from) ?? ''))
  return { ...entry, fields: { ...fields, ...Object.fromEntries(left.map(({ name, change }) => [name, change])) } }
}

const listed = { audienceGroupIds: 'groups', onBehalfGroupIds: 'groups', groupIds: 'groups', leadUserIds: 'users' } as const

/** Takes groups and people that no longer exist out of an entry's lists. A list of only such ids stays, so that the revert is refused. */
export async function withoutLostNames(db: Reads, entry: Entry): Promise<Entry> {
  const fields = { ...entry.fields }
  for (const [name, table] of Object.entries(listed)) {
    const { from, to } = (fields[name] ?? {}) as { from?: number[]; to?: number[] }
    if (!from || !to) continue
    const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)} where id = any(${[...from, ...to]}::int[])`.execute(db)
    const known = new Set(rows.map(({ id }) => id))
    const kept = (ids: number[]) => (ids.some((id) => known.has(id)) ? ids.filter((id) => known.has(id)) : ids)
    fields[name] = { from: kept(from), to: kept(to) }
  }
  const { from, to } = (fields['steps'] ?? {}) as { from?: ApprovalStep[]; to?: ApprovalStep[] }
  if (from && to) fields['steps'] = { from: await existingIn(db, from), to: await existingIn(db, to) }
  return { ...entry, fields }
}

interface Attendee {
  userId: number | null
}
/** Restored attendees whose account was deleted or is inactive come back by name only, unless they are attendees now. */
export async function freeAttendees(db: Reads, fields: Facts, now: Facts): Promise<Facts> {
  const { attendees } = fields as { attendees?: Attendee[] }
  if (!attendees) return fields
  const ids = attendees.flatMap(({ userId }) => userId ?? [])
  const { rows } = await sql<{ id: number }>`select id from users where id = any(${ids}::int[]) and is_active and kind = 'person'`.execute(
    db,
  )
  const present = (now['attendees'] as Attendee[]).flatMap(({ userId }) => userId ?? [])
  const able = new Set([...rows.map(({ id }) => id), ...present])
  return { ...fields, attendees: attendees.map((one) => (one.userId && !able.has(one.userId) ? { ...one, userId: null } : one)) }
}

/** Whether an end in the facts of an entry has passed. */
export const isOver = async (db: Reads, end: unknown) => typeof end === 'string' && (await findOver(db, [{ id: 0, from: end }])).length > 0
