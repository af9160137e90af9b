import { sql } from 'kysely'
import type { Reads } from '../platform/database/db.ts'
import { alphabetically } from '../platform/database/search.ts'
import { refuse } from '../platform/refusal.ts'
import type { Language } from '../tables.ts'
import type { HeldPermission, HeldRole, Holdings } from './rules.ts'

/** A person's roles, once for each way they are held; held directly first. */
const heldRoles = (userId: number) => sql`
  select role_id, null::text as group_name from user_roles where user_id = ${userId}
  union all
  select role_id, groups.name from group_users
  join groups on groups.id = group_id join group_roles using (group_id) where user_id = ${userId}`

/** Refuses `not_found`. */
export async function readHoldings(db: Reads, userId: number, language: Language): Promise<Holdings> {
  const person = await db.selectFrom('users').select('isActive').where('id', '=', userId).executeTakeFirst()
  const { isActive } = person ?? refuse('not_found')
  const byName = (column: string) => alphabetically(sql.ref(column), language)
  const roles = await sql<HeldRole>`
    select id, name, group_name from (${heldRoles(userId)}) as held join roles on roles.id = role_id
    order by ${byName('name')}, group_name is not null, ${byName('group_name')}`.execute(db)
  const permissions = await sql<HeldPermission>`
    select permissions.id, permissions.name, roles.name as role_name, group_name
    from (${heldRoles(userId)}) as held
    join roles on roles.id = role_id join role_permissions using (role_id) join permissions on permissions.id = permission_id
    order by ${byName('permissions.name')}, ${byName('roles.name')}, group_name is not null, ${byName('group_name')}`.execute(db)
  const groups = await db
    .selectFrom('groupUsers')
    .innerJoin('groups', 'groups.id', 'groupUsers.groupId')
    .select('name')
    .where('userId', '=', userId)
    .orderBy(byName('name'))
    .execute()
  return { isActive, roles: roles.rows, permissions: permissions.rows, groupNames: groups.map(({ name }) => name) }
}

const appsWithLocks = (db: Reads, language: Language) =>
  db
    .selectFrom('apps')
    .select(['apps.id', 'slug', 'nameAr', 'nameEn', 'isActive'])
    .select([
      sql<string[]>`array(select name from app_permissions join permissions on permissions.id = permission_id
        where app_id = apps.id order by ${alphabetically(sql.ref('name'), language)})`.as('permissions'),
      sql<string[]>`array(select name from group_apps join groups on groups.id = group_id
        where app_id = apps.id order by ${alphabetically(sql.ref('name'), language)})`.as('groups'),
    ])

/** The active apps, in the default order of a launcher. */
export const listActiveApps = (db: Reads, language: Language) =>
  appsWithLocks(db, language).where('isActive', '=', true).orderBy('sortOrder').orderBy('apps.id').execute()

/** Refuses `not_found`. */
export const readLock = async (db: Reads, appId: number, language: Language) =>
  (await appsWithLocks(db, language).where('apps.id', '=', appId).executeTakeFirst()) ?? refuse('not_found')
