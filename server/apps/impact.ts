/** Who would lose sight of an app if it asked for other permissions, counted by the database. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Reads } from '../platform/database/db.ts'
import { alphabetically } from '../platform/database/search.ts'
import type { Language } from '../tables.ts'
import type { AppPermissionsImpact } from './shapes.ts'

/**
 * Active people who are not administrators are counted: those who see the app now, and those of them who would see it no
 * longer. Members of the groups it is granted to always keep it; an inactive app nobody sees.
 */
export async function previewPermissions(db: Reads, appId: number, candidate: readonly number[], language: Language) {
  const { rows } = await sql<Static<typeof AppPermissionsImpact>>`
    with current as (
      select permission_id from app_permissions where app_id = ${appId}
    ), wanted as (
      select distinct permission_id from unnest(${candidate}::int[]) as permission_id
    ), granting as (
      select rp.role_id, bool_or(current.permission_id is not null) as now, bool_or(wanted.permission_id is not null) as later
      from role_permissions rp left join current using (permission_id) left join wanted using (permission_id)
      where current.permission_id is not null or wanted.permission_id is not null
      group by rp.role_id
    ), grants as (
      select user_id, now, later from user_roles join granting using (role_id)
      union
      select user_id, now, later from group_users join group_roles using (group_id) join granting using (role_id)
    ), holders as (
      select user_id, bool_or(now) as now, bool_or(later) as later from grants group by user_id
    ), granted as (
      select g.id, g.name from group_apps ga join groups g on g.id = ga.group_id where ga.app_id = ${appId}
    ), members as (
      select distinct user_id from group_users join granted on granted.id = group_id
    ), admins as (
      select user_id from user_roles join roles on roles.id = role_id where roles.name = 'admin'
      union
      select user_id from group_users join group_roles using (group_id) join roles on roles.id = role_id where roles.name = 'admin'
    ), people as (
      select
        not exists (select from current) or members.user_id is not null or coalesce(holders.now, false) as sees_now,
        not exists (select from wanted) or members.user_id is not null or coalesce(holders.later, false) as sees_later
      from users
      left join holders on holders.user_id = users.id
      left join members on members.user_id = users.id
      left join admins on admins.user_id = users.id
      where users.is_active and admins.user_id is null and exists (select from apps where id = ${appId} and is_active)
    )
    select
      (select count(*) from people where sees_now and not sees_later) as affected_user_count,
      (select count(*) from people where sees_now) as currently_visible_user_count,
      (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by ${alphabetically(sql.ref('name'), language)}, id), '[]')
       from granted) as groups,
      not exists (select from current full join wanted using (permission_id)
                  where current.permission_id is null or wanted.permission_id is null) as no_change`.execute(db)
  return rows[0]!
}
