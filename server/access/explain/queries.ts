import { type RawBuilder, sql } from 'kysely'
import { nameAsListed } from '../../people/users/queries.ts'
import type { Reads } from '../../platform/database/db.ts'
import { personJson } from '../../platform/database/json.ts'
import { alphabetically, searchPattern } from '../../platform/database/search.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { Page } from '../../platform/http/page.ts'
import type { Language } from '../../platform/tables.ts'
import { keysOf } from '../../work/apps/rules.ts'
import type { HeldPermission, HeldRole, Holdings, Lock, Ref } from './rules.ts'

/** Limits a read to these roles, permissions and groups. Reads without it return all holdings. */
interface Wanted {
  roles: readonly number[]
  permissions: readonly number[]
  groups: readonly number[]
}

/** SQL: the roles of these people, one row for each way in which they hold a role; with `wanted`, only its roles. */
const heldRoles = (people: readonly number[], wanted?: Wanted) => sql`
  select user_id, role_id, group_id, expires_at from held_roles
  where user_id = any(${people}::int[]) ${wanted ? sql`and role_id = any(${wanted.roles}::int[])` : sql``}`

type Of<Row> = Row & { userId: number }
interface HeldBy extends Ref {
  groupId: number | null
  groupName: string | null
  expiresAt: Date | null
}
const groupOf = ({ groupId: id, groupName: name }: HeldBy) => (id === null ? null : { id, name: name! })

/** The holdings of each of these people, by the person’s id: all or, with `wanted`, only those. People who do not exist are left out. */
async function readHoldings(db: Reads, people: readonly number[], language: Language, wanted?: Wanted) {
  const byName = (column: string) => alphabetically(sql.ref(column), language)
  const byGroup = sql`held.group_id is not null, ${byName('groups.name')}, held.group_id`
  const { rows: persons } = await sql<{ id: number; isActive: boolean }>`
    select id, is_active from users where id = any(${people}::int[]) and kind = 'person'`.execute(db)
  const { rows: roles } = await sql<Of<HeldBy>>`
    select user_id, roles.id, roles.name, held.group_id, groups.name as group_name, expires_at
    from (${heldRoles(people, wanted)}) as held join roles on roles.id = role_id left join groups on groups.id = held.group_id
    order by ${byName('roles.name')}, ${byGroup}`.execute(db)
  const { rows: permissions } = await sql<Of<HeldBy> & { roleId: number; roleName: string }>`
    select user_id, permissions.id, permissions.name, role_id, roles.name as role_name, held.group_id, groups.name as group_name, expires_at
    from (${heldRoles(people, wanted)}) as held join roles on roles.id = role_id join role_permissions using (role_id)
      join permissions on permissions.id = permission_id left join groups on groups.id = held.group_id
    ${wanted ? sql`where permission_id = any(${wanted.permissions}::int[])` : sql``}
    order by ${byName('permissions.name')}, ${byName('roles.name')}, ${byGroup}`.execute(db)
  const { rows: groups } = await sql<Of<Ref & { expiresAt: Date | null }>>`
    select user_id, groups.id, groups.name, expires_at from group_users join groups on groups.id = group_id
    where user_id = any(${people}::int[]) ${wanted ? sql`and group_id = any(${wanted.groups}::int[])` : sql``}
    order by ${byName('groups.name')}, groups.id`.execute(db)

  const holdings = new Map(
    persons.map(({ id, isActive }) => [
      id,
      { isActive, roles: [] as HeldRole[], permissions: [] as HeldPermission[], groups: [] as (Ref & { expiresAt: Date | null })[] },
    ]),
  )
  for (const { userId, id, name, ...by } of roles)
    holdings.get(userId)?.roles.push({ id, name, group: groupOf({ id, name, ...by }), expiresAt: by.expiresAt })
  for (const { userId, roleId, roleName, ...one } of permissions)
    holdings.get(userId)?.permissions.push({
      id: one.id,
      name: one.name,
      role: { id: roleId, name: roleName },
      group: groupOf(one),
      expiresAt: one.expiresAt,
    })
  for (const { userId, ...group } of groups) holdings.get(userId)?.groups.push(group)
  return holdings as ReadonlyMap<number, Holdings>
}

/** Refuses `not_found`. */
export const readHoldingsOf = async (db: Reads, userId: number, language: Language) =>
  (await readHoldings(db, [userId], language)).get(userId) ?? refuse('not_found')

const refsIn = (rows: RawBuilder<unknown>, language: Language) => sql<Ref[]>`
  (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by ${alphabetically(sql.ref('name'), language)}, id), '[]')
   from ${rows} where app_id = apps.id)`

const appsWithLocks = (db: Reads, language: Language) =>
  db
    .selectFrom('apps')
    .select(['apps.id', 'slug', 'nameAr', 'nameEn', 'isActive'])
    .select([
      refsIn(sql`app_permissions join permissions on permissions.id = permission_id`, language).as('permissions'),
      refsIn(sql`group_apps join groups on groups.id = group_id`, language).as('groups'),
    ])

/** The active apps, in the default order of a launcher. */
export const listActiveApps = (db: Reads, language: Language) =>
  appsWithLocks(db, language).where('isActive', '=', true).orderBy('sortOrder').orderBy('apps.id').execute()

/** Refuses `not_found`. */
export const readLock = async (db: Reads, appId: number, language: Language) =>
  (await appsWithLocks(db, language).where('apps.id', '=', appId).executeTakeFirst()) ?? refuse('not_found')

interface Found {
  id: number
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
  avatarUrl: string | null
  isActive: boolean
}

/** A page of the people `u` who meet the condition `isMeant`, sorted by their names in the reader’s language. */
async function pagePeople(db: Reads, isMeant: RawBuilder<unknown>, { q, ...page }: Page & { q?: string }, language: Language) {
  const pattern = q ? await searchPattern(db, q) : null
  const { rows } = await sql<{ count: number; people: Found[] }>`
    with found as materialized (
        select u.id, ${sql.raw(nameAsListed[language])} as name from users as u
        where u.kind = 'person' and ${isMeant} ${pattern === null ? sql`` : sql`and u.search like ${pattern}`}),
      page as (select * from found order by name, id limit ${page.limit!} offset ${page.offset!})
    select (select count(*) from found) as count,
      (select coalesce(json_agg(${sql.raw(personJson('u', { isActive: 'u.is_active' }))} order by page.name, id), '[]')
       from page join users as u using (id)) as people`.execute(db)
  const [{ count, people }] = rows as [(typeof rows)[number]]
  return { people, count, page }
}

const idsOf = (refs: readonly { id: number }[]) => refs.map(({ id }) => id)

/** Everything that shows an app: its permissions, the roles that grant one of them, the role `admin`, and its groups. */
async function keysTo(db: Reads, { id, permissions, groups }: App): Promise<Wanted> {
  const { rows } = await sql<{ id: number }>`
    select distinct role_id as id from app_openings where app_id = ${id} and role_id is not null`.execute(db)
  return { roles: idsOf(rows), permissions: idsOf(permissions), groups: idsOf(groups) }
}

interface App extends Lock {
  id: number
}
/** A page of the people who see the app, each with the keys that they hold. */
export async function pageViewers(db: Reads, app: App, query: Page & { q?: string }, language: Language) {
  const wanted = await keysTo(db, app)
  // For an open app, listing all active people is faster than finding a reason for each.
  const isOpen = keysOf(app).some(({ via }) => via === 'unrestricted')
  const isViewer = isOpen ? sql`u.is_active` : sql`u.id in (select user_id from access_reasons where app_id = ${app.id})`
  const { people, count, page } = await pagePeople(db, isViewer, query, language)
  const holdings = await readHoldings(db, idsOf(people), language, wanted)
  return { viewers: people.map((user) => ({ user, holdings: holdings.get(user.id)! })), count, page }
}

/**
 * A page of the people who hold a role directly or, with `effective`, also through a group, each with all the ways in which they hold it.
 * Refuses `not_found`.
 */
export async function pageHolders(
  db: Reads,
  roleId: number,
  { effective, ...query }: Page & { q?: string; effective?: boolean },
  language: Language,
) {
  if (!(await db.selectFrom('roles').select('id').where('id', '=', roleId).executeTakeFirst())) refuse('not_found')
  const isHolder = sql`u.id in (select user_id from held_roles where role_id = ${roleId} ${effective ? sql`` : sql`and group_id is null`})`
  const { people, count, page } = await pagePeople(db, isHolder, query, language)
  const holdings = await readHoldings(db, idsOf(people), language, { roles: [roleId], permissions: [], groups: [] })
  const holders = people.map(({ isActive, ...user }) => ({ user, isActive, roles: holdings.get(user.id)!.roles }))
  return { holders, count, page }
}
