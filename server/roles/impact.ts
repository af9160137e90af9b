/** The permissions and apps that people would lose if a role had another set of permissions, counted by the database. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { isOfPerson } from '../platform/auth/held.ts'
import type { Reads } from '../platform/database/db.ts'
import { alphabetically } from '../platform/database/search.ts'
import type { Language } from '../tables.ts'
import type { RolePermissionsImpact } from './shapes.ts'

/**
 * A person loses a permission when none of their other roles, held directly or through a group, grants it; inactive accounts count
 * as well. Unknown ids in `candidate` are ignored.
 */
export async function previewPermissions(db: Reads, roleId: number, candidate: readonly number[], language: Language) {
  const byName = alphabetically(sql.ref('name'), language)
  const { rows } = await sql<Static<typeof RolePermissionsImpact>>`
    with removed as (
      select p.id, p.name from role_permissions rp join permissions p on p.id = rp.permission_id
      where rp.role_id = ${roleId} and rp.permission_id <> all(${candidate}::int[])
    ), groups_holding as (
      select g.id, g.name from group_roles gr join groups g on g.id = gr.group_id where gr.role_id = ${roleId}
    ), holders as (
      select user_id from user_roles where role_id = ${roleId} and ${isOfPerson}
      union
      select user_id from group_users join groups_holding g on g.id = group_id where ${isOfPerson}
    ), granting as (
      select rp.role_id, rp.permission_id from role_permissions rp join removed on removed.id = rp.permission_id
      where rp.role_id <> ${roleId}
    ), kept as (
      select user_id, permission_id from holders join user_roles using (user_id) join granting using (role_id)
      union
      select user_id, permission_id
      from holders join group_users using (user_id) join group_roles using (group_id) join granting using (role_id)
    ), keepers as (
      select permission_id, count(*) from kept group by permission_id
    ), unharmed as (
      select user_id from kept group by user_id having count(*) = (select count(*) from removed)
    )
    select
      (select coalesce(json_agg(json_build_object(
          'permissionId', id,
          'permissionName', name,
          'userCount', (select count(*) from holders) - coalesce(keepers.count, 0),
          'groupCount', (select count(*) from groups_holding),
          'groups', (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by ${byName}, id), '[]') from groups_holding)
        ) order by ${byName}), '[]')
       from removed left join keepers on keepers.permission_id = removed.id) as removed,
      case when exists (select from removed)
        then (select count(*) from holders) - (select count(*) from unharmed) else 0 end as total_affected_users`.execute(db)
  return rows[0]!
}
