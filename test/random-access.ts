import fc from 'fast-check'
import { ascending, makers } from './makers.ts'
import type { Client, TestPortal } from './portal.ts'
import { generated } from './suite.ts'

export const sizes = { users: 24, groups: 5, roles: 5, permissions: 4, apps: 4 }
type Names = keyof typeof sizes
/** The index of the permission to receive orders, which the role `admin` grants, too. */
const RECEIVING = 0
/** Pairs of indices. */
type Links = (readonly [number, number])[]
export interface World {
  inactive: number[]
  admins: number[]
  adminGroups: number[]
  userRoles: Links
  groupUsers: Links
  groupRoles: Links
  rolePermissions: Links
  groupApps: Links
  appPermissions: Links
  inactiveApps: number[]
}

export const oneOf = (name: Names) => fc.integer({ min: 0, max: sizes[name] - 1 })
export const someOf = (name: Names, most: number) => fc.uniqueArray(oneOf(name), { maxLength: most })
const links = (one: Names, other: Names, most: number) =>
  fc.uniqueArray(fc.tuple(oneOf(one), oneOf(other)), { maxLength: most, selector: String }) as fc.Arbitrary<Links>

const worlds: fc.Arbitrary<World> = fc.record({
  inactive: someOf('users', 6),
  admins: someOf('users', 3),
  adminGroups: someOf('groups', 2),
  userRoles: links('users', 'roles', 40),
  groupUsers: links('groups', 'users', 40),
  groupRoles: links('groups', 'roles', 8),
  rolePermissions: links('roles', 'permissions', 10),
  groupApps: links('groups', 'apps', 6),
  appPermissions: links('apps', 'permissions', 8),
  inactiveApps: someOf('apps', 1),
})

/** The ids of all generated records by index, and two of the people, signed in. */
export interface Stage extends Record<Names, number[]> {
  watchers: Client[]
}

async function setStage(portal: TestPortal): Promise<Stage> {
  const { newPerson, newGroup, newRole, newPermission, newApp, idsOfPermissions } = makers(portal)
  const many = <T>(name: Names, make: () => Promise<T>) => Promise.all(Array.from({ length: sizes[name] }, make))
  const ids = async (name: Names, make: () => Promise<{ id: number }>) => ascending((await many(name, make)).map(({ id }) => id))
  const people = await many('users', () => newPerson())
  const [receiving] = await idsOfPermissions('orders.receive')
  return {
    users: people.map(({ id }) => id),
    groups: await ids('groups', () => newGroup()),
    roles: await ids('roles', () => newRole()),
    permissions: [receiving!, ...(await ids('permissions', newPermission)).slice(1)],
    apps: await ids('apps', () => newApp()),
    watchers: people.slice(0, 2),
  }
}

/** Replaces the previous world, in one transaction with the recorded change that the database requires. */
async function build(portal: TestPortal, world: World, { users, groups, roles, permissions, apps }: Stage, adminRole: number) {
  const list = (ids: (number | undefined)[]) => `array[${ids.join()}]::int[]`
  const fill = (table: string, columns: string, one: number[], other: number[], pairs: Links) =>
    pairs.map(([a, b]) => `insert into ${table} (${columns}) values (${one[a]}, ${other[b]});`).join('\n')
  await portal.sql(`
    begin;
    insert into ledger (kind, target_type, target_id, facts)
    select 'test.meddled', about, unnest(ids), '{}'
    from (values ('user', ${list(users)}), ('group', ${list(groups)}), ('role', ${list(roles)}), ('app', ${list(apps)})) as subject (about, ids);
    insert into permission_history (kind, target_id, added, removed)
    select kind, unnest(ids), '{}', '{}'
    from (values
      ('user.roles', ${list(users)}), ('user.groups', ${list(users)}), ('group.users', ${list(groups)}), ('group.roles', ${list(groups)}),
      ('group.apps', ${list(groups)}), ('role.permissions', ${list(roles)}), ('app.permissions', ${list(apps)})) as target (kind, ids);
    delete from direct_roles where user_id = any(${list(users)});
    delete from memberships where group_id = any(${list(groups)});
    delete from group_roles where group_id = any(${list(groups)});
    delete from group_apps where group_id = any(${list(groups)});
    delete from role_permissions where role_id = any(${list(roles)});
    delete from app_permissions where app_id = any(${list(apps)});
    ${fill('user_roles', 'user_id, role_id', users, roles, world.userRoles)}
    ${fill('group_users', 'group_id, user_id', groups, users, world.groupUsers)}
    ${fill('group_roles', 'group_id, role_id', groups, roles, world.groupRoles)}
    ${fill('group_apps', 'group_id, app_id', groups, apps, world.groupApps)}
    ${fill('role_permissions', 'role_id, permission_id', roles, permissions, world.rolePermissions)}
    ${fill('app_permissions', 'app_id, permission_id', apps, permissions, world.appPermissions)}
    insert into direct_roles (user_id, role_id) select unnest(${list(world.admins.map((user) => users[user]))}), ${adminRole};
    insert into group_roles (group_id, role_id) select unnest(${list(world.adminGroups.map((group) => groups[group]))}), ${adminRole};
    update users set is_active = id <> all(${list(world.inactive.map((user) => users[user]))}) where id = any(${list(users)});
    update apps set is_active = id <> all(${list(world.inactiveApps.map((app) => apps[app]))}) where id = any(${list(apps)});
    commit`)
}

/** The new sets of a group. `isAdminGroup`: the role `admin` is among its roles. */
interface GroupChange {
  users: number[] | null
  roles: number[] | null
  apps: number[] | null
  isAdminGroup: boolean
}
interface Recounted {
  holds: (user: number) => (number | 'admin')[]
  seen: (user: number) => number[]
  sees: (user: number, app: number) => boolean
}

function recount(world: World) {
  const linked = (pairs: Links, one: number) => pairs.filter(([a]) => a === one).map(([, b]) => b)
  const groupsOf = (user: number) => world.groupUsers.filter(([, member]) => member === user).map(([group]) => group)
  const rolesOf = (user: number) => [
    ...linked(world.userRoles, user),
    ...groupsOf(user).flatMap((group) => linked(world.groupRoles, group)),
  ]
  const isAdmin = (user: number) => world.admins.includes(user) || groupsOf(user).some((group) => world.adminGroups.includes(group))
  const granted = (roles: number[]) => roles.flatMap((role) => linked(world.rolePermissions, role))
  const isGranted = (user: number, app: number) => groupsOf(user).some((group) => linked(world.groupApps, group).includes(app))
  const users = Array.from({ length: sizes.users }, (_, user) => user)
  const asks = (app: number) => linked(world.appPermissions, app)
  const sees = (user: number, app: number, permissions = asks(app)) =>
    !world.inactive.includes(user) &&
    !world.inactiveApps.includes(app) &&
    (isAdmin(user) ||
      permissions.length === 0 ||
      isGranted(user, app) ||
      granted(rolesOf(user)).some((permission) => permissions.includes(permission)))

  const holds = (user: number): (number | 'admin')[] => [...new Set([...rolesOf(user), ...(isAdmin(user) ? (['admin'] as const) : [])])]
  const seen = (user: number) => Array.from({ length: sizes.apps }, (_, app) => app).filter((app) => sees(user, app))

  return {
    users,
    sees,
    groupsOf,
    holds,
    seen,
    permits: (user: number) => [...new Set([...granted(rolesOf(user)), ...(isAdmin(user) ? [RECEIVING] : [])])],
    holdsFrom: (user: number, group: number | null, role: number | 'admin') =>
      role === 'admin'
        ? group === null
          ? world.admins.includes(user)
          : world.adminGroups.includes(group)
        : linked(group === null ? world.userRoles : world.groupRoles, group ?? user).includes(role),
    isInactive: (user: number) => world.inactive.includes(user),
    isInactiveApp: (app: number) => world.inactiveApps.includes(app),
    isOpen: (app: number) => asks(app).length === 0,
    /** The result after a change of the world. */
    after: (change: (world: World) => Partial<World>): Recounted => recount({ ...world, ...change(world) }),
    appImpact(app: number, candidate: number[]) {
      const viewers = users.filter((user) => !isAdmin(user) && sees(user, app))
      return {
        currentlyVisibleUserCount: viewers.length,
        affectedUserCount: viewers.filter((user) => !sees(user, app, candidate)).length,
        groups: world.groupApps.filter(([, granted]) => granted === app).map(([group]) => group),
        noChange: asks(app).every((one) => candidate.includes(one)) && candidate.every((one) => asks(app).includes(one)),
      }
    },
    /** The rights that each active person would lose if the group got these sets; null keeps a set. */
    groupImpact(group: number, { users: members, roles, apps, isAdminGroup }: GroupChange) {
      const replaced = (pairs: Links, others: number[] | null): Links =>
        others ? [...pairs.filter(([one]) => one !== group), ...others.map((other) => [group, other] as const)] : pairs
      const otherAdminGroups = world.adminGroups.filter((one) => one !== group)
      const later: Recounted = recount({
        ...world,
        groupUsers: replaced(world.groupUsers, members),
        groupRoles: replaced(world.groupRoles, roles),
        groupApps: replaced(world.groupApps, apps),
        adminGroups: roles === null ? world.adminGroups : [...otherAdminGroups, ...(isAdminGroup ? [group] : [])],
      })
      const active = users.filter((user) => !world.inactive.includes(user))
      const lost = <T>(had: (user: number) => T[], has: (user: number) => T[]) =>
        active.map((user) => [user, had(user).filter((one) => !has(user).includes(one))] as const).filter(([, gone]) => gone.length)
      return { lostRoles: lost(holds, later.holds), lostApps: lost(seen, later.seen) }
    },
    roleImpact(role: number, candidate: number[]) {
      const others = (user: number) => rolesOf(user).filter((one) => one !== role)
      const losers = (permission: number) =>
        users.filter((user) => rolesOf(user).includes(role) && !granted(others(user)).includes(permission))
      const lost = linked(world.rolePermissions, role).filter((permission) => !candidate.includes(permission))
      return {
        removed: lost.map((permission) => ({ permission, userCount: losers(permission).length })),
        groups: world.groupRoles.filter(([, held]) => held === role).map(([group]) => group),
        totalAffectedUsers: new Set(lost.flatMap(losers)).size,
      }
    },
  }
}
export type Recount = ReturnType<typeof recount>

/** Checks generated worlds on one portal. Set `endOnFailure` where the remains of a failed check would make later checks fail. */
export function randomWorlds(portal: TestPortal) {
  let stage: Promise<[Stage, number]> | null = null
  const open = async (): Promise<[Stage, number]> => [await setStage(portal), (await makers(portal).roleNamed('admin')).id]

  return async <T>(
    parts: fc.Arbitrary<T>,
    check: (stage: Stage, world: Recount, part: T) => Promise<void>,
    options: { endOnFailure?: boolean } = {},
  ) => {
    stage ??= open()
    const [ready, adminRole] = await stage
    const property = fc.asyncProperty(worlds, parts, async (world, part) => {
      await build(portal, world, ready, adminRole)
      await check(ready, recount(world), part)
    })
    await fc.assert(property, { ...generated(6, 50), ...options })
  }
}
