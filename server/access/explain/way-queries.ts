/** The acts that would show an app to a person, or hide it from them, with the consequences of each. */
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import { inPlan } from '../../platform/auth/planned.ts'
import type { Reads } from '../../platform/database/db.ts'
import type { Language } from '../../platform/tables.ts'
import { listActiveApps, readHoldingsOf, readLock } from './queries.ts'
import { byGroup, byPermission, type Holdings, type NamedApp, type Reason, type Ref, reasonsToSee } from './rules.ts'
import { type AccessWay, MOST_APPS, MOST_WAYS } from './shapes.ts'
import {
  type Act,
  type App,
  actsAgainst,
  byEffect,
  type Ends,
  endsReason,
  type Giving,
  type Granting,
  gateOf,
  openings,
  restingOn,
  sourceOf,
  type Way,
} from './ways.ts'

/** How many permissions are proposed for an app at most. They are few, because counting the people of each takes longest. */
const MOST_PERMISSIONS = 5

const idsOf = (refs: readonly { id: number }[]) => refs.map(({ id }) => id)

interface WayQuery {
  app: App
  apps: readonly (App & NamedApp)[]
  userId: number
  person: Holdings
}

/**
 * The ways to show the app to the person or, if they see it, to hide it from them, in the form of the answer: those with the fewest other
 * consequences. Refuses `not_found`.
 */
export async function findWays(db: Reads, userId: number, appId: number, language: Language): Promise<Static<typeof AccessWay>[]> {
  const person = await readHoldingsOf(db, userId, language)
  const app = await readLock(db, appId, language)
  if (!person.isActive || !app.isActive) return []
  const apps = await listActiveApps(db, language)
  const asked = { app, apps, userId, person }
  const reasons = reasonsToSee(app, person)
  const ways = await (reasons.length ? waysOut(db, asked, reasons) : waysIn(db, asked))
  return describe(db, asked, ways.toSorted(byEffect).slice(0, MOST_WAYS))
}

interface Described extends Ref {
  descriptionAr: string | null
  descriptionEn: string | null
}
type Of = 'role' | 'group' | 'permission'
const refOf = ({ act }: Act) => (act.startsWith('permission') ? 'permission' : act.startsWith('group') ? 'group' : 'role') as Of

/** The ways in the form of the answer, with the names of the roles, groups and permissions in them. */
async function describe(db: Reads, { app, apps, person }: WayQuery, ways: readonly Way[]): Promise<Static<typeof AccessWay>[]> {
  const about = (of: Of) => ways.filter((way) => refOf(way) === of).map(({ of: id }) => id)
  const refs = {
    role: await readRefs(db, 'roles', about('role')),
    group: await readRefs(db, 'groups', about('group')),
    permission: await readRefs(db, 'permissions', about('permission')),
  }
  const opening = await readOpening(db, app, ways)
  const byId = new Map(apps.map(({ id, slug, nameAr, nameEn }) => [id, { id, slug, nameAr, nameEn }]))
  return ways.map((way) => {
    const { act, of, others, people } = way
    const ref = refs[refOf(way)].get(of)!
    return {
      act,
      refs: { role: null, group: null, permission: null, [refOf(way)]: ref },
      reasons: way.ends ?? reasonsThen(way, ref, { app, person, opening }),
      alsoApps: way
        .appIds()
        .slice(0, MOST_APPS)
        .map((id) => byId.get(id)!),
      alsoAppsCount: others,
      alsoPeopleCount: people,
    }
  })
}

const readRefs = async (db: Reads, table: 'roles' | 'groups' | 'permissions', ids: readonly number[]) => {
  const { rows } = await sql<Described>`
    select id, name, description_ar, description_en from ${sql.table(table)} where id = any(${ids}::int[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** A role that grants a permission of the app. `groupId` is the group that gives the role; null if the role is given directly. */
interface Opening {
  groupId: number | null
  role: Ref
  permissionId: number
}

/** The roles through which these ways would give the person a permission for the app. */
async function readOpening(db: Reads, { permissions }: App, ways: readonly Way[]) {
  const about = (kind: Act['act']) => ways.filter(({ act }) => act === kind).map(({ of }) => of)
  const { rows } = await sql<Opening>`
    select group_id, json_build_object('id', roles.id, 'name', roles.name) as role, permission_id
    from (
      select null::int as group_id, id as role_id from roles where id = any(${about('role.add')}::int[])
      union all select group_id, role_id from group_roles where group_id = any(${about('group.member')}::int[])) as given
    join roles on roles.id = role_id join role_permissions using (role_id)
    where permission_id = any(${idsOf(permissions)}::int[]) order by roles.name, role_id`.execute(db)
  return rows
}

/** The reasons by which the person would see the app after an act. */
function reasonsThen(
  { act, of }: Way,
  ref: Ref,
  { app, person, opening }: Pick<WayQuery, 'app' | 'person'> & { opening: readonly Opening[] },
) {
  const permissionIn = (id: number) => app.permissions.find((one) => one.id === id)!
  const opened = (rows: readonly Opening[], group: Ref | null) =>
    rows.map(({ role, permissionId }) => byPermission(permissionIn(permissionId), role, group))
  if (act === 'role.add')
    return opened(
      opening.filter(({ groupId, role }) => groupId === null && role.id === of),
      null,
    )
  if (act === 'permission.app')
    return person.permissions.filter(({ id }) => id === of).map(({ role, group, expiresAt }) => byPermission(ref, role, group, expiresAt))
  const isGranted = act === 'group.app' || app.groups.some(({ id }) => id === of)
  return [
    ...opened(
      opening.filter(({ groupId }) => groupId === of),
      ref,
    ),
    ...(isGranted ? [byGroup(ref)] : []),
  ]
}

async function waysIn(db: Reads, asked: WayQuery): Promise<Way[]> {
  const { app, person } = asked
  const roles = await readGrants(db)
  const granting = roles.filter(({ permissionIds }) => app.permissions.some(({ id }) => permissionIds.includes(id)))
  const groups = await readGiving(db, app.id, idsOf(granting), idsOf(person.groups))
  return [...openings(app, { ...asked, roles, groups }), ...(await wider(db, asked))]
}

/** Every role but `admin`. */
const readGrants = async (db: Reads) =>
  (
    await sql<Granting>`
      select id, array(select permission_id from role_permissions where role_id = roles.id) as permission_ids
      from roles where name <> 'admin'`.execute(db)
  ).rows

/**
 * The groups that are granted the app or give one of the roles. Leaves out the groups in `joined`, system groups, and groups that give the
 * role `admin`.
 */
const readGiving = async (db: Reads, appId: number, roleIds: readonly number[], joined: readonly number[]) =>
  (
    await sql<Giving>`
      with giving as (
        select group_id as id from group_apps where app_id = ${appId}
        union select group_id from group_roles where role_id = any(${roleIds}::int[]))
      select id, array(select role_id from group_roles where group_id = giving.id) as role_ids
      from giving join groups using (id)
      where not is_system and id <> all(${joined}::int[])
        and not exists (select from group_roles join roles on roles.id = role_id where group_id = giving.id and roles.name = 'admin')`.execute(
      db,
    )
  ).rows

const alone = { others: 0, appIds: () => [] }

/**
 * The ways to change the app itself: granting it to one of the person's groups, or adding one of the person's permissions to it. Each
 * counts the other people who would then see the app.
 */
async function wider(db: Reads, { app, userId, person }: WayQuery): Promise<Way[]> {
  const groups = idsOf(person.groups)
  const permissions = await findPermissions(db, sql`permission_id = any(${idsOf(person.permissions)}::int[])`, 'asc')
  const { rows } = await sql<{ act: 'group.app' | 'permission.app'; of: number; people: number }>`
    with others as materialized (
        select id from users where is_active and kind = 'person' and id <> ${userId}
        except select user_id from access_reasons where app_id = ${app.id}),
      holders as (
        select distinct permission_id, user_id from role_permissions join held_roles using (role_id)
        where permission_id = any(${permissions}::int[]))
    select 'group.app' as act, group_id as of, count(others.id) as people
    from group_users left join others on others.id = user_id where group_id = any(${groups}::int[]) group by group_id
    union all
    select 'permission.app', permission_id, count(others.id) from holders left join others on others.id = user_id group by permission_id`.execute(
    db,
  )
  return rows.map((row) => ({ ...row, ...alone }))
}

/** Stands for adding any permission to an app that is open to everyone: the app is then restricted. */
const RESTRICTION: Act = { act: 'permission.app', of: 0 }

async function waysOut(db: Reads, asked: WayQuery, reasons: readonly Reason[]): Promise<Way[]> {
  const { app, apps, person } = asked
  const ends = await endsOf(db, asked, reasons)
  const acts = actsAgainst(ends.map(([one]) => one))
  const resting = restingOn(
    apps.filter(({ id }) => id !== app.id),
    person,
  )
  const restrictions = acts.some(({ of }) => of === RESTRICTION.of)
    ? await findPermissions(db, sql`permission_id <> all(${idsOf(person.permissions)}::int[])`, 'desc')
    : []
  const all = acts.flatMap((act) => (act.of === RESTRICTION.of ? restrictions.map((of) => ({ ...act, of })) : [act]))
  const losers = await countLosers(db, asked, all)
  return all.map((act, n) => {
    const lost = resting(act)
    const isEnded = endsReason(act.act === 'permission.app' ? RESTRICTION : act)
    const ended = ends.filter(([one]) => isEnded(one)).map(([, reason]) => reason)
    return { ...act, others: lost.length, appIds: () => lost, people: losers[n]!, ends: ended }
  })
}

/**
 * The acts that would end each reason. Nobody can leave a group that contains everyone. If the person has all permissions of the app, none
 * is taken from it: without any, the app would be open to everyone.
 */
async function endsOf(db: Reads, { app, person }: WayQuery, reasons: readonly Reason[]): Promise<[Ends, Reason][]> {
  const { rows } = await sql<{ id: number }>`select id from groups where is_system`.execute(db)
  const fixed = new Set(idsOf(rows))
  const held = new Set(idsOf(person.permissions))
  const staysRestricted = app.permissions.some(({ id }) => !held.has(id))
  return reasons.map((reason) => {
    if (reason.via === 'unrestricted') return [[null, RESTRICTION], reason]
    const [source, gate] = [sourceOf(reason), gateOf(reason)]
    const isFixed = source?.act === 'group.member.remove' && fixed.has(source.of)
    const isLast = gate?.act === 'permission.app.remove' && !staysRestricted
    return [[isFixed ? null : source, isLast ? null : gate], reason]
  })
}

/**
 * Of the permissions that meet the condition `which` and that some role grants, the `MOST_PERMISSIONS` with roughly the fewest holders
 * (`asc`) or the most (`desc`).
 */
async function findPermissions(db: Reads, which: RawBuilder<unknown>, order: 'asc' | 'desc') {
  const { rows } = await sql<{ id: number }>`
    with members as (select group_id, count(*) from group_users group by group_id),
      holders as (
        select role_id, count(*) from user_roles group by role_id
        union all select role_id, sum(count) from group_roles join members using (group_id) group by role_id)
    select permission_id as id from role_permissions left join holders using (role_id)
    where ${which} group by permission_id order by coalesce(sum(count), 0) ${sql.raw(order)}, id limit ${MOST_PERMISSIONS}`.execute(db)
  return idsOf(rows)
}

/** How many other people would lose the app by each act, in the order of `acts`; 0 for an act that does not change the app. */
async function countLosers(db: Reads, { app, userId }: WayQuery, acts: readonly Act[]) {
  const restrictions = acts.filter(({ act }) => act === 'permission.app').map(({ of }) => of)
  const losers = new Map<string, number>(restrictions.length ? await countRestricted(db, app.id, userId, restrictions) : [])
  const isRestricted = app.permissions.length > 0
  if (isRestricted && acts.some(({ act }) => act.includes('.app.')))
    for (const [act, count] of await countDependent(db, app.id, userId)) losers.set(act, count)
  return acts.map(({ act, of }) => losers.get(`${act} ${of}`) ?? 0)
}

/** For an app that is open to everyone, how many people would lose it if it required each of these permissions. */
async function countRestricted(db: Reads, appId: number, userId: number, permissions: readonly number[]) {
  const { rows: everyone } = await sql<{ count: number }>`
    select count(*) from users where is_active and kind = 'person' and id <> ${userId}`.execute(db)
  const counts: [act: string, count: number][] = []
  for (const id of permissions) {
    const { rows } = await inPlan(db, { app_permissions: { added: [[appId, id]] } }, (snapshot) =>
      sql<{ count: number }>`
        select count(distinct user_id) from planned.access_reasons where app_id = ${appId} and user_id <> ${userId}`.execute(snapshot),
    )
    counts.push([`permission.app ${id}`, everyone[0]!.count - rows[0]!.count])
  }
  return counts
}

/**
 * The number of other people who see the app only through one of its permissions or groups, by the act that would withdraw that permission
 * or group.
 */
async function countDependent(db: Reads, appId: number, userId: number) {
  const { rows } = await sql<{ act: string; count: number }>`
    with ways as (
        select distinct user_id, case via
          when 'permission' then 'permission.app.remove ' || permission_id when 'group' then 'group.app.remove ' || group_id else via end as act
        from access_reasons where app_id = ${appId} and user_id <> ${userId}),
      dependent as (select min(act) as act from ways group by user_id having count(*) = 1)
    select act, count(*) from dependent where act <> 'admin' group by act`.execute(db)
  return rows.map(({ act, count }) => [act, count] as const)
}
