/** What a change of a group would take from its members, found by the database. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Reads } from '../platform/db.ts'
import { alphabetically } from '../platform/search.ts'
import type { Language } from '../tables.ts'
import type { GroupSets } from './rules.ts'
import type { GroupImpact } from './shapes.ts'

type Impact = Pick<Static<typeof GroupImpact>, 'lostRoles' | 'lostApps' | 'affectedUserCount'>

/**
 * Only active members can lose anything: a role that nothing else gives them, and an active app that nothing else shows them, where
 * the sets are to be exactly those of `after`. What the change itself gives them elsewhere counts as kept.
 */
export async function previewSets(db: Reads, groupId: number, after: GroupSets, language: Language): Promise<Impact> {
  const { rows } = await sql<Impact>`
    with members as (
      select user_id, user_id = any(${after.userIds}::int[]) as stays
      from group_users join users on users.id = user_id and users.is_active
      where group_id = ${groupId}
    ), wanted_roles as (
      select unnest(${after.roleIds}::int[]) as role_id
    ), wanted_apps as (
      select unnest(${after.appIds}::int[]) as app_id
    ), other_groups as (
      select user_id, group_id from members join group_users using (user_id) where group_id <> ${groupId}
    ), kept_roles as (
      select user_id, role_id from members join user_roles using (user_id)
      union
      select user_id, role_id from other_groups join group_roles using (group_id)
      union
      select user_id, role_id from members cross join wanted_roles where stays
    ), lost_roles as (
      select user_id, role_id from members cross join group_roles where group_id = ${groupId}
      except
      select user_id, role_id from kept_roles
    ), guarded as (
      select id as app_id from apps where is_active and exists (select from app_permissions where app_id = apps.id)
    ), opening as (
      select distinct role_id, app_id
      from role_permissions join app_permissions using (permission_id) join guarded using (app_id)
      union
      select roles.id, app_id from roles cross join guarded where roles.name = 'admin'
    ), at_stake as (
      select user_id, app_id from members cross join group_apps join guarded using (app_id)
      where group_id = ${groupId} and not (stays and app_id in (select app_id from wanted_apps))
      union
      select user_id, app_id from lost_roles join opening using (role_id)
    ), lost_apps as (
      select user_id, app_id from at_stake
      except
      select user_id, app_id from kept_roles join opening using (role_id)
      except
      select user_id, app_id from other_groups join group_apps using (group_id)
      except
      select user_id, app_id from members cross join wanted_apps where stays
    ), roles_of as (
      select user_id, json_agg(name order by ${alphabetically(sql.ref('name'), language)}) as names
      from lost_roles join roles on roles.id = role_id group by user_id
    ), apps_of as (
      select user_id, json_agg(app_id order by app_id) as ids from lost_apps group by user_id
    )
    select
      (select coalesce(json_agg(json_build_object('userId', user_id, 'roleNames', names) order by user_id), '[]') from roles_of) as lost_roles,
      (select coalesce(json_agg(json_build_object('userId', user_id, 'appIds', ids) order by user_id), '[]') from apps_of) as lost_apps,
      (select count(*) from (select user_id from lost_roles union select user_id from lost_apps) as affected) as affected_user_count
  `.execute(db)
  return rows[0]!
}
