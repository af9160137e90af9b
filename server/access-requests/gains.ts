/** What a membership gives: the apps of offers and grants, and what a requester would newly have. */
import { type RawBuilder, sql } from 'kysely'
import { isOfPerson } from '../platform/auth/held.ts'
import type { Reads } from '../platform/database/db.ts'
import { jsonObject } from '../platform/database/json.ts'

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
 * SQL: the common table expressions `keys` of all active apps, `held` roles and `joined` groups of a person, and the apps `seen` by them.
 */
export const holdingsOf = (userId: number) => sql`
  keys as materialized (select * from keys_of_apps()),
  held as materialized (select role_id from effective_roles where user_id = ${userId}),
  joined as materialized (select group_id, expires_at from group_users where user_id = ${userId}),
  seen as materialized (
    select app_id from keys where role_id is null and group_id is null
      or role_id in (select role_id from held) or group_id in (select group_id from joined))`

const listOf = (table: 'roles' | 'permissions', ids: RawBuilder<unknown>) => {
  const one = sql.table(table)
  return sql<Described[]>`(
    select coalesce(json_agg(json_build_object('id', id, 'name', name, 'descriptionAr', description_ar, 'descriptionEn', description_en)
      order by name, id), '[]') from ${one} where id in (${ids}))`
}

/** What a person would newly have as a member of a group, and how many members it has. */
export async function readGains(db: Reads, groupId: number, userId: number) {
  const { rows } = await sql<Gains & { memberCount: number }>`
    with ${holdingsOf(userId)},
      given as materialized (select role_id from group_roles where group_id = ${groupId} except select role_id from held)
    select ${listOf('roles', sql`select role_id from given`)} as roles,
      ${listOf(
        'permissions',
        sql`select permission_id from given join role_permissions using (role_id)
          except select permission_id from held join role_permissions using (role_id)`,
      )} as permissions,
      ${appsIn(sql`select app_id from keys where group_id = ${groupId} or role_id in (select role_id from given)
          except select app_id from seen`)} as apps,
      (select count(*) from group_users where group_id = ${groupId} and ${isOfPerson}) as member_count`.execute(db)
  const [{ memberCount, ...gains }] = rows as [(typeof rows)[number]]
  return { gains, memberCount }
}
