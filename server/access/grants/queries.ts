/** Grants: memberships of groups and roles held directly, each of which may have an end. */
import { type RawBuilder, sql } from 'kysely'
import { isOfPerson } from '../../platform/auth/held.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { momentAhead } from '../../platform/http/moments.ts'
import { type EndedGrant, endMoved, type Grant, type GrantKind, isOtherEnd } from './rules.ts'
import { MOST_DAYS } from './shapes.ts'

/** The table of each kind of grant, its column of the group or role, and the table of the groups or roles. */
export const tables = {
  group: { table: sql.table('memberships'), id: sql.ref('group_id'), named: sql.table('groups') },
  role: { table: sql.table('direct_roles'), id: sql.ref('role_id'), named: sql.table('roles') },
}
const list = (ids: readonly number[]) => sql`any(${ids}::int[])`
const holds = sql`(expires_at is null or expires_at > statement_timestamp())`

/** Deletes ended grants. Returns each once. */
async function removeEnded(tx: Tx, kind: GrantKind, which: RawBuilder<unknown>) {
  const { table, id, named } = tables[kind]
  const { rows } = await sql<EndedGrant>`
    with gone as (
      delete from ${table} where expires_at <= statement_timestamp() and ${which} returning user_id, ${id} as id, expires_at)
    select user_id, gone.id, expires_at, named.name, named.description_ar, named.description_en, users.is_active
    from gone join ${named} as named on named.id = gone.id join users on users.id = user_id order by user_id, gone.id`.execute(tx)
  return rows
}

/** Deletes the grants that ended first, at most `most` of each kind. */
export async function removeSomeEnded(tx: Tx, most: number) {
  const oldest = (kind: GrantKind) => {
    const { table, id } = tables[kind]
    const keys = sql`select user_id, ${id} from ${table} where expires_at <= statement_timestamp() order by expires_at limit ${most}`
    return removeEnded(tx, kind, sql`(user_id, ${id}) in (${keys})`)
  }
  return { group: await oldest('group'), role: await oldest('role') }
}

/**
 * Gives each of these people each of these groups or roles, which must exist. Those who hold one already keep it with its end; an ended
 * grant is deleted first. `endOf` returns the end of a new grant. Returns the new grants and the ended ones.
 */
export async function give(
  tx: Tx,
  kind: GrantKind,
  {
    userIds,
    ids,
    endOf,
  }: { userIds: readonly number[]; ids: readonly number[]; endOf?: ((userId: number, id: number) => Date | null) | undefined },
) {
  if (userIds.length === 0 || ids.length === 0) return { given: [], ended: [] }
  const { table, id } = tables[kind]
  const ended = await removeEnded(tx, kind, sql`user_id = ${list(userIds)} and ${id} = ${list(ids)}`)
  const ends = endOf ? userIds.flatMap((user) => ids.map((one) => endOf(user, one))) : []
  const pairs = sql`select one, given from unnest(${userIds}::int[]) as one, unnest(${ids}::int[]) as given order by 1, 2`
  const timed = endOf
    ? sql`select * from unnest(${userIds.flatMap((user) => ids.map(() => user))}::int[],
        ${userIds.flatMap(() => [...ids])}::int[], ${ends}::timestamptz[]) order by 1, 2`
    : sql`select one, given, null::timestamptz from (${pairs}) as pair`
  const { rows: given } = await sql<Grant>`
    insert into ${table} (user_id, ${id}, expires_at) ${timed}
    on conflict do nothing returning user_id, ${id} as id, expires_at`.execute(tx)
  return { given, ended }
}

/**
 * Gives a person who was just created, and so holds nothing, the role `user`, the group Everyone and the groups in `more`. Returns what was
 * given.
 */
export async function giveFirst(tx: Tx, userId: number, more: readonly number[]) {
  const { rows } = await sql<{ roleId: number; everyoneId: number }>`
    with role as (insert into direct_roles (user_id, role_id) select ${userId}, id from roles where name = 'user' returning role_id),
      everyone as (select id from groups where is_system order by id limit 1),
      member as (
        insert into memberships (user_id, group_id)
        select ${userId}, id from (table everyone union select unnest(${more}::int[])) as given (id) order by id)
    select (table role) as role_id, (table everyone) as everyone_id`.execute(tx)
  const { roleId, everyoneId } = rows[0]!
  return { roleIds: [roleId], groupIds: [...new Set([everyoneId, ...more])] }
}

/** Takes these groups or roles from these people. Returns the grants that had not ended. */
export async function take(tx: Tx, kind: GrantKind, { userIds, ids }: { userIds: readonly number[]; ids: readonly number[] }) {
  if (userIds.length === 0 || ids.length === 0) return []
  const { table, id } = tables[kind]
  const { rows } = await sql<Grant>`
    delete from ${table} where user_id = ${list(userIds)} and ${id} = ${list(ids)} and ${holds}
    returning user_id, ${id} as id, expires_at`.execute(tx)
  return rows
}

/**
 * Takes all grants of a person, or all grants of a group or role, before that record is deleted. Returns the grants that had not ended, and
 * those that had.
 */
export async function takeAll(tx: Tx, kind: GrantKind, of: { userId: number } | { id: number }) {
  const { table, id } = tables[kind]
  const which = 'userId' in of ? sql`user_id = ${of.userId}` : sql`${id} = ${of.id}`
  const ended = await removeEnded(tx, kind, which)
  const { rows: taken } = await sql<Grant>`delete from ${table} where ${which} returning user_id, ${id} as id, expires_at`.execute(tx)
  return { taken, ended }
}

/** Sets the end of a grant. Returns the grant with its former end; undefined if there is no such grant, or if it has ended. */
export async function setEnd(tx: Tx, kind: GrantKind, { userId, id: granted, expiresAt }: Grant): Promise<Grant | undefined> {
  const { table, id } = tables[kind]
  const which = sql`user_id = ${userId} and ${id} = ${granted}`
  const { rows } = await sql<Grant>`
    select user_id, ${id} as id, expires_at from ${table} where ${which} and ${holds} for update`.execute(tx)
  const before = rows[0]
  if (before && before.expiresAt?.getTime() !== expiresAt?.getTime())
    await sql`update ${table} set expires_at = ${expiresAt}, changed_at = statement_timestamp() where ${which}`.execute(tx)
  return before
}

/**
 * Removes the ends of people’s memberships of groups that a provider or a source manages from now on: nobody could remove them by hand.
 * Returns the grants with their former ends.
 */
export async function removeEnds(tx: Tx, groupIds: readonly number[]) {
  if (groupIds.length === 0) return []
  const { rows } = await sql<Grant>`
    with ending as materialized (
      select user_id, group_id, expires_at from memberships
      where group_id = ${list(groupIds)} and expires_at > statement_timestamp() and ${isOfPerson} order by group_id, user_id for update)
    update memberships as held set expires_at = null, changed_at = statement_timestamp() from ending
    where held.user_id = ending.user_id and held.group_id = ending.group_id
    returning ending.user_id, ending.group_id as id, ending.expires_at`.execute(tx)
  return rows
}

/**
 * Gives a person a group or role until `end`; null or undefined: without an end. If they hold it already, `end` replaces its end, unless it
 * is undefined. Returns whether the grant is new, its former and its new end if these differ, and the grants that had ended.
 */
export async function giveUntil(
  tx: Tx,
  kind: GrantKind,
  { userId, id, end }: { userId: number; id: number; end: Date | null | undefined },
) {
  const giveIt = () => give(tx, kind, { userIds: [userId], ids: [id], endOf: () => end ?? null })
  const { given, ended } = await giveIt()
  const isNew = given.length > 0
  if (isNew || end === undefined) return { isNew, ended, moved: undefined }
  const held = await setEnd(tx, kind, { userId, id, expiresAt: end })
  if (held) return { isNew, ended, moved: isOtherEnd(held.expiresAt, end) ? endMoved(held.expiresAt, end) : undefined }
  // The grant that they held has ended in between.
  const again = await giveIt()
  return { isNew: again.given.length > 0, ended: [...ended, ...again.ended], moved: undefined }
}

/** The end in a request; undefined if it gives none. Refuses one that is over or more than 1,826 days away. */
export const readEnd = (db: Reads, text: string | null | undefined) => momentAhead(db, text, { path: 'expiresAt', days: MOST_DAYS })

/** A grant that has not ended; undefined if it has ended or was never given. */
export async function findGrant(db: Reads, kind: GrantKind, { userId, id: granted }: Pick<Grant, 'userId' | 'id'>) {
  const { table, id } = tables[kind]
  const { rows } = await sql<Grant>`
    select user_id, ${id} as id, expires_at from ${table} where user_id = ${userId} and ${id} = ${granted} and ${holds}`.execute(db)
  return rows[0]
}

/** Of these ids, those whose grants are over by now: their former end `from` has passed. */
export async function findOver(db: Reads, ends: readonly { id: number; from: string }[]) {
  if (ends.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select id from jsonb_to_recordset(${JSON.stringify(ends)}::jsonb) as lost (id int, "from" timestamptz)
    where "from" <= statement_timestamp()`.execute(db)
  return rows.map(({ id }) => id)
}

// Groups whose members follow from the claims of a provider, or from a source: nobody may change them by hand.

interface Manager {
  kind: 'provider' | 'source'
  id: number
  name: string
}

/**
 * A manager of these groups, a provider before a source; undefined if none is managed. With `isInRule`, also a provider that has a rule for
 * one of them.
 */
async function findManager(db: Reads, groupIds: readonly number[], isInRule = false): Promise<Manager | undefined> {
  if (groupIds.length === 0) return undefined
  const { rows } = await sql<Manager>`
    select 'provider' as kind, p.id, p.slug as name from sign_in_providers p
    where p.id in (select managed_by_provider from groups where id = any(${groupIds}::int[]))
      or ${isInRule} and p.id in (select provider_id from provider_group_rules where group_id = any(${groupIds}::int[]))
    union all
    select 'source' as kind, s.id, s.name from provisioning_sources s
    where s.id in (select source_id from provisioned_groups where group_id = any(${groupIds}::int[]) and removed_at is null)
    order by kind, id limit 1`.execute(db)
  return rows[0]
}

/** The provider or the source that manages the members of a group; undefined if none does. */
export const managerOf = (db: Reads, groupId: number) => findManager(db, [groupId])

/**
 * Refuses `managed_elsewhere` if the members of one of these groups follow from the claims of a provider or from a source. With `ends`, for
 * memberships that have an end, also refuses all groups in the rules of a provider, although people may be put into some of them by hand
 * without an end.
 */
export async function checkByHand(db: Reads, groupIds: readonly number[], { ends = false } = {}) {
  const source = await findManager(db, groupIds, ends)
  if (source) refuse('managed_elsewhere', { body: { source } })
}
