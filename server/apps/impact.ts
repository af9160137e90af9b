/** How many people would lose an app if it required other permissions, counted by the database. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Reads } from '../platform/database/db.ts'
import { alphabetically } from '../platform/database/search.ts'
import type { Language } from '../tables.ts'
import type { AppPermissionsImpact } from './shapes.ts'

/**
 * Counts active people who are not administrators: those who see the app, and those of them who would lose it. Members of a group
 * that grants the app always keep it; nobody sees an inactive app.
 */
export async function previewPermissions(db: Reads, appId: number, candidate: readonly number[], language: Language) {
  const { rows } = await sql<Static<typeof AppPermissionsImpact>>`
    with current as (
      select permission_id from app_permissions where app_id = ${appId}
    ), wanted as (
      select distinct permission_id from unnest(${candidate}::int[]) as permission_id
    ), granted as (
      select g.id, g.name from group_apps ga join groups g on g.id = ga.group_id where ga.app_id = ${appId}
    ), people as (
      select ids.asked, viewers.id
      from (values
        ('now', array(select permission_id from current)),
        ('later', array(select permission_id from wanted))) as ids (asked, permissions)
      cross join lateral app_viewers(ids.permissions, array(select id from granted)) as viewers (id)
      where exists (select from apps where id = ${appId} and is_active)
    ), admins as (
      select user_id from effective_roles where role_id = (select id from roles where name = 'admin')
    ), now as (
      select id from people where asked = 'now' except select user_id from admins
    )
    select
      (select count(*) from (select id from now except select id from people where asked = 'later') as losing) as affected_user_count,
      (select count(*) from now) as currently_visible_user_count,
      (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by ${alphabetically(sql.ref('name'), language)}, id), '[]')
       from granted) as groups,
      not exists (select from current full join wanted using (permission_id)
                  where current.permission_id is null or wanted.permission_id is null) as no_change`.execute(db)
  return rows[0]!
}
