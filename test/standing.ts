/** The rights of people according to the database, and the changes between two moments in the form of a preview. */
import { isDeepStrictEqual } from 'node:util'
import type { TestPortal } from './portal.ts'

interface Person {
  id: number
  isActive: boolean
  isAdmin: boolean
  roles: number[]
  apps: number[]
  sessions: number
}
type Links = Record<string, [number, number][]>
export interface Standing {
  /** Only active people. */
  people: Map<number, Person>
  links: Links
  apps: Record<number, boolean>
  orders: { id: number; assignedTo: number | null }[]
  receivers: number[]
  records: number
}

export async function standingOf(portal: TestPortal): Promise<Standing> {
  const [found] = await portal.sql<Omit<Standing, 'people'> & { people: Person[] }>(`
    with keys as materialized (select app_id, role_id, group_id from app_openings),
    seen as (
      select distinct u.id as user_id, keys.app_id from users u join keys on
        keys.role_id is null and keys.group_id is null
        or exists (select from effective_roles er where er.user_id = u.id and er.role_id = keys.role_id)
        or exists (select from group_users gu where gu.user_id = u.id and gu.group_id = keys.group_id))
    select
      (select json_agg(json_build_object('id', id, 'isActive', is_active,
          'roles', array(select role_id from effective_roles where user_id = users.id order by 1),
          'isAdmin', exists (select from effective_roles join roles on roles.id = role_id where user_id = users.id and name = 'admin'),
          'apps', array(select app_id from seen where user_id = users.id order by 1),
          'sessions', (select count(*) from sessions where user_id = users.id and ended_at is null and expires_at > now())))
       from users where is_active) as people,
      json_build_object(
        'user_roles', (select coalesce(json_agg(array[user_id, role_id] order by user_id, role_id), '[]') from user_roles),
        'group_users', (select coalesce(json_agg(array[group_id, user_id] order by group_id, user_id), '[]') from group_users),
        'group_roles', (select coalesce(json_agg(array[group_id, role_id] order by group_id, role_id), '[]') from group_roles),
        'group_apps', (select coalesce(json_agg(array[group_id, app_id] order by group_id, app_id), '[]') from group_apps),
        'role_permissions', (select coalesce(json_agg(array[role_id, permission_id] order by role_id, permission_id), '[]') from role_permissions),
        'app_permissions', (select coalesce(json_agg(array[app_id, permission_id] order by app_id, permission_id), '[]') from app_permissions)) as links,
      (select coalesce(json_object_agg(id, is_active), '{}') from apps) as apps,
      (select coalesce(json_agg(json_build_object('id', id, 'assignedTo', assigned_to) order by id), '[]') from orders) as orders,
      active_holders('orders.receive') as receivers,
      (select (select count(*) from users) + (select count(*) from groups) + (select count(*) from roles)
        + (select count(*) from permissions))::int as records`)
  return { ...found!, people: new Map(found!.people.map((person) => [person.id, person])) }
}

const without = (some: readonly number[], others: readonly number[] = []) => some.filter((one) => !others.includes(one))

/** The rights of each active person at one moment that they lack at another; people without a difference are left out. */
function lacking({ people }: Standing, other: Standing) {
  const found = [...people.values()].map(({ id, roles, apps }) => {
    const then = other.people.get(id)
    return { id, roles: without(roles, then?.roles), apps: without(apps, then?.apps) }
  })
  return found.filter(({ roles, apps }) => roles.length + apps.length)
}

interface Named {
  kind: string
  id: number
}
/** The ids of the people whom the changed records affect at any of the moments, found as plainly as possible. */
function concernedBy(moments: Standing[], changed: Named[]) {
  const people = moments.flatMap((moment) => [...moment.people.values()])
  const linked = (table: string, side: 0 | 1, id: number) =>
    moments.flatMap(({ links }) => links[table]!.filter((pair) => pair[side] === id).map((pair) => pair[1 - side]!))
  const holders = (role: number) => people.filter(({ roles }) => roles.includes(role))
  const viewers = (app: number) => people.filter(({ apps }) => apps.includes(app))
  const some = changed.flatMap(({ kind, id }): { id: number }[] => {
    if (kind === 'user') return people.filter((person) => person.id === id)
    if (kind === 'group') return linked('group_users', 0, id).flatMap((user) => people.filter((person) => person.id === user))
    if (kind === 'role') return holders(id)
    if (kind === 'app') return viewers(id)
    return [...linked('role_permissions', 1, id).flatMap(holders), ...linked('app_permissions', 1, id).flatMap(viewers)]
  })
  return new Set(some.map(({ id }) => id))
}

interface Gain {
  user: { id: number }
  roles: { id: number }[]
  apps: { id: number }[]
  keeps: { app: { id: number }; via: object }[]
}
export type Preview = Record<'loses' | 'gains' | 'keeps', Gain[]> & {
  keepsCount: number
  ordersReturned: { orderId: number }[]
  becomesAdmin: { id: number }[]
  self: { losesAdmin: boolean }
}
const idsOf = (some: { id: number }[]) => some.map(({ id }) => id).toSorted((one, other) => one - other)
const byId = <T extends { id: number }>(some: T[]) => some.toSorted((one, other) => one.id - other.id)
const named = (gains: Gain[]) => byId(gains.map(({ user, roles, apps }) => ({ id: user.id, roles: idsOf(roles), apps: idsOf(apps) })))

/** A preview with ids in place of records, without `keeps` and `keepsCount`. */
export const inShort = ({ loses, gains, keeps: _, keepsCount: __, ordersReturned, becomesAdmin, self, ...rest }: Preview) => ({
  ...rest,
  loses: named(loses),
  gains: named(gains),
  ordersReturned: ordersReturned.map(({ orderId }) => orderId),
  becomesAdmin: idsOf(becomesAdmin),
  losesAdmin: self.losesAdmin,
})

/** The actual difference between two moments, as `inShort` gives it, in a portal that still has an administrator. */
export function consequences(before: Standing, after: Standing, changed: Named[], selfId: number) {
  const [loses, gains] = [byId(lacking(before, after)), byId(lacking(after, before))]
  const affected = new Set([...loses, ...gains].map(({ id }) => id))
  const gone = [...before.people.values()].filter(({ id }) => !after.people.has(id))
  const inWork = ({ orders }: Standing) => orders.filter(({ assignedTo }) => assignedTo !== null).map(({ id }) => id)
  const ordersReturned = without(inWork(before), inWork(after))
  const becomesAdmin = idsOf([...after.people.values()].filter(({ id, isAdmin }) => isAdmin && !before.people.get(id)?.isAdmin))
  const settled = ({ links, apps, records, people }: Standing) => [links, apps, records, idsOf([...people.values()])]
  return {
    loses,
    losesCount: loses.length,
    gains,
    gainsCount: gains.length,
    ordersReturned,
    ordersReturnedCount: ordersReturned.length,
    ordersLapsedCount: 0,
    sessionsEnded: gone.reduce((sum, { sessions }) => sum + sessions, 0),
    becomesAdmin,
    becomesAdminCount: becomesAdmin.length,
    lastAdmin: false,
    losesAdmin: !after.people.get(selfId)?.isAdmin,
    unaffectedCount: concernedBy([before, after], changed).size - affected.size,
    noChange: isDeepStrictEqual(settled(before), settled(after)),
  }
}
