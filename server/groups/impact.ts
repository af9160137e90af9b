/** What a change of a group would take away from its members. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Reads } from '../platform/database/db.ts'
import { alphabetically } from '../platform/database/search.ts'
import type { Language } from '../tables.ts'
import type { GroupSets } from './rules.ts'
import type { GroupImpact } from './shapes.ts'

type Loss = Pick<Static<typeof GroupImpact>['lostRoles'][number], 'roleNames'> &
  Pick<Static<typeof GroupImpact>['lostApps'][number], 'appIds'>

/** Members who lose the same things: all of them stay, or all leave, and their other roles and groups are equal. */
interface Alike extends Loss {
  userIds: number[]
}

/**
 * What active members would lose if the group's sets became exactly `after`: roles that nothing else grants them, and active apps
 * that nothing else makes visible. What the change itself grants in another way is not lost. Members with equal roles and groups
 * are evaluated once, because a group may hold everyone.
 */
export async function previewSets(db: Reads, groupId: number, after: GroupSets, language: Language) {
  const { rows } = await sql<Alike>`
    with members as materialized (
      select users.id in (select unnest(${after.userIds}::int[])) as stays, users.id,
        array(select role_id from user_roles where user_id = users.id order by 1) as roles,
        array(select other.group_id from group_users as other where other.user_id = users.id and other.group_id <> ${groupId} order by 1) as groups
      from group_users join users on users.id = user_id and users.is_active
      where group_id = ${groupId}
    ), alike as materialized (
      select row_number() over () as kin, stays, roles, groups, array_agg(id) as user_ids from members group by stays, roles, groups
    ), wanted_roles as (
      select unnest(${after.roleIds}::int[]) as role_id
    ), wanted_apps as (
      select unnest(${after.appIds}::int[]) as app_id
    ), other_groups as materialized (
      select kin, unnest(groups) as group_id from alike
    ), kept_roles as materialized (
      select kin, unnest(roles) as role_id from alike
      union
      select kin, role_id from other_groups join group_roles using (group_id)
      union
      select kin, role_id from alike cross join wanted_roles where stays
    ), lost_roles as materialized (
      select kin, role_id from alike cross join group_roles where group_id = ${groupId}
      except
      select kin, role_id from kept_roles
    ), keys as materialized (
      select * from keys_of_apps()
    ), lost_apps as (
      (
        select kin, app_id from alike cross join keys where group_id = ${groupId}
        union
        select kin, app_id from lost_roles join keys using (role_id)
      )
      except
      select kin, app_id from kept_roles join keys using (role_id)
      except
      select kin, app_id from other_groups join keys using (group_id)
      except
      select kin, app_id from alike cross join keys where role_id is null and keys.group_id is null
      except
      select kin, app_id from alike cross join wanted_apps where stays
    ), roles_of as (
      select kin, array_agg(name order by ${alphabetically(sql.ref('name'), language)}) as role_names
      from lost_roles join roles on roles.id = role_id group by kin
    ), apps_of as (
      select kin, array_agg(app_id order by app_id) as app_ids from lost_apps group by kin
    )
    select user_ids, coalesce(role_names, '{}') as role_names, coalesce(app_ids, '{}') as app_ids
    from alike left join roles_of using (kin) left join apps_of using (kin)
    where role_names is not null or app_ids is not null`.execute(db)

  const affected = rows
    .flatMap(({ userIds, roleNames, appIds }) => userIds.map((userId) => ({ userId, roleNames, appIds })))
    .sort((one, other) => one.userId - other.userId)
  return {
    lostRoles: affected.filter(({ roleNames }) => roleNames.length),
    lostApps: affected.filter(({ appIds }) => appIds.length),
    affectedUserCount: affected.length,
  }
}
