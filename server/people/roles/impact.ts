/** The permissions that people would lose if a role had another set of permissions. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { isOfPerson } from '../../platform/auth/held.ts'
import { inPlan } from '../../platform/auth/planned.ts'
import { inSnapshot, type Reads } from '../../platform/database/db.ts'
import { alphabetically } from '../../platform/database/search.ts'
import type { Language } from '../../platform/tables.ts'
import { permissionIdsOf } from './queries.ts'
import type { RolePermissionsImpact } from './shapes.ts'

/**
 * A person loses a permission when none of their roles, held directly or through a group, still grants it; inactive people count as well.
 * Unknown ids in `candidate` are ignored.
 */
export const previewPermissions = (db: Reads, roleId: number, candidate: readonly number[], language: Language) =>
  inSnapshot(db, async (snapshot) => {
    const removed = (await permissionIdsOf(snapshot, roleId)).filter((id) => !candidate.includes(id))
    const plan = { role_permissions: { taken: removed.map((id) => [roleId, id] as const) } }
    return inPlan(snapshot, plan, () => countLosers(snapshot, roleId, removed, language))
  })

async function countLosers(db: Reads, roleId: number, removedIds: readonly number[], language: Language) {
  const byName = alphabetically(sql.ref('name'), language)
  const { rows } = await sql<Static<typeof RolePermissionsImpact>>`
    with removed as (
      select id, name from permissions where id = any(${removedIds}::int[])
    ), groups_holding as (
      select g.id, g.name from group_roles gr join groups g on g.id = gr.group_id where gr.role_id = ${roleId}
    ), holders as (
      select distinct user_id from held_roles where role_id = ${roleId} and ${isOfPerson}
    ), kept as (
      select distinct user_id, permission_id
      from planned.role_permissions join removed on removed.id = permission_id join planned.held_roles using (role_id)
        join holders using (user_id)
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
