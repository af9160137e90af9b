import { sql } from 'kysely'
import { isOfPerson } from '../../platform/auth/held.ts'
import type { HoldersOf } from '../../platform/changes/deletion-hooks.ts'
import { brokenUnique, type Reads, type Tx } from '../../platform/database/db.ts'
import { alphabetically, patternFor } from '../../platform/database/search.ts'
import type { Moves } from '../../platform/database/sets.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { byName, countOf, inOrder, partIn, withIds } from '../../platform/http/lists.ts'
import type { Page } from '../../platform/http/page.ts'
import type { Language } from '../../platform/tables.ts'
import { type HistoryFilter, readHistory } from '../../record/audit/queries.ts'

const roleColumns = ['roles.id', 'roles.name', 'roles.descriptionAr', 'roles.descriptionEn', 'roles.isSystem', 'roles.createdAt'] as const
const permissionIdsOfRole = sql<
  number[]
>`array(select permission_id from role_permissions where role_id = roles.id order by permission_id)`.as('permissionIds')
const permissionColumns = ['permissions.id', 'permissions.name', 'permissions.descriptionAr', 'permissions.descriptionEn'] as const

export interface NamedTexts {
  name: string
  descriptionAr?: string | null
  descriptionEn?: string | null
}

function refuseTakenName(error: unknown): never {
  const broken = brokenUnique(error)
  if (broken === 'role_name_taken' || broken === 'permission_name_taken') refuse('name_taken')
  throw error
}

interface Searched {
  q?: string
}
interface Sorting {
  sort?: 'name' | 'createdAt' | 'holders'
  order?: 'asc' | 'desc'
}

const rolesLike = (db: Reads, pattern: string | null) =>
  db.selectFrom('roles').$if(pattern !== null, (roles) => roles.where('roles.search', 'like', pattern))

const holderCount = sql<number>`(select count(*) from user_roles where role_id = roles.id and ${isOfPerson})`

/** The roles that match `q`, each with its permissions and the counts in `usage`. Sorted by name by default. */
export async function* listRoles(
  db: Reads,
  { q, sort = 'name', order = 'asc', ...part }: Searched & Sorting & Page,
  language: Language,
  usage: HoldersOf<'roles'>['counts'],
) {
  const keys = { name: alphabetically(sql.ref('roles.name'), language), createdAt: sql.ref('roles.createdAt'), holders: holderCount }
  const found = rolesLike(db, await patternFor(db, q))
    .select('roles.id')
    .orderBy(keys[sort], order)
    .orderBy('roles.id', order)
  const ids = (await partIn(found, part).execute()).map(({ id }) => id)
  yield* withIds(ids, (some) =>
    db
      .selectFrom('roles')
      .select([...roleColumns, ...usage, permissionIdsOfRole])
      .where('roles.id', '=', sql<number>`any(${some}::int[])`)
      .execute(),
  )
}

export const countRoles = async (db: Reads, { q }: Searched) => countOf(rolesLike(db, await patternFor(db, q)))

export const findRole = async (db: Reads, id: number) =>
  (await db.selectFrom('roles').select(roleColumns).where('id', '=', id).executeTakeFirst()) ?? refuse('not_found')

/** Locks a role against a change of its texts and its deletion until the transaction ends. Refuses `not_found`. */
export const lockRole = async (tx: Tx, id: number) =>
  (await tx.selectFrom('roles').select(roleColumns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()) ?? refuse('not_found')

export const readRoleUsage = async (db: Reads, id: number, usage: HoldersOf<'roles'>['counts']) =>
  (await db.selectFrom('roles').select(usage).where('id', '=', id).executeTakeFirst()) ?? refuse('not_found')

export const insertRole = (tx: Tx, role: NamedTexts) =>
  tx.insertInto('roles').values(role).returning(roleColumns).executeTakeFirstOrThrow().catch(refuseTakenName)

export const updateRole = (tx: Tx, id: number, fields: Partial<NamedTexts>) =>
  tx.updateTable('roles').set(fields).where('id', '=', id).returning(roleColumns).executeTakeFirstOrThrow().catch(refuseTakenName)

/** Deletes a role and, by cascade, its permission links. */
export const removeRole = (tx: Tx, id: number) => tx.deleteFrom('roles').where('id', '=', id).execute()

/** The ids of everyone who holds the role, directly or through a group. */
export async function holdersOfRole(db: Reads, roleId: number) {
  const { rows } = await sql<{ userId: number }>`
    select distinct user_id from held_roles where role_id = ${roleId}`.execute(db)
  return rows.map(({ userId }) => userId)
}

const sortedPermissions = (db: Reads, language: Language) =>
  db
    .selectFrom('permissions')
    .select(permissionColumns)
    .orderBy(alphabetically(sql.ref('permissions.name'), language))

const permissionsLike = (db: Reads, pattern: string | null) =>
  db.selectFrom('permissions').$if(pattern !== null, (permissions) => permissions.where('permissions.search', 'like', pattern))

/** Each permission with the number of roles that grant it and apps that require it. */
export async function* listPermissions(
  db: Reads,
  { q, ...part }: Searched & Page,
  language: Language,
  dependents: HoldersOf<'permissions'>['counts'],
) {
  const found = permissionsLike(db, await patternFor(db, q)).select([...permissionColumns, 'permissions.isSystem', ...dependents])
  yield* inOrder(found, byName('permissions', language), part)
}

export const countPermissions = async (db: Reads, { q }: Searched) => countOf(permissionsLike(db, await patternFor(db, q)))

export const listPermissionsOfRole = (db: Reads, roleId: number, language: Language, part: Page = {}) =>
  partIn(
    sortedPermissions(db, language)
      .innerJoin('rolePermissions', 'rolePermissions.permissionId', 'permissions.id')
      .where('rolePermissions.roleId', '=', roleId),
    part,
  ).execute()

/** The names of permissions, by id. */
export async function namesOfPermissions(db: Reads, ids: readonly number[]): Promise<Record<string, string>> {
  const found = await db.selectFrom('permissions').select(['id', 'name']).where('id', '=', sql<number>`any(${ids}::int[])`).execute()
  return Object.fromEntries(found.map(({ id, name }) => [id, name]))
}

/** The permissions with these ids, without repetition. Refuses `not_found` with the unknown ids. */
export async function findPermissions(db: Reads, ids: readonly number[], language: Language) {
  const distinct = [...new Set(ids)]
  const found = await sortedPermissions(db, language).where(sql<boolean>`permissions.id = any(${distinct}::int[])`).execute()
  const known = new Set(found.map(({ id }) => id))
  const unknownIds = distinct.filter((id) => !known.has(id)).sort((one, other) => one - other)
  return unknownIds.length ? refuse('not_found', { body: { unknownIds } }) : found
}

const permissionWith = (db: Reads, id: number) =>
  db
    .selectFrom('permissions')
    .select([...permissionColumns, 'isSystem'])
    .where('id', '=', id)

export const findPermission = async (db: Reads, id: number) => (await permissionWith(db, id).executeTakeFirst()) ?? refuse('not_found')
/** As `lockRole`, for a permission. */
export const lockPermission = async (tx: Tx, id: number) =>
  (await permissionWith(tx, id).forNoKeyUpdate().executeTakeFirst()) ?? refuse('not_found')
/** The permission that a body names. Refuses `not_found` with its id. */
export const findNamedPermission = async (db: Reads, id: number) =>
  (await permissionWith(db, id).executeTakeFirst()) ?? refuse('not_found', { body: { unknownIds: [id] } })

/** How many roles and apps prevent a permission from being deleted. */
export const countDependents = (db: Reads, permissionId: number, dependents: HoldersOf<'permissions'>['counts']) =>
  db.selectFrom('permissions').select(dependents).where('id', '=', permissionId).executeTakeFirstOrThrow()

export const insertPermission = (tx: Tx, permission: NamedTexts) =>
  tx.insertInto('permissions').values(permission).returning(permissionColumns).executeTakeFirstOrThrow().catch(refuseTakenName)

export const updatePermission = (tx: Tx, id: number, texts: Omit<Partial<NamedTexts>, 'name'>) =>
  tx.updateTable('permissions').set(texts).where('id', '=', id).returning(permissionColumns).executeTakeFirstOrThrow()

export const removePermission = (tx: Tx, id: number) => tx.deleteFrom('permissions').where('id', '=', id).execute()

/** The ids of a role's permissions, ascending. */
export const permissionIdsOf = async (db: Reads, roleId: number) =>
  (await db.selectFrom('rolePermissions').select('permissionId').where('roleId', '=', roleId).orderBy('permissionId').execute()).map(
    ({ permissionId }) => permissionId,
  )

export async function movePermissions(tx: Tx, roleId: number, { added, removed }: Moves) {
  if (removed.length)
    await sql`delete from role_permissions where role_id = ${roleId} and permission_id = any(${removed}::int[])`.execute(tx)
  if (added.length)
    await sql`insert into role_permissions (role_id, permission_id) select ${roleId}::int, unnest(${added}::int[])`.execute(tx)
}

/** One page of the history of a role's permissions, as it is sent. */
export async function readRoleAudit(db: Reads, roleId: number, filter: HistoryFilter & { limit?: number; offset?: number }) {
  const { entries, ...page } = await readHistory(db, ['role.permissions'], roleId, filter)
  const shown = entries.map(({ id, added, removed, addedNames, removedNames, refs, previousIds, newIds, at, actor, revertOf }) => ({
    id,
    roleId,
    previousPermissionIds: previousIds,
    newPermissionIds: newIds,
    addedPermissionIds: added,
    removedPermissionIds: removed,
    addedNames,
    removedNames,
    refs,
    createdAt: at,
    actor,
    revertOf,
  }))
  return { ...page, entries: shown }
}
