import { type Insertable, type RawBuilder, sql } from 'kysely'
import { checkByHand, give, take, takeAll } from '../../access/grants/queries.ts'
import { endsOf, type Grant } from '../../access/grants/rules.ts'
import { isOfPerson } from '../../platform/auth/held.ts'
import type { HoldersOf } from '../../platform/changes/deletion-hooks.ts'
import { findUndoable } from '../../platform/changes/kept.ts'
import { brokenUnique, type Reads, type Tx } from '../../platform/database/db.ts'
import { jsonMoment, jsonObject } from '../../platform/database/json.ts'
import { alphabetically, patternFor } from '../../platform/database/search.ts'
import { ascending, hasMoved, lockExisting } from '../../platform/database/sets.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { countOf, paged, partIn, withIds } from '../../platform/http/lists.ts'
import type { Page } from '../../platform/http/page.ts'
import type { Language, Tables } from '../../platform/tables.ts'
import { nameAsListed } from '../users/queries.ts'
import { checkMayGive } from './policies.ts'
import { type GroupMoves, type MemberKind, memberOf, parts } from './rules.ts'

export { checkMayGive, closePolicies, concernsGroup, findOpenGroups, findPolicy, nameAgain, updatePolicyOf } from './policies.ts'

const tables = { users: 'groupUsers', roles: 'groupRoles', apps: 'groupApps' } as const satisfies Record<MemberKind, string>

const columns = ['groups.id', 'groups.name', 'groups.descriptionAr', 'groups.descriptionEn', 'groups.isSystem', 'groups.createdAt'] as const
const idsOf = {
  users: sql<number[]>`array(select user_id from group_users where group_id = groups.id and ${isOfPerson} order by user_id)`,
  roles: sql<number[]>`array(select role_id from group_roles where group_id = groups.id order by role_id)`,
  apps: sql<number[]>`array(select app_id from group_apps where group_id = groups.id order by app_id)`,
}
/** The memberships that end, soonest first. */
const memberEnds = sql<{ userId: number; expiresAt: Date }[]>`(
  select coalesce(json_agg(${sql.raw(jsonObject({ userId: 'user_id', expiresAt: jsonMoment('expires_at') }))} order by expires_at, user_id), '[]')
  from group_users where group_id = groups.id and expires_at is not null and ${isOfPerson})`
const sizeOf = (part: MemberKind) =>
  sql<number>`(select count(*) from ${sql.table(tables[part])} where group_id = groups.id ${part === 'users' ? sql`and ${isOfPerson}` : sql``})`

interface GroupFilter {
  q?: string
  sourceId?: number
}
interface Sorting {
  sort?: 'name' | 'createdAt' | 'members'
  order?: 'asc' | 'desc'
}

/** The groups whose name or description matches a pattern, if there is one, and whose members this source manages, if one is named. */
const matching = (db: Reads, pattern: string | null, sourceId: number | undefined) =>
  db
    .selectFrom('groups')
    .$if(pattern !== null, (groups) => groups.where('search', 'like', pattern))
    .$if(sourceId !== undefined, (groups) =>
      groups.where('groups.id', 'in', (eb) =>
        eb.selectFrom('provisionedGroups').select('groupId').where('sourceId', '=', sourceId!).where('removedAt', 'is', null),
      ),
    )

/** The groups that match a filter, by name unless they are sorted otherwise. */
export async function* findGroups(
  db: Reads,
  { q, sourceId, sort = 'name', order = 'asc', ...part }: GroupFilter & Sorting & Page,
  language: Language,
) {
  const keys = { name: alphabetically(sql.ref('groups.name'), language), createdAt: sql.ref('groups.createdAt'), members: sizeOf('users') }
  const found = matching(db, await patternFor(db, q), sourceId)
    .select('groups.id')
    .orderBy(keys[sort], order)
    .orderBy('groups.id', order)
  const ids = (await partIn(found, part).execute()).map(({ id }) => id)
  yield* withIds(ids, (some) =>
    db
      .selectFrom('groups')
      .select(columns)
      .select([sizeOf('users').as('memberCount'), sizeOf('apps').as('appCount'), sizeOf('roles').as('roleCount')])
      .where('groups.id', '=', sql<number>`any(${some}::int[])`)
      .execute(),
  )
}

export const countGroups = async (db: Reads, { q, sourceId }: GroupFilter) => countOf(matching(db, await patternFor(db, q), sourceId))

/** A group with its three sets. Refuses `not_found`. */
export const findGroup = async (db: Reads, id: number) =>
  (await db
    .selectFrom('groups')
    .select(columns)
    .select([idsOf.users.as('userIds'), idsOf.roles.as('roleIds'), idsOf.apps.as('appIds'), memberEnds.as('memberEnds')])
    .where('id', '=', id)
    .executeTakeFirst()) ?? refuse('not_found')

/** Those ids in `some` that are service accounts in a group. */
export const programsIn = async (db: Reads, id: number, some: readonly number[]) =>
  some.length === 0
    ? []
    : usersOf(
        await db
          .selectFrom('groupUsers')
          .select('userId')
          .where('groupId', '=', id)
          .where('userId', '=', sql<number>`any(${some}::int[])`)
          .where(sql<boolean>`not ${isOfPerson}`)
          .execute(),
      )

export async function checkGroupExists(db: Reads, id: number) {
  if (!(await db.selectFrom('groups').select('id').where('id', '=', id).executeTakeFirst())) refuse('not_found')
}

/** SQL: whether a list of ids contains no existing group other than `id`. */
export const namesOnly = (list: RawBuilder<unknown>, id: number) =>
  sql<boolean>`not exists (select from groups where id = any(${list}) and id <> ${id}::int)`

/**
 * Lists of groups are shown without deleted groups, which come back if their deletion is undone. Returns a function that makes the list to
 * store from the stored and the new shown list: it keeps stored groups whose deletion can still be undone. `lists`: all stored lists that
 * are replaced.
 */
export async function keepingUndoable(tx: Tx, lists: readonly (readonly number[])[]) {
  const undoable = new Set(await findUndoable(tx, 'group', lists.flat()))
  return (stored: readonly number[], shown: readonly number[]) => ascending(new Set([...shown, ...stored.filter((id) => undoable.has(id))]))
}

export const lockGroup = async (tx: Tx, id: number) =>
  (await tx.selectFrom('groups').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()) ?? refuse('not_found')

/** The counts of the records that only a forced deletion of the group removes. */
export const countDependents = (tx: Tx, id: number, dependents: HoldersOf<'groups'>['counts']) =>
  tx.selectFrom('groups').select(dependents).where('id', '=', id).executeTakeFirstOrThrow()

/** Takes all members from a group that is about to be deleted. */
export const dropMembers = (tx: Tx, id: number) => takeAll(tx, 'group', { id })

export const removeGroup = (tx: Tx, id: number) => tx.deleteFrom('groups').where('id', '=', id).execute()

export const membersOf = async (db: Reads, id: number) =>
  (await db.selectFrom('groupUsers').select('userId').where('groupId', '=', id).execute()).map(({ userId }) => userId)

/** The members whose names or e-mail address contain `q`, by the name that the reader sees. */
export async function pageMembers(db: Reads, id: number, { q, ...page }: Page & { q?: string }, language: Language) {
  const pattern = await patternFor(db, q)
  const found = db
    .selectFrom('users as u')
    .where('u.kind', '=', 'person')
    .where('u.id', 'in', (eb) => eb.selectFrom('groupUsers').select('userId').where('groupId', '=', id))
    .$if(pattern !== null, (members) => members.where('u.search', 'like', pattern))
  const listed = found
    .select(['u.id', 'u.username', 'u.displayNameAr', 'u.displayNameEn', 'u.avatarUrl', 'u.isActive'])
    .orderBy(sql.raw(nameAsListed[language]))
    .orderBy('u.id')
  return paged(listed, page)
}

/** The sets whose entries never end, unlike memberships. */
export type SetKind = Exclude<MemberKind, 'users'>

type GroupFields = Pick<Insertable<Tables['groups']>, 'name' | 'descriptionAr' | 'descriptionEn'>

const refuseTakenName = (error: unknown) => {
  if (brokenUnique(error) === 'group_name_taken') refuse('name_taken')
  throw error
}

/** Refuses `name_taken`. */
export const insertGroup = async (tx: Tx, fields: GroupFields) =>
  (await tx.insertInto('groups').values(fields).returning('id').executeTakeFirstOrThrow().catch(refuseTakenName)).id

/** Refuses `name_taken`. Returns the group's columns; an empty object if there is nothing to set. */
export async function setFields(tx: Tx, id: number, fields: Partial<GroupFields>) {
  if (Object.values(fields).every((value) => value === undefined)) return {}
  return tx.updateTable('groups').set(fields).where('id', '=', id).returning(columns).executeTakeFirstOrThrow().catch(refuseTakenName)
}

/** Adds roles or apps. Returns those that were not in the set before. Refuses `not_requestable` and `grants_admin`. */
export async function addToSet(tx: Tx, id: number, part: SetKind, memberIds: readonly number[]) {
  if (memberIds.length === 0) return []
  if (part === 'roles') await checkMayGive(tx, [id], memberIds)
  const member = sql.ref(memberOf[part])
  const { rows } = await sql<{ id: number }>`
    insert into ${sql.table(tables[part])} (group_id, ${member})
    select ${id}::int, given.id from unnest(${memberIds}::int[]) as given (id)
    on conflict do nothing returning ${member} as id`.execute(tx)
  return rows.map((row) => row.id)
}

/** Removes roles or apps. Returns those that were in the set. */
export async function removeFromSet(tx: Tx, id: number, part: SetKind, memberIds: readonly number[]) {
  if (memberIds.length === 0) return []
  const member = sql.ref(memberOf[part])
  const { rows } = await sql<{ id: number }>`
    delete from ${sql.table(tables[part])} where group_id = ${id} and ${member} = any(${memberIds}::int[])
    returning ${member} as id`.execute(tx)
  return rows.map((row) => row.id)
}

/**
 * Returns the moves that took effect, and the memberships that had already ended. Some of `moves` may have no effect any more, because new
 * accounts join Everyone without locking it. Refuses `unknown_ids` and `managed_elsewhere` before writing anything, and whatever `addToSet`
 * refuses. `endOf` returns the end of a new membership.
 */
export async function moveMembers(tx: Tx, id: number, moves: GroupMoves, endOf?: (userId: number) => Date | null) {
  for (const part of parts) await lockExisting(tx, part, moves[part].added)
  if (hasMoved(moves.users)) await checkByHand(tx, [id], { ends: moves.users.added.some((userId) => endOf?.(userId)) })
  const { given, ended } = await give(tx, 'group', { userIds: moves.users.added, ids: [id], endOf })
  const taken = await take(tx, 'group', { userIds: moves.users.removed, ids: [id] })
  const move = async (part: SetKind) => ({
    added: await addToSet(tx, id, part, moves[part].added),
    removed: await removeFromSet(tx, id, part, moves[part].removed),
  })
  const users = { added: usersOf(given), removed: usersOf(taken), ends: endsOf('userId', { given, taken }) }
  return { moves: { users, roles: await move('roles'), apps: await move('apps') }, ended }
}
const usersOf = (grants: readonly Pick<Grant, 'userId'>[]) => grants.map(({ userId }) => userId)
