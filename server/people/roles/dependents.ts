/** Pages of the holders of a role and the dependents of a permission: everything that a refused deletion counts. */
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/db.ts'
import { alphabetically } from '../../platform/database/search.ts'
import { paged } from '../../platform/http/lists.ts'
import type { Page } from '../../platform/http/page.ts'
import type { Language } from '../../platform/tables.ts'

/** The people who hold a role directly, by username. */
export function pageHolders(db: Reads, roleId: number, page: Page, language: Language) {
  const held = db
    .selectFrom('userRoles')
    .innerJoin('users', 'users.id', 'userRoles.userId')
    .where('userRoles.roleId', '=', roleId)
    .where('users.kind', '=', 'person')
    .select(['users.id', 'username', 'displayNameAr', 'displayNameEn', 'avatarUrl', 'isActive'])
    .orderBy(alphabetically(sql.ref('username'), language))
    .orderBy('users.id')
  return paged(held, page)
}

/** The groups that give a role to their members, by name. */
export function pageGroupsWith(db: Reads, roleId: number, page: Page, language: Language) {
  const giving = db
    .selectFrom('groupRoles')
    .innerJoin('groups', 'groups.id', 'groupRoles.groupId')
    .where('groupRoles.roleId', '=', roleId)
    .select(['groups.id', 'groups.name', 'descriptionAr', 'descriptionEn'])
    .orderBy(alphabetically(sql.ref('groups.name'), language))
    .orderBy('groups.id')
  return paged(giving, page)
}

/** The roles that grant a permission, by name. */
export function pageRolesWith(db: Reads, permissionId: number, page: Page, language: Language) {
  const granting = db
    .selectFrom('rolePermissions')
    .innerJoin('roles', 'roles.id', 'rolePermissions.roleId')
    .where('rolePermissions.permissionId', '=', permissionId)
    .select(['roles.id', 'roles.name', 'descriptionAr', 'descriptionEn', 'isSystem'])
    .orderBy(alphabetically(sql.ref('roles.name'), language))
    .orderBy('roles.id')
  return paged(granting, page)
}

/** The apps that require a permission, in the default order of a launcher. */
export function pageAppsAsking(db: Reads, permissionId: number, page: Page) {
  const asking = db
    .selectFrom('appPermissions')
    .innerJoin('apps', 'apps.id', 'appPermissions.appId')
    .where('appPermissions.permissionId', '=', permissionId)
    .select(['apps.id', 'slug', 'nameAr', 'nameEn', 'isActive'])
    .orderBy('sortOrder')
    .orderBy('apps.id')
  return paged(asking, page)
}
