/** Pages of the holders of a role and the dependents of a permission: everything that a refused deletion counts. */
import { sql } from 'kysely'
import type { Reads } from '../platform/database/db.ts'
import { alphabetically } from '../platform/database/search.ts'
import { type Page, pageOf } from '../platform/http/page.ts'
import type { Language } from '../tables.ts'

/** The people who hold a role directly, by username. */
export async function pageHolders(db: Reads, roleId: number, page: Page, language: Language) {
  const held = db
    .selectFrom('userRoles')
    .innerJoin('users', 'users.id', 'userRoles.userId')
    .where('userRoles.roleId', '=', roleId)
    .where('users.kind', '=', 'person')
  const { count } = await held.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  const items = await held
    .select(['users.id', 'username', 'displayNameAr', 'displayNameEn', 'avatarUrl', 'isActive'])
    .orderBy(alphabetically(sql.ref('username'), language))
    .orderBy('users.id')
    .limit(page.limit!)
    .offset(page.offset!)
    .execute()
  return pageOf('items', items, count, page)
}

/** The groups that give a role to their members, by name. */
export async function pageGroupsWith(db: Reads, roleId: number, page: Page, language: Language) {
  const giving = db.selectFrom('groupRoles').innerJoin('groups', 'groups.id', 'groupRoles.groupId').where('groupRoles.roleId', '=', roleId)
  const { count } = await giving.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  const items = await giving
    .select(['groups.id', 'groups.name', 'descriptionAr', 'descriptionEn'])
    .orderBy(alphabetically(sql.ref('groups.name'), language))
    .orderBy('groups.id')
    .limit(page.limit!)
    .offset(page.offset!)
    .execute()
  return pageOf('items', items, count, page)
}

/** The roles that grant a permission, by name. */
export async function pageRolesWith(db: Reads, permissionId: number, page: Page, language: Language) {
  const granting = db
    .selectFrom('rolePermissions')
    .innerJoin('roles', 'roles.id', 'rolePermissions.roleId')
    .where('rolePermissions.permissionId', '=', permissionId)
  const { count } = await granting.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  const items = await granting
    .select(['roles.id', 'roles.name', 'descriptionAr', 'descriptionEn', 'isSystem'])
    .orderBy(alphabetically(sql.ref('roles.name'), language))
    .orderBy('roles.id')
    .limit(page.limit!)
    .offset(page.offset!)
    .execute()
  return pageOf('items', items, count, page)
}

/** The apps that require a permission, in the default order of a launcher. */
export async function pageAppsAsking(db: Reads, permissionId: number, page: Page) {
  const asking = db
    .selectFrom('appPermissions')
    .innerJoin('apps', 'apps.id', 'appPermissions.appId')
    .where('appPermissions.permissionId', '=', permissionId)
  const { count } = await asking.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  const items = await asking
    .select(['apps.id', 'slug', 'nameAr', 'nameEn', 'isActive'])
    .orderBy('sortOrder')
    .orderBy('apps.id')
    .limit(page.limit!)
    .offset(page.offset!)
    .execute()
  return pageOf('items', items, count, page)
}
