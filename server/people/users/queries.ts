import { type SelectQueryBuilder, sql } from 'kysely'
import { giveFirst } from '../../access/grants/queries.ts'
import type { Access } from '../../platform/auth/actor.ts'
import { groupsOf, rolesOf } from '../../platform/auth/held.ts'
import type { HoldersOf } from '../../platform/changes/deletion-hooks.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { keyOf } from '../../platform/database/search.ts'
import { refuseUnknown } from '../../platform/database/sets.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { Language, Tables } from '../../platform/tables.ts'
import { keepLooks, refuseLookAlike } from './looks.ts'

export { findLookAlikes } from './looks.ts'
export { changePerson, findSwitchedOff, hasWaysIn, moveGrants, type PersonEdit, setFields, voidLinksOf } from './writing.ts'

/** A person's effective roles and their groups: columns for a select from `users`. */
export const heldColumns = [
  sql.raw<string[]>(rolesOf('users.id')).as('roles'),
  sql.raw<Access['groups'][number][]>(groupsOf('users.id')).as('groups'),
] as const

export const personColumns = [
  'users.id',
  'users.username',
  'users.email',
  'users.displayNameAr',
  'users.displayNameEn',
  'users.preferredLanguage',
  'users.clockStyle',
  'users.clockHour12',
  'users.avatarUrl',
  'users.isActive',
  'users.createdAt',
] as const
/** SQL: the name by which lists in a language sort a person `u`. It is the expression of the indexes on it. */
export const nameAsListed = {
  ar: `coalesce(nullif(u.display_name_ar, ''), nullif(u.display_name_en, ''), u.username) collate "ar-x-icu"`,
  en: `coalesce(nullif(u.display_name_en, ''), nullif(u.display_name_ar, ''), u.username) collate "en-x-icu"`,
}

/** Searches the names of people, not their e-mail addresses, which are the second part of their search text. */
export const namedLike = (pattern: string) =>
  sql.join(
    [1, 3, 4].map((part) => sql`split_part(search, E'\\x01', ${sql.lit(part)}) like ${pattern}`),
    sql` or `,
  )

export interface NewPerson {
  username: string
  email: string
  passwordHash: string | null
  kind?: 'service'
  isActive?: boolean
  invitation?: 'pending'
  /** An administrator vouches for the address. */
  emailVouched?: true
  /** A provider that speaks for the address confirms it. */
  isProven?: boolean
  displayNameAr?: string | null
  displayNameEn?: string | null
  preferredLanguage?: Language
}

/** Refuses `username_taken` if the username exists, and otherwise `email_taken`. */
async function refuseNames(tx: Tx, { username }: NewPerson, status: 400 | 409): Promise<never> {
  const holder = await tx.selectFrom('users').select('id').where('usernameKey', '=', keyOf(username)).executeTakeFirst()
  return refuse(holder ? 'username_taken' : 'email_taken', { status })
}

/** Inserts an account. Refuses `username_taken` and `email_taken` with `takenStatus`, before anything is written. */
export async function insertAccount(tx: Tx, account: NewPerson, takenStatus: 400 | 409) {
  const looks = await refuseLookAlike(tx, account.username, takenStatus)
  // A taken name must not abort the transaction, because more accounts may be created in it.
  const created = await tx
    .insertInto('users')
    .values(account)
    .onConflict((taken) => taken.doNothing())
    .returning('id')
    .executeTakeFirst()
  const { id } = created ?? (await refuseNames(tx, account, takenStatus))
  await keepLooks(tx, id, looks)
  return id
}

/**
 * Creates a person with the role `user`, in the group Everyone and in `groupIds`, which must exist. Refuses `username_taken` and
 * `email_taken` with `takenStatus`, before anything is written.
 */
export async function createPerson(tx: Tx, person: NewPerson, groupIds: number[], takenStatus: 400 | 409) {
  const id = await insertAccount(tx, person, takenStatus)
  return { id, ...(await giveFirst(tx, id, groupIds)) }
}

/** The counts of the records that only a forced deletion removes, as columns for a select from `users`. */
export type Counts = HoldersOf<'users'>['counts']

export const countOwned = async (db: Reads, id: number, counts: Counts) =>
  (await db.selectFrom('users').select(counts).where('id', '=', id).executeTakeFirst()) ?? refuse('not_found')

/** Deletes a person. Rows that refer to the person are deleted, or lose the reference. */
export const removePerson = (tx: Tx, id: number) => tx.deleteFrom('users').where('id', '=', id).execute()

const ownRoleIds = sql<number[]>`array(select role_id from user_roles where user_id = users.id order by role_id)`.as('roleIds')
export const withProfile = <O>(people: SelectQueryBuilder<Tables, 'users', O>) =>
  people
    .select(personColumns)
    .select(['users.invitation', ...heldColumns, ownRoleIds])
    .select(sql<Date | null>`(select at from last_seen where user_id = users.id)`.as('lastSeenAt'))

/**
 * Waits for the person's running commands, and blocks their further commands until the transaction ends. Call it before their row is
 * changed.
 */
export const blockCommandsOf = (tx: Tx, id: number) =>
  tx.selectFrom('userAccess').select('userId').where('userId', '=', id).forUpdate().execute()

/** Selects a person by id. A service account is not a person: callers refuse its id with 404. */
const personWith = (db: Reads, id: number) => db.selectFrom('users').where('users.id', '=', id).where('users.kind', '=', 'person')

/** Locks the person as `blockCommandsOf` does, then their row. With `texts` their commands go on; only texts may change then. */
export async function lockPerson(tx: Tx, id: number, of: 'rights' | 'texts' = 'rights') {
  const own = tx.selectFrom('userAccess').select('userId').where('userId', '=', id)
  const locked = (of === 'texts' ? own.forNoKeyUpdate() : own.forUpdate()).as('own')
  const person = personWith(tx, id).innerJoin(locked, 'own.userId', 'users.id').selectAll('users').forNoKeyUpdate('users')
  return (await person.executeTakeFirst()) ?? refuse('not_found')
}

/** Locks people as `lockPerson` does, in the order in which every command locks, and reads them. Skips ids that are not of people. */
export async function lockPeople(tx: Tx, ids: readonly number[], of: 'rights' | 'texts') {
  const mode = of === 'texts' ? sql`for no key update` : sql`for update`
  await sql`select from user_access where user_id = any(${ids}::int[]) order by user_id ${mode}`.execute(tx)
  await sql`select from users where id = any(${ids}::int[]) order by id for no key update`.execute(tx)
  const { rows } = await sql<{ id: number; isActive: boolean; preferredLanguage: Language }>`
    select id, is_active, preferred_language from users where id = any(${ids}::int[]) and kind = 'person'`.execute(tx)
  return new Map(rows.map((person) => [person.id, person]))
}

/** Locks the person's row so that no row that refers to it can be written until the transaction ends. */
export const lockPersonWhole = async (tx: Tx, id: number) =>
  (await personWith(tx, id).selectAll().forUpdate().executeTakeFirst()) ?? refuse('not_found')

/** A person as administrators see them. Refuses `not_found`. */
export const readProfile = async (db: Reads, id: number) =>
  (await withProfile(personWith(db, id)).executeTakeFirst()) ?? refuse('not_found')

/** Refuses `not_found`. */
export const findUsername = async (db: Reads, id: number) =>
  ((await personWith(db, id).select('username').executeTakeFirst()) ?? refuse('not_found')).username

export async function checkUserExists(db: Reads, id: number) {
  if (!(await personWith(db, id).select('id').executeTakeFirst())) refuse('not_found')
}

interface Summary {
  id: number
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
  avatarUrl: string | null
}
/** The first `most` of these people, sorted by the name that the reader sees. */
export async function firstByName(db: Reads, ids: readonly number[], language: Language, most: number) {
  if (ids.length === 0) return []
  const { rows } = await sql<Summary>`
    select u.id, u.username, u.display_name_ar, u.display_name_en, u.avatar_url from users as u where u.id = any(${ids}::int[])
    order by ${sql.raw(nameAsListed[language])}, u.id limit ${most}`.execute(db)
  return rows
}

export const groupIdsOf = async (db: Reads, userId: number) =>
  (await db.selectFrom('groupUsers').select('groupId').where('userId', '=', userId).orderBy('groupId').execute()).map(
    ({ groupId }) => groupId,
  )

export const roleIdsOf = async (db: Reads, userId: number) =>
  (await db.selectFrom('userRoles').select('roleId').where('userId', '=', userId).orderBy('roleId').execute()).map(({ roleId }) => roleId)

export const findRole = (db: Reads, name: string) =>
  db.selectFrom('roles').select(['id', 'name']).where(sql`lower(name)`, '=', sql`lower(${name})`).executeTakeFirst()

export interface Holding {
  /** People who may be inactive, because the record already names them. */
  known?: readonly number[]
}
/**
 * Keeps these people from being deleted until the transaction ends. Refuses `unknown_ids` unless all of them exist and, except for those in
 * `known`, are active.
 */
export async function lockExistingPeople(tx: Tx, ids: readonly number[], { known = [] }: Holding = {}) {
  if (ids.length === 0) return
  const { rows } = await sql<{ id: number; isActive: boolean }>`
    select id, is_active from users where id = any(${ids}::int[]) and kind = 'person' order by id for key share`.execute(tx)
  refuseUnknown(
    ids,
    rows.filter(({ id, isActive }) => isActive || known.includes(id)),
  )
}
