/** Pages of the dependents of an app. Each refuses `not_found`. */
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/db.ts'
import { alphabetically } from '../../platform/database/search.ts'
import { paged, partIn } from '../../platform/http/lists.ts'
import { type Page, pageOf } from '../../platform/http/page.ts'
import type { Language } from '../../platform/tables.ts'
import { countDependents } from './queries.ts'

/** The groups that an app is granted to, by name. */
export async function pageGroupsOf(db: Reads, appId: number, page: Page, language: Language) {
  const { groupCount } = await countDependents(db, appId)
  const granted = db
    .selectFrom('groupApps')
    .innerJoin('groups', 'groups.id', 'groupApps.groupId')
    .select(['groups.id', 'groups.name', 'groups.descriptionAr', 'groups.descriptionEn'])
    .where('groupApps.appId', '=', appId)
    .orderBy(alphabetically(sql.ref('groups.name'), language))
    .orderBy('groups.id')
  return paged(granted, page, groupCount)
}

/** The permissions that an app requires, with the roles that hold each, by name. */
export async function pageRestrictionsOf(db: Reads, appId: number, page: Page, language: Language) {
  const { restrictionCount } = await countDependents(db, appId)
  const roles = sql<string[]>`array(select roles.name from role_permissions join roles on roles.id = role_id
    where permission_id = permissions.id order by ${alphabetically(sql.ref('roles.name'), language)})`
  const required = db
    .selectFrom('appPermissions')
    .innerJoin('permissions', 'permissions.id', 'appPermissions.permissionId')
    .select(['permissions.id', 'permissions.name', 'permissions.descriptionAr', 'permissions.descriptionEn', roles.as('roles')])
    .where('appPermissions.appId', '=', appId)
    .orderBy(alphabetically(sql.ref('permissions.name'), language))
  return paged(required, page, restrictionCount)
}

/** The opens of an app, newest first. Their total comes from daily counts, so only the page is read. */
export async function pageOpensOf(db: Reads, appId: number, page: Page) {
  const { openCount } = await countDependents(db, appId)
  const items = await db
    .selectFrom((opens) => {
      const all = opens.selectFrom('appOpens').selectAll().where('appId', '=', appId)
      return partIn(all.orderBy('createdAt', 'desc').orderBy('id', 'desc'), page).as('opens')
    })
    .innerJoin('users', 'users.id', 'opens.userId')
    .select(['opens.id', 'opens.createdAt', 'opens.userId', 'username', 'displayNameAr', 'displayNameEn', 'avatarUrl'])
    .orderBy('opens.createdAt', 'desc')
    .orderBy('opens.id', 'desc')
    .execute()
  return pageOf('items', items, openCount, page)
}
