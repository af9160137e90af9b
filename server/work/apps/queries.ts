import { type Insertable, sql, type Updateable } from 'kysely'
import { brokenUnique, type Reads, type Tx } from '../../platform/database/db.ts'
import { patternFor } from '../../platform/database/search.ts'
import type { Moves } from '../../platform/database/sets.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { byName, bySortOrder, countOf, inOrder } from '../../platform/http/lists.ts'
import type { Page } from '../../platform/http/page.ts'
import type { Language, Tables } from '../../platform/tables.ts'
import { forgetAppOpens } from './app-opens.ts'
import type { Viewers } from './rules.ts'

export { forgetAppOpens } from './app-opens.ts'
export { visibleApps } from './catalogue.ts'

/** The numbers of groups, permissions and opens that depend on an app. */
const counts = [
  sql<number>`(select count(*) from group_apps where app_id = apps.id)`.as('groupCount'),
  sql<number>`(select count(*) from app_permissions where app_id = apps.id)`.as('restrictionCount'),
  sql<number>`(select coalesce(sum(count - forgotten), 0)::bigint from app_open_days where app_id = apps.id)`.as('openCount'),
] as const

interface AppFilter {
  q?: string
}
const appsLike = (db: Reads, pattern: string | null) =>
  db.selectFrom('apps').$if(pattern !== null, (apps) => apps.where('apps.search', 'like', pattern))

/** The apps that match a search, inactive ones included, with their counts. */
export async function* listAllApps(db: Reads, { q, ...part }: AppFilter & Page) {
  const found = appsLike(db, await patternFor(db, q))
  yield* inOrder(found.selectAll().select(counts), bySortOrder('apps'), part)
}

export const countApps = async (db: Reads, { q }: AppFilter) => countOf(appsLike(db, await patternFor(db, q)))

/** The position of an app in a person's own order; after all others if it has none. */
const ownPlace = sql<number>`coalesce(array_position(app_orders.app_ids, apps.id), 2147483647)`

/** The active apps with their counts, in a person's own order. */
export const listAppsForAdmin = (db: Reads, userId: number, part: Page) =>
  inOrder(
    db
      .selectFrom('apps')
      .leftJoin('appOrders', (own) => own.on('appOrders.userId', '=', userId))
      .selectAll('apps')
      .select([...counts, ownPlace.as('ownPlace')])
      .where('apps.isActive', '=', true),
    [{ by: ownPlace, of: ({ ownPlace }: { ownPlace: number }) => ownPlace }, ...bySortOrder('apps')],
    part,
  )

export const readAllInOrder = (db: Reads) => db.selectFrom('apps').selectAll().orderBy('sortOrder').orderBy('id').execute()

export const countDependents = async (db: Reads, id: number) =>
  (await db.selectFrom('apps').select(counts).where('id', '=', id).executeTakeFirst()) ?? refuse('not_found')

export const loadApp = async (db: Reads, id: number) =>
  (await db.selectFrom('apps').selectAll().where('id', '=', id).executeTakeFirst()) ?? refuse('not_found')

/** Locks an app against changes. Refuses `not_found`. */
export const lockAppTexts = async (tx: Tx, id: number) =>
  (await tx.selectFrom('apps').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()) ?? refuse('not_found')

/** Locks an app against changes and opens until the transaction ends, so that the count of its opens stays right. Refuses `not_found`. */
export const lockApp = async (tx: Tx, id: number) =>
  (await tx.selectFrom('apps').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()) ?? refuse('not_found')

/** Refuses `slug_taken`. */
export const insertApp = (tx: Tx, app: Insertable<Tables['apps']>) =>
  tx
    .insertInto('apps')
    .values(app)
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error) => (brokenUnique(error) === 'slug_taken' ? refuse('slug_taken') : Promise.reject(error)))

export const updateApp = (tx: Tx, id: number, fields: Updateable<Tables['apps']>) =>
  tx
    .updateTable('apps')
    .set({ ...fields, updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Deletes an app and, by cascade, its links and grants; the first of its opens at once, and the rest by a job. */
export async function removeApp(tx: Tx, id: number) {
  await tx.deleteFrom('apps').where('id', '=', id).execute()
  await forgetAppOpens(tx, { of: 'app', id })
}

export const listPermissionsOfApp = (db: Reads, appId: number, language: Language, part: Page) =>
  inOrder(
    db
      .selectFrom('permissions')
      .innerJoin('appPermissions', 'appPermissions.permissionId', 'permissions.id')
      .select(['permissions.id', 'permissions.name', 'permissions.descriptionAr', 'permissions.descriptionEn'])
      .where('appPermissions.appId', '=', appId),
    byName('permissions', language),
    part,
  )

/** The ids of the permissions an app requires and of the groups it is granted to, ascending. */
export async function linksOf(db: Reads, appId: number) {
  const { rows } = await sql<{ permissionIds: number[]; groupIds: number[] }>`
    select array(select permission_id from app_permissions where app_id = ${appId} order by 1) as permission_ids,
      array(select group_id from group_apps where app_id = ${appId} order by 1) as group_ids`.execute(db)
  return rows[0]!
}

/** Adds and removes required permissions and granted groups of an app, which must exist. */
export async function moveLinks(tx: Tx, appId: number, { permissions, groups }: Record<'permissions' | 'groups', Moves>) {
  await sql`delete from app_permissions where app_id = ${appId} and permission_id = any(${permissions.removed}::int[])`.execute(tx)
  await addPermissions(tx, appId, permissions.added)
  await sql`delete from group_apps where app_id = ${appId} and group_id = any(${groups.removed}::int[])`.execute(tx)
  await sql`insert into group_apps (app_id, group_id) select ${appId}::int, unnest(${groups.added}::int[])`.execute(tx)
}

/** Adds required permissions to an app; returns the ids of those that are new. */
export async function addPermissions(tx: Tx, appId: number, permissionIds: readonly number[]) {
  const { rows } = await sql<{ permissionId: number }>`
    insert into app_permissions (app_id, permission_id) select ${appId}::int, unnest(${permissionIds}::int[])
    on conflict do nothing returning permission_id`.execute(tx)
  return rows.map(({ permissionId }) => permissionId)
}

/** Removes a required permission of an app; returns it, or undefined if the app did not require it. */
export async function removePermission(tx: Tx, appId: number, permissionId: number) {
  const { rows } = await sql<{ permissionId: number; permissionName: string }>`
    delete from app_permissions using permissions
    where app_id = ${appId} and permission_id = ${permissionId} and permissions.id = permission_id
    returning permission_id, permissions.name as permission_name`.execute(tx)
  return rows[0]
}

/** The people who see the app now; `everyone` if nothing restricts it. Refuses `not_found`. */
export async function viewersOf(db: Reads, appId: number): Promise<Viewers> {
  await loadApp(db, appId)
  const open = await sql`select from app_openings where app_id = ${appId} and via = 'unrestricted'`.execute(db)
  if (open.rows.length) return 'everyone'
  const { rows } = await sql<{ id: number }>`select distinct user_id as id from access_reasons where app_id = ${appId}`.execute(db)
  return rows.map(({ id }) => id)
}

export const saveOrder = (tx: Tx, userId: number, appIds: number[]) =>
  tx
    .insertInto('appOrders')
    .values({ userId, appIds })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ appIds }))
    .execute()

export const readOrder = async (db: Reads, userId: number) =>
  (await db.selectFrom('appOrders').select('appIds').where('userId', '=', userId).executeTakeFirst())?.appIds ?? []
