/** The roles and apps that a change of a group would take from its members. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Reads } from '../../platform/database/db.ts'
import { alphabetically } from '../../platform/database/search.ts'
import type { Language } from '../../platform/tables.ts'
import type { GroupSets } from './rules.ts'
import type { GroupImpact } from './shapes.ts'

type Loss = Pick<Static<typeof GroupImpact>['lostRoles'][number], 'roleNames'> &
  Pick<Static<typeof GroupImpact>['lostApps'][number], 'appIds'>

/** The losses of members with the same profile, who therefore lose the same. */
interface LossOfSome extends Loss {
  userIds: number[]
}

/**
 * The losses of active members if the group's sets became exactly `after`: roles that nothing else grants them, and active apps that
 * nothing else makes visible. Anything that the change itself grants in another way is not lost. A group may contain everyone, so members
 * are grouped by profile: whether they stay, and their roles and groups besides this one. That is why this does not ask the schema `planned`,
 * whose rows are single people.
 */
export async function previewSets(db: Reads, groupId: number, after: GroupSets, language: Language) {
  const { rows } = await sql<LossOfSome>`
    with members as materialized (
      select users.id in (select unnest(${after.userIds}::int[])) as stays, users.id,
        array(select role_id from user_roles where user_id = users.id order by 1) as roles,
        array(select other.group_id from group_users as other where other.user_id = users.id and other.group_id <> ${groupId} order by 1) as groups
      from group_users join users on users.id = user_id and users.is_active and users.kind = 'person'
      where group_id = ${groupId}
    ), profiles as materialized (
      select row_number() over () as profile, stays, roles, groups, array_agg(id) as user_ids from members group by stays, roles, groups
    ),

    -- Everything each profile keeps: its own roles and other groups and, if it stays, the new sets of the group.
    other_groups as materialized (
      select profile, unnest(groups) as group_id from profiles
    ), kept_roles as materialized (
      select profile, unnest(roles) as role_id from profiles
      union
      select profile, role_id from other_groups join group_roles using (group_id)
      union
      select profile, unnest(${after.roleIds}::int[]) from profiles where stays
    ), keys as materialized (
      select app_id, role_id, group_id from app_openings
    ), kept_apps as (
      select profile, app_id from kept_roles join keys using (role_id)
      union
      select profile, app_id from other_groups join keys using (group_id)
      union
      select profile, app_id from profiles cross join keys where keys.role_id is null and keys.group_id is null
      union
      select profile, unnest(${after.appIds}::int[]) from profiles where stays
    ),

    -- Everything each profile has through the group now, except what it keeps.
    lost_roles as materialized (
      select profile, role_id from profiles cross join group_roles where group_id = ${groupId}
      except
      select profile, role_id from kept_roles
    ), lost_apps as (
      (
        select profile, app_id from profiles cross join keys where keys.group_id = ${groupId}
        union
        select profile, app_id from lost_roles join keys using (role_id)
      )
      except
      select profile, app_id from kept_apps
    ),

    named_roles as (
      select profile, array_agg(name order by ${alphabetically(sql.ref('name'), language)}) as role_names
      from lost_roles join roles on roles.id = role_id group by profile
    ), listed_apps as (
      select profile, array_agg(app_id order by app_id) as app_ids from lost_apps group by profile
    )
    select user_ids, coalesce(role_names, '{}') as role_names, coalesce(app_ids, '{}') as app_ids
    from profiles left join named_roles using (profile) left join listed_apps using (profile)
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
