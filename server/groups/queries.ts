import { type Insertable, sql } from 'kysely'
import type { HoldersOf } from '../platform/changes/deletion-hooks.ts'
import { brokenUnique, type Reads, type Tx } from '../platform/database/db.ts'
import { alphabetically, patternFor } from '../platform/database/search.ts'
import { lockExisting } from '../platform/database/sets.ts'
import { refuse } from '../platform/errors/refusal.ts'
import { countOf, partIn, withIds } from '../platform/http/lists.ts'
import { type Page, pageOf } from '../platform/http/page.ts'
import type { Language, Tables } from '../tables.ts'
import { nameAsListed } from '../users/queries.ts'
import { type GroupMoves, type MemberKind, memberOf, parts } from './rules.ts'

const tables = { users: 'groupUsers', roles: 'groupRoles', apps: 'groupApps' } as const satisfies Record<MemberKind, string>

const columns = ['groups.id', 'groups.name', 'groups.descriptionAr', 'groups.descriptionEn', 'groups.isSystem', 'groups.createdAt'] as const
const idsOf = {
  users: sql<number[]>`array(select user_id from group_users where group_id = groups.id order by user_id)`,
  roles: sql<number[]>`array(select role_id from group_roles where group_id = groups.id order by role_id)`,
  apps: sql<number[]>`array(select app_id from group_apps where group_id = groups.id order by app_id)`,
}
const sizeOf = (part: MemberKind) => sql<number>`(select count(*) from ${sql.table(tables[part])} where group_id = groups.id)`

interface GroupFilter {
  q?: string
}
interface Sorting {
  sort?: 'name' | 'createdAt' | 'members'
  order?: 'asc' | 'desc'
}

/** The groups whose name or description has the pattern. */
const like = (db: Reads, pattern: string | null) =>
  db.selectFrom('groups').$if(pattern !== null, (groups) => groups.where('search', 'like', pattern))

/** The groups whose name or description contains `q`, by name unless they are sorted otherwise. */
export async function* findGroups(
  db: Reads,
  { q, sort = 'name', order = 'asc', ...part }: GroupFilter & Sorting & Page,
  language: Language,
) {
  const keys = { name: alphabetically(sql.ref('groups.name'), language), createdAt: sql.ref('groups.createdAt'), members: sizeOf('users') }
  const found = like(db, await patternFor(db, q))
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

export const countGroups = async (db: Reads, { q }: GroupFilter) => countOf(like(db, await patternFor(db, q)))

/** A group with its three sets. Refuses `not_found`. */
export const findGroup = async (db: Reads, id: number) =>
  (await db
    .selectFrom('groups')
    .select(columns)
    .select([idsOf.users.as('userIds'), idsOf.roles.as('roleIds'), idsOf.apps.as('appIds')])
    .where('id', '=', id)
    .executeTakeFirst()) ?? refuse('not_found')

export async function checkGroupExists(db: Reads, id: number) {
  if (!(await db.selectFrom('groups').select('id').where('id', '=', id).executeTakeFirst())) refuse('not_found')
}

export const lockGroup = async (tx: Tx, id: number) =>
  (await tx.selectFrom('groups').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()) ?? refuse('not_found')

/** The counts of what only a forced deletion removes. */
export const countDependents = (tx: Tx, id: number, dependents: HoldersOf<'groups'>['counts']) =>
  tx.selectFrom('groups').select(dependents).where('id', '=', id).executeTakeFirstOrThrow()

export const removeGroup = (tx: Tx, id: number) => tx.deleteFrom('groups').where('id', '=', id).execute()

export const membersOf = async (db: Reads, id: number) =>
  (await db.selectFrom('groupUsers').select('userId').where('groupId', '=', id).execute()).map(({ userId }) => userId)

/** The members whose names or e-mail address contain `q`, by the name that the reader sees. */
export async function pageMembers(db: Reads, id: number, { q, ...page }: Page & { q?: string }, language: Language) {
  const pattern = await patternFor(db, q)
  const found = db
    .selectFrom('users as u')
    .where('u.id', 'in', (eb) => eb.selectFrom('groupUsers').select('userId').where('groupId', '=', id))
    .$if(pattern !== null, (members) => members.where('u.search', 'like', pattern))
  const items = await found
    .select(['u.id', 'u.username', 'u.displayNameAr', 'u.displayNameEn', 'u.avatarUrl', 'u.isActive'])
    .orderBy(sql.raw(nameAsListed[language]))
    .orderBy('u.id')
    .limit(page.limit!)
    .offset(page.offset!)
    .execute()
  return pageOf('items', items, await countOf(found), page)
}

type GroupFields = Pick<Insertable<Tables['groups']>, 'name' | 'descriptionAr' | 'descriptionEn'>

const refuseTakenName = (error: unknown) => {
  if (brokenUnique(error) === 'group_name_taken') refuse('name_taken')
  throw error
}

/** Refuses `name_taken`. */
export const insertGroup = async (tx: Tx, fields: GroupFields) =>
  (await tx.insertInto('groups').values(fields).returning('id').executeTakeFirstOrThrow().catch(refuseTakenName)).id

/** Refuses `name_taken`. */
export async function setFields(tx: Tx, id: number, fields: Partial<GroupFields>) {
  if (Object.values(fields).some((value) => value !== undefined)) {
    await tx.updateTable('groups').set(fields).where('id', '=', id).execute().catch(refuseTakenName)
  }
}

/** Returns the members that were not in the set before. */
export async function addMembers(tx: Tx, id: number, part: MemberKind, memberIds: readonly number[]) {
  if (memberIds.length === 0) return []
  const member = sql.ref(memberOf[part])
  const { rows } = await sql<{ id: number }>`
    insert into ${sql.table(tables[part])} (group_id, ${member})
    select ${id}::int, given.id from unnest(${memberIds}::int[]) as given (id)
    on conflict do nothing returning ${member} as id`.execute(tx)
  return rows.map((row) => row.id)
}

/** Returns the members that were in the set. */
export async function removeMembers(tx: Tx, id: number, part: MemberKind, memberIds: readonly number[]) {
  if (memberIds.length === 0) return []
  const member = sql.ref(memberOf[part])
  const { rows } = await sql<{ id: number }>`
    delete from ${sql.table(tables[part])} where group_id = ${id} and ${member} = any(${memberIds}::int[])
    returning ${member} as id`.execute(tx)
  return rows.map((row) => row.id)
}

/**
 * Returns the moves that took effect: new accounts join Everyone without locking it, so a set may have changed meanwhile. Refuses
 * `unknown_ids`, before writing anything, if something to add does not exist.
 */
export async function moveMembers(tx: Tx, id: number, moves: GroupMoves): Promise<GroupMoves> {
  for (const part of parts) await lockExisting(tx, part, moves[part].added)
  const move = async (part: MemberKind) => ({
    added: await addMembers(tx, id, part, moves[part].added),
    removed: await removeMembers(tx, id, part, moves[part].removed),
  })
  return { users: await move('users'), roles: await move('roles'), apps: await move('apps') }
}
