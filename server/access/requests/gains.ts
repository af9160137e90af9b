/**
 * The gains of a membership: the roles, permissions and apps that a requester would newly have, and the apps that offers and grants show.
 */
import { type RawBuilder, sql } from 'kysely'
import { isOfPerson } from '../../platform/auth/held.ts'
import { inPlan } from '../../platform/auth/planned.ts'
import type { Reads } from '../../platform/database/db.ts'
import { jsonObject } from '../../platform/database/json.ts'
import { alphabetically } from '../../platform/database/search.ts'
import type { Language } from '../../platform/tables.ts'

export interface GrantedApp {
  id: number
  nameAr: string
  nameEn: string
  iconName: string
  imageUrl: string | null
  color: string
}
interface Described {
  id: number
  name: string
  descriptionAr: string | null
  descriptionEn: string | null
}
export interface Gains {
  roles: Described[]
  permissions: Described[]
  apps: GrantedApp[]
}

const APP = jsonObject({
  id: 'apps.id',
  nameAr: 'apps.name_ar',
  nameEn: 'apps.name_en',
  iconName: 'apps.icon_name',
  imageUrl: 'apps.image_url',
  color: 'apps.color',
})

/** SQL: the apps with these ids as a list, in the default order of a launcher. */
export const appsIn = (ids: RawBuilder<unknown>) => sql<GrantedApp[]>`
  (select coalesce(json_agg(${sql.raw(APP)} order by apps.sort_order, apps.id), '[]') from apps where apps.id in (${ids}))`

/**
 * SQL: three common table expressions: `keys`, the keys to all active apps; `joined`, the groups of a person; and `seen`, the apps that the
 * person sees.
 */
export const holdingsOf = (userId: number) => sql`
  keys as materialized (select app_id, role_id, group_id from app_openings),
  joined as materialized (select group_id, expires_at from group_users where user_id = ${userId}),
  seen as materialized (select distinct app_id from access_reasons where user_id = ${userId})`

const listOf = (table: 'roles' | 'permissions', ids: RawBuilder<unknown>, language: Language) => {
  const one = sql.table(table)
  return sql<Described[]>`(
    select coalesce(json_agg(json_build_object('id', id, 'name', name, 'descriptionAr', description_ar, 'descriptionEn', description_en)
      order by ${alphabetically(sql.ref('name'), language)}, id), '[]') from ${one} where id in (${ids}))`
}

/** The roles, permissions and apps that a person would newly have as a member of a group, and the number of its members. */
export const readGains = (db: Reads, groupId: number, userId: number, language: Language) =>
  inPlan(db, { group_users: { added: [[groupId, userId]] } }, async (snapshot) => {
    const own = sql`where user_id = ${userId}`
    const { rows } = await sql<Gains & { memberCount: number }>`
      select ${listOf(
        'roles',
        sql`select role_id from planned.held_roles ${own} except select role_id from held_roles ${own}`,
        language,
      )} as roles,
        ${listOf(
          'permissions',
          sql`select permission_id from planned.held_roles join role_permissions using (role_id) ${own}
            except select permission_id from held_roles join role_permissions using (role_id) ${own}`,
          language,
        )} as permissions,
        ${appsIn(sql`select app_id from planned.access_reasons ${own} except select app_id from access_reasons ${own}`)} as apps,
        (select count(*) from group_users where group_id = ${groupId} and ${isOfPerson}) as member_count`.execute(snapshot)
    const [{ memberCount, ...gains }] = rows as [(typeof rows)[number]]
    return { gains, memberCount }
  })
