/** The number of people who would lose an app if it required other permissions. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { inPlan } from '../../platform/auth/planned.ts'
import { inSnapshot, type Reads } from '../../platform/database/db.ts'
import { alphabetically } from '../../platform/database/search.ts'
import { hasMoved, movesBetween } from '../../platform/database/sets.ts'
import type { Language } from '../../platform/tables.ts'
import { linksOf } from './queries.ts'
import type { AppPermissionsImpact } from './shapes.ts'

/** Counts the non-administrators who see the app, and those of them who would lose it. */
export const previewPermissions = (db: Reads, appId: number, candidate: readonly number[], language: Language) =>
  inSnapshot(db, async (snapshot) => {
    const moves = movesBetween((await linksOf(snapshot, appId)).permissionIds, candidate)
    const pairs = (ids: readonly number[]) => ids.map((id) => [appId, id] as const)
    const plan = { app_permissions: { taken: pairs(moves.removed), added: pairs(moves.added) } }
    const counts = await inPlan(snapshot, plan, () => countLosers(snapshot, appId, language))
    return { ...counts, noChange: !hasMoved(moves) }
  })

async function countLosers(db: Reads, appId: number, language: Language) {
  const { rows } = await sql<Omit<Static<typeof AppPermissionsImpact>, 'noChange'>>`
    with seeing as materialized (
      select user_id from access_reasons where app_id = ${appId}
      except
      select user_id from held_roles where role_id = (select id from roles where name = 'admin')
    )
    select
      (select count(*) from (
        select user_id from seeing except select user_id from planned.access_reasons where app_id = ${appId}) as losing) as affected_user_count,
      (select count(*) from seeing) as currently_visible_user_count,
      (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by ${alphabetically(sql.ref('name'), language)}, id), '[]')
       from group_apps join groups on groups.id = group_id where app_id = ${appId}) as groups`.execute(db)
  return rows[0]!
}
