/** Which people, roles, groups and apps a plan can affect. */
import { appsOpenedBy, type Grants, rolesOpening } from './grants.ts'
import type { Planned } from './plan.ts'

/** An added or removed link of a person with a role or a group. */
export interface Move {
  userId: number
  otherId: number
  isAdded: boolean
}
export interface PeopleMoves {
  userRoles: Move[]
  groupUsers: Move[]
}

/** A set of people: some by their ids, the members of groups, and the direct holders of roles; or everyone. */
export interface Crowd {
  isEveryone: boolean
  userIds: Set<number>
  groupIds: Set<number>
  roleIds: Set<number>
}

const addAll = (set: Set<number>, ids: Iterable<number>) => {
  for (const id of ids) set.add(id)
}

/**
 * Collects the people who hold a role or see an app, before the plan or after it. The people whose own links move are included from the
 * start.
 */
function gathering(before: Grants, { after }: Planned, moves: PeopleMoves) {
  const crowd: Crowd = { isEveryone: false, userIds: new Set(), groupIds: new Set(), roleIds: new Set() }
  for (const { userId } of [...moves.userRoles, ...moves.groupUsers]) crowd.userIds.add(userId)
  function addHolders(role: number) {
    if (crowd.roleIds.has(role)) return
    crowd.roleIds.add(role)
    for (const grants of [before, after]) addAll(crowd.groupIds, grants.groupRoles.of('role', role))
  }
  function addViewers(appId: number) {
    for (const grants of [before, after]) {
      if (!grants.apps.get(appId)?.isActive) continue
      if (grants.appPermissions.of('app', appId).size === 0) crowd.isEveryone = true
      for (const role of rolesOpening(grants, appId)) addHolders(role)
      addAll(crowd.groupIds, grants.groupApps.of('app', appId))
    }
  }
  return { crowd, addHolders, addViewers }
}

/** The people concerned by the changed records: members of groups, holders of roles, everyone who sees an app. */
export function concernedBy(before: Grants, planned: Planned, moves: PeopleMoves): Crowd {
  const { after, concerned } = planned
  const { crowd, addHolders, addViewers } = gathering(before, planned, moves)
  addAll(crowd.userIds, concerned.user)
  addAll(crowd.groupIds, concerned.group)
  for (const role of concerned.role) addHolders(role)
  for (const app of concerned.app) addViewers(app)
  for (const grants of [before, after])
    for (const permission of concerned.permission) {
      for (const role of grants.rolePermissions.of('permission', permission)) addHolders(role)
      for (const app of grants.appPermissions.of('permission', permission)) addViewers(app)
    }
  return crowd
}

/** The people who may lose or gain anything. When one member leaves a large group, its other members need no comparison. */
export function affectedBy(before: Grants, planned: Planned, stake: Stake, moves: PeopleMoves): Crowd {
  const { crowd, addHolders, addViewers } = gathering(before, planned, moves)
  addAll(crowd.userIds, [...planned.activated, ...planned.deactivated])
  addAll(crowd.groupIds, stake.changedGroups)
  for (const role of stake.changedRoles) addHolders(role)
  for (const app of stake.changedApps) addViewers(app)
  return crowd
}

/** The roles and groups to read of each person. */
export interface Keys {
  roleIds: Set<number>
  groupIds: Set<number>
}

/** What people may lose or gain by a plan, and the records to read to find out who does. */
export interface Stake {
  /** Whether anybody may lose anything, and whether anybody may gain anything. */
  takes: boolean
  gives: boolean
  /** The apps that somebody may lose or gain. */
  apps: number[]
  /** The apps among `apps` that are activated, deactivated or deleted: only they can differ for administrators. */
  switchedApps: number[]
  /** The keys that decide who has the roles that somebody may lose or gain. */
  forRoles: Keys
  /** The keys that decide who has the roles that somebody may lose or gain, and who sees `apps`. */
  forAll: Keys
  /**
   * Groups whose roles change, roles whose permissions change, and apps that are activated or deactivated or whose permissions or groups
   * change.
   */
  changedGroups: Set<number>
  changedRoles: Set<number>
  changedApps: Set<number>
}

export function stakeOf(before: Grants, planned: Planned, moves: PeopleMoves): Stake {
  const { after, touched } = planned
  const states = [before, after]
  const roles = new Set<number>()
  const apps = new Set<number>()
  const stake: Stake = {
    takes: planned.deactivated.size > 0,
    gives: planned.activated.size > 0,
    apps: [],
    switchedApps: [],
    forRoles: { roleIds: roles, groupIds: new Set() },
    forAll: { roleIds: new Set(), groupIds: new Set() },
    changedGroups: new Set(),
    changedRoles: new Set(),
    changedApps: new Set(planned.switchedApps),
  }

  for (const { links, kind, id } of touched) {
    const [had, has] = [before[links].of(kind, id), after[links].of(kind, id)]
    const differing = had.symmetricDifference(has)
    if (differing.size === 0) continue
    // Any change of permissions may take and give: an app without permissions is open to everyone.
    stake.takes ||= links === 'appPermissions' || had.difference(has).size > 0
    stake.gives ||= links === 'appPermissions' || has.difference(had).size > 0
    if (links === 'groupRoles') {
      addAll(stake.changedGroups, kind === 'group' ? [id] : differing)
      addAll(roles, kind === 'role' ? [id] : differing)
    } else if (links === 'rolePermissions') {
      addAll(stake.changedRoles, kind === 'role' ? [id] : differing)
      const permissions = kind === 'permission' ? [id] : differing
      for (const grants of states) for (const permission of permissions) addAll(apps, grants.appPermissions.of('permission', permission))
    } else addAll(stake.changedApps, kind === 'app' ? [id] : differing)
  }
  for (const id of planned.switchedApps) {
    if (after.apps.get(id)?.isActive) stake.gives = true
    else stake.takes = true
  }
  for (const { isAdded } of [...moves.userRoles, ...moves.groupUsers]) {
    if (isAdded) stake.gives = true
    else stake.takes = true
  }

  const movedGroups = new Set(moves.groupUsers.map(({ otherId }) => otherId))
  addAll(
    roles,
    moves.userRoles.map(({ otherId }) => otherId),
  )
  const isAnyoneSwitched = planned.activated.size + planned.deactivated.size > 0
  for (const grants of states) {
    for (const group of movedGroups) {
      addAll(roles, grants.groupRoles.of('group', group))
      addAll(apps, grants.groupApps.of('group', group))
    }
    if (isAnyoneSwitched) addAll(roles, grants.roles.keys())
  }
  for (const grants of states) {
    for (const role of roles) addAll(apps, appsOpenedBy(grants, role))
    if (isAnyoneSwitched) addAll(apps, grants.apps.keys())
  }
  addAll(apps, stake.changedApps)

  const { forRoles, forAll } = stake
  roles.add(before.adminRole)
  addAll(forAll.roleIds, roles)
  addAll(forAll.groupIds, movedGroups)
  for (const grants of states) {
    for (const app of apps) {
      addAll(forAll.roleIds, rolesOpening(grants, app))
      addAll(forAll.groupIds, grants.groupApps.of('app', app))
    }
    for (const keys of [forRoles, forAll]) for (const role of keys.roleIds) addAll(keys.groupIds, grants.groupRoles.of('role', role))
  }
  stake.apps = [...new Set([...before.apps.keys(), ...after.apps.keys()])].filter((id) => apps.has(id))
  stake.switchedApps = stake.apps.filter((id) => planned.switchedApps.has(id))
  return stake
}
