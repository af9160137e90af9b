/** The reads of a preview, all in one snapshot. */
import { type RawBuilder, sql } from 'kysely'
import { isOfPerson } from '../../platform/auth/held.ts'
import { readEdition } from '../../platform/auth/sessions.ts'
import type { Reads } from '../../platform/database/db.ts'
import { perRun } from '../../platform/database/runs.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { App, Grants, Role } from './grants.ts'
import { Links } from './links.ts'
import type { Profile } from './people.ts'
import type { KnownPeople, PeopleLinks, Planned, Step } from './plan.ts'
import type { Crowd, Keys, Move, PeopleMoves } from './reach.ts'

interface Pair {
  one: number
  other: number
}
async function readLinks(db: Reads, table: string, [one, other]: ['group' | 'role' | 'app', 'role' | 'app' | 'permission']) {
  const { rows } =
    await sql<Pair>`select ${sql.ref(`${one}_id`)} as one, ${sql.ref(`${other}_id`)} as other from ${sql.table(table)}`.execute(db)
  return Links.between(
    one,
    other,
    rows.map((row) => [row.one, row.other] as const),
  )
}

const byId = <Row extends { id: number }>(rows: Row[]) => new Map(rows.map((row) => [row.id, row]))

async function readGrants(db: Reads): Promise<Grants> {
  const roles: Role[] = await db
    .selectFrom('roles')
    .select(['id', 'name', 'descriptionAr', 'descriptionEn', 'isSystem'])
    .orderBy('name')
    .execute()
  const apps: App[] = await db
    .selectFrom('apps')
    .select(['id', 'slug', 'nameAr', 'nameEn', 'isActive'])
    .orderBy('sortOrder')
    .orderBy('id')
    .execute()
  return {
    roles: byId(roles),
    apps: byId(apps),
    groups: byId(await db.selectFrom('groups').select(['id', 'name', 'isSystem']).execute()),
    permissions: byId(await db.selectFrom('permissions').select(['id', 'name', 'isSystem']).execute()),
    adminRole: roles.find(({ name }) => name === 'admin')!.id,
    groupRoles: await readLinks(db, 'group_roles', ['group', 'role']),
    groupApps: await readLinks(db, 'group_apps', ['group', 'app']),
    rolePermissions: await readLinks(db, 'role_permissions', ['role', 'permission']),
    appPermissions: await readLinks(db, 'app_permissions', ['app', 'permission']),
  }
}

/** The grants of the newest edition that was read. */
const shelfOf = perRun((): { newest: { edition: number; grants: Grants } | null } => ({ newest: null }))

/** The grants that a snapshot of `db` has, read once per edition. */
export async function grantsIn(db: Reads, snapshot: Reads) {
  const edition = await readEdition(snapshot)
  const shelf = shelfOf(db)
  if (shelf.newest?.edition === edition) return shelf.newest.grants
  const grants = await readGrants(snapshot)
  if (edition > (shelf.newest?.edition ?? 0)) shelf.newest = { edition, grants }
  return grants
}

/** SQL: a list of ids as one text, because the driver would check each number of an array for quotes. */
const list = (ids: Iterable<number>) => sql`${`{${[...ids].join()}}`}::int[]`

/** The changed people who exist, and the named people who do not. */
export async function readKnown(db: Reads, changed: number[], named: number[]): Promise<KnownPeople> {
  const { rows } = await sql<{ id: number; isActive: boolean }>`
    select id, is_active from users where id = any(${list(changed)}) and kind = 'person'`.execute(db)
  const unknown = named.length
    ? await sql<{ id: number }>`
        select named.id from unnest(${list(named)}) as named (id) left join users on users.id = named.id where users.id is null`.execute(db)
    : { rows: [] }
  return { changed: byId(rows), unknown: new Set(unknown.rows.map(({ id }) => id)) }
}

/** The most links that one plan may add and remove, together. Replacing all 100,000 members of the largest possible group moves 200,000. */
const MOST_MOVES = 300_000

const tables = {
  userRoles: { table: sql.table('user_roles'), other: sql.ref('role_id') },
  groupUsers: { table: sql.table('group_users'), other: sql.ref('group_id') },
}

/**
 * SQL: whether a whole set of people removes an account that is not in it. Service accounts stay unless the owner of the set is deleted.
 */
const takesThem = sql`(is_gone or ${isOfPerson})`

/** SQL: a step with a whole set also removes the links of its owner that other steps name, except those in the set. */
const contradictions = sql`
  union all
  select line.user_id, line.other_id, step.place, false
  from line join step on step.owner = line.user_id and step.place <> line.place where is_whole and is_of_user
  union all
  select line.user_id, line.other_id, step.place, false
  from line join step on step.owner = line.other_id and step.place <> line.place where is_whole and not is_of_user and ${takesThem}`

/** Leaves out the steps that a later set of the same owner replaces, because they could cause very many contradictions. */
function effective(steps: readonly Step[]) {
  const replaced = new Set<string>()
  return steps.toReversed().filter(({ isOfUser, owner, isWhole }) => {
    const side = `${isOfUser} ${owner}`
    if (replaced.has(side)) return false
    if (isWhole) replaced.add(side)
    return true
  })
}

/** The links that steps add and remove. The last step about a link decides. Refuses `too_large`. */
export async function readMoves(db: Reads, links: PeopleLinks, steps: readonly Step[]): Promise<Move[]> {
  const { table, other } = tables[links]
  const own = effective(steps.filter((step) => step.links === links))
  if (own.length === 0) return []
  const each = <T>(of: (step: Step) => T) => own.map(of)
  const lines = own.flatMap(({ place, added, removed }) => [
    ...added.map((id) => ({ place, id, isAdded: true })),
    ...removed.map((id) => ({ place, id, isAdded: false })),
  ])
  const { rows } = await sql<Move>`
    with step as materialized (
      select * from unnest(${list(each(({ place }) => place))}, ${list(each(({ owner }) => owner))},
        ${each(({ isOfUser }) => isOfUser)}::boolean[], ${each(({ isWhole }) => isWhole)}::boolean[],
        ${each(({ isGone }) => isGone)}::boolean[]) as step (place, owner, is_of_user, is_whole, is_gone)
    ), line as materialized (
      select place, is_added, case when is_of_user then owner else id end as user_id, case when is_of_user then id else owner end as other_id
      from unnest(${list(lines.map(({ place }) => place))}, ${list(lines.map(({ id }) => id))},
        ${lines.map(({ isAdded }) => isAdded)}::boolean[]) as line (place, id, is_added) join step using (place)
    ), said as (
      select user_id, other_id, place, is_added from line
      union all
      select l.user_id, l.${other}, place, false from step join ${table} as l on l.user_id = owner where is_whole and is_of_user
      union all
      select l.user_id, l.${other}, place, false from step join ${table} as l on l.${other} = owner where is_whole and not is_of_user and ${takesThem}
      ${own.length > 1 ? contradictions : sql``}
    ), last as (
      select distinct on (user_id, other_id) user_id, other_id, is_added from said order by user_id, other_id, place desc, is_added desc
    )
    select last.* from last left join ${table} as l on l.user_id = last.user_id and l.${other} = last.other_id
    where is_added <> (l.user_id is not null) limit ${MOST_MOVES + 1}`.execute(db)
  return rows.length > MOST_MOVES ? refuse('too_large') : rows
}

/** How many people are direct holders of a role after `steps`. Only the parts of the steps about this role are sent. */
export async function countHolders(db: Reads, roleId: number, steps: readonly Step[]) {
  const held = db.selectFrom('userRoles').select(sql<number>`count(*)`.as('count')).where('roleId', '=', roleId).where(isOfPerson)
  const only = (ids: readonly number[]) => (ids.includes(roleId) ? [roleId] : [])
  const own = steps.flatMap((step) => {
    if (!step.isOfUser) return step.owner === roleId ? [step] : []
    return [{ ...step, added: only(step.added), removed: only(step.removed) }]
  })
  const moves = (await readMoves(db, 'userRoles', own)).filter(({ otherId }) => otherId === roleId)
  const ids = list(new Set(moves.map(({ userId }) => userId)))
  const people = db.selectFrom('users').select('id').where('kind', '=', 'person').where('id', '=', sql<number>`any(${ids})`)
  const isPerson = new Set((await people.execute()).map(({ id }) => id))
  return moves
    .filter(({ userId }) => isPerson.has(userId))
    .reduce((count, { isAdded }) => count + (isAdded ? 1 : -1), (await held.executeTakeFirstOrThrow()).count)
}

/** SQL: moves in one direction, as a relation `(user_id, other_id)`. */
function pairs(moves: readonly Move[], isAdded: boolean) {
  const some = moves.filter((move) => move.isAdded === isAdded)
  return sql`unnest(${list(some.map(({ userId }) => userId))}, ${list(some.map(({ otherId }) => otherId))})`
}

/** SQL: the ids among these that each of `people` is linked with, before and after: `(user_id, had, has)`. */
const sidesOf = (links: PeopleLinks, ids: Iterable<number>, moves: readonly Move[]) => {
  const { table, other } = tables[links]
  return sql`
    select user_id, array_agg(id order by id) filter (where had) as had, array_agg(id order by id) filter (where has) as has
    from (
      select l.user_id, l.${other} as id, true as had, gone.user_id is null as has
      from people join ${table} as l on l.user_id = people.id
      left join ${pairs(moves, false)} as gone (user_id, other_id) on gone.user_id = l.user_id and gone.other_id = l.${other}
      where l.${other} = any(${list(ids)})
      union all
      select user_id, other_id, false, true from ${pairs(moves, true)} as come (user_id, other_id)
    ) as link group by user_id`
}

const isActiveAfter = ({ activated, deactivated }: Planned) =>
  sql`(users.is_active and users.id <> all(${list(deactivated)}) or users.id = any(${list(activated)}))`

/** SQL: whether `users` belongs to a crowd, and is active before a plan or after it. */
function isIn({ isEveryone, userIds, groupIds, roleIds }: Crowd, { activated }: Planned) {
  const some = sql`users.id in (
    select unnest(${list(userIds)})
    union select user_id from group_users where group_id = any(${list(groupIds)})
    union select user_id from user_roles where role_id = any(${list(roleIds)}))`
  return sql<boolean>`users.kind = 'person' and (users.is_active or users.id = any(${list(activated)})) ${isEveryone ? sql`` : sql`and ${some}`}`
}

export const countCrowd = async (db: Reads, crowd: Crowd, planned: Planned) =>
  (await db.selectFrom('users').select(sql<number>`count(*)`.as('count')).where(isIn(crowd, planned)).executeTakeFirstOrThrow()).count

/** From this size, a crowd is joined with its links by hashing. */
const LARGE_CROWD = 1000

/**
 * The roles and groups in `keys` that the people of a crowd hold directly, before and after. Until a group that has just grown is analyzed,
 * PostgreSQL takes it for small, and would compare everyone with everyone in nested loops.
 */
export async function readProfiles(db: Reads, crowd: Crowd, keys: Keys, planned: Planned, moves: PeopleMoves): Promise<Profile[]> {
  const isLarge = (await countCrowd(db, crowd, planned)) >= LARGE_CROWD
  await sql`set local enable_nestloop = ${sql.raw(isLarge ? 'off' : 'on')}`.execute(db)
  const { rows } = await sql<Profile>`
    with people as materialized (
      select users.id, users.is_active as was_active, ${isActiveAfter(planned)} as is_active from users where ${isIn(crowd, planned)}
    ), held as (${sidesOf('userRoles', keys.roleIds, moves.userRoles)}
    ), joined as (${sidesOf('groupUsers', keys.groupIds, moves.groupUsers)})
    select was_active, is_active, coalesce(held.had, '{}') as had_roles, coalesce(held.has, '{}') as has_roles,
      coalesce(joined.had, '{}') as had_groups, coalesce(joined.has, '{}') as has_groups, array_agg(people.id) as user_ids
    from people left join held on held.user_id = people.id left join joined on joined.user_id = people.id
    group by 1, 2, 3, 4, 5, 6`.execute(db)
  return rows
}

/** SQL: which accounts in `users` count as holders of a role. */
const counting = {
  active: isActiveAfter,
  /** Only active people, and only if they hold it without an end. */
  lasting: (planned: Planned) => sql`users.kind = 'person' and ${isActiveAfter(planned)}`,
  /** Only service accounts, even inactive ones. */
  programs: () => sql`users.kind = 'service'`,
}

/** SQL: the accounts that hold one of these roles afterwards, directly or through a group. */
export function holdersAfter(
  planned: Planned,
  roleIds: Iterable<number>,
  moves: PeopleMoves,
  which: keyof typeof counting = 'active',
): RawBuilder<unknown> {
  const roles = [...roleIds]
  const groups = [...new Set(roles.flatMap((role) => [...planned.after.groupRoles.of('role', role)]))]
  const linked = (links: PeopleLinks, ids: number[]) => {
    const { table, other } = tables[links]
    return sql`
      select user_id from ${table} where ${other} = any(${list(ids)}) ${which === 'lasting' ? sql`and expires_at is null` : sql``}
        and (user_id, ${other}) not in (select * from ${pairs(moves[links], false)} as gone (user_id, other_id))
      union all
      select user_id from ${pairs(moves[links], true)} as come (user_id, other_id) where other_id = any(${list(ids)})`
  }
  return sql`
    select users.id from users where ${counting[which](planned)} and users.id in (
      ${linked('userRoles', roles)} union all ${linked('groupUsers', groups)})`
}

/** Whether a relation of accounts has any row. */
export async function anyOf(db: Reads, accounts: RawBuilder<unknown>) {
  const { rows } = await sql<{ found: boolean }>`select exists (${accounts}) as found`.execute(db)
  return rows[0]!.found
}

/** Makes PostgreSQL plan each statement for its actual lists. A generic plan would be slow for large groups. */
export const prepare = (snapshot: Reads) => sql`set local plan_cache_mode = force_custom_plan`.execute(snapshot)
