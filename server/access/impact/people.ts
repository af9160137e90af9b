/** Compares access before and after a plan, once for all people with the same roles and groups. */

import { sees } from '../../work/apps/rules.ts'
import { type Holdings, reasonsToSee } from '../explain/rules.ts'
import { type Grants, groupRef, guardOf, permissionName, permissionRef, roleRef } from './grants.ts'
import type { Stake } from './reach.ts'

/**
 * The people who are alike in a comparison: they directly hold the same relevant roles and groups as each other, before the plan and after
 * it.
 */
export interface Profile {
  wasActive: boolean
  isActive: boolean
  hadRoles: readonly number[]
  hasRoles: readonly number[]
  hadGroups: readonly number[]
  hasGroups: readonly number[]
  userIds: readonly number[]
}

type Reason = ReturnType<typeof reasonsToSee>[number]
export interface Outcome {
  lostRoles: number[]
  gainedRoles: number[]
  lostApps: number[]
  gainedApps: number[]
  /** Apps that the person keeps although one way to the app ends. `via` is a way that remains. */
  kept: { appId: number; via: Reason }[]
}

export interface Summary {
  loses: boolean
  gains: boolean
  /** Whether a way to an app ends, while nothing is lost or gained. */
  keeps: boolean
  becomesAdmin: boolean
  losesAdmin: boolean
}

/** A person with the roles and groups of one `State`. */
class Holder {
  readonly isActive: boolean
  readonly roles: ReadonlySet<number>
  readonly isAdmin: boolean
  readonly access: { groupIds: ReadonlySet<number> }
  readonly #direct: readonly number[]
  readonly #state: State
  #holdings: Holdings | null = null
  constructor(state: State, isActive: boolean, direct: readonly number[], groups: readonly number[]) {
    const roles = new Set(direct)
    for (const group of groups) for (const role of state.grants.groupRoles.of('group', group)) roles.add(role)
    this.isActive = isActive
    this.roles = isActive ? roles : new Set()
    this.isAdmin = this.roles.has(state.grants.adminRole)
    this.access = { groupIds: new Set(groups) }
    this.#direct = direct
    this.#state = state
  }
  can(permission: string) {
    for (const role of this.roles) if (this.#state.permissionsOf(role).has(permission)) return true
    return false
  }
  sees(appId: number) {
    return this.isActive && sees(this.#state.guard(appId), this)
  }

  /** The person's ways to an app, with names. */
  reasonsFor(appId: number): Reason[] {
    this.#holdings ??= this.#nameHoldings()
    const { grants } = this.#state
    return reasonsToSee(
      {
        isActive: this.#state.guard(appId).isActive,
        permissions: [...grants.appPermissions.of('app', appId)].map((id) => permissionRef(grants, id)),
        groups: [...grants.groupApps.of('app', appId)].map((id) => groupRef(grants, id)),
      },
      this.#holdings,
    )
  }

  #nameHoldings(): Holdings {
    const { grants } = this.#state
    // Whether a grant has an end is not part of a reason here.
    const expiresAt = null
    const groups = [...this.access.groupIds].map((id) => ({ ...groupRef(grants, id), expiresAt }))
    const roles = [
      ...this.#direct.map((id) => ({ ...roleRef(grants, id), group: null, expiresAt })),
      ...groups.flatMap((group) =>
        [...grants.groupRoles.of('group', group.id)].map((id) => ({ ...roleRef(grants, id), group, expiresAt })),
      ),
    ]
    const permissions = roles.flatMap(({ group, expiresAt: _, ...role }) =>
      [...grants.rolePermissions.of('role', role.id)].map((id) => ({ ...permissionRef(grants, id), role, group, expiresAt })),
    )
    return { isActive: this.isActive, roles, permissions, groups }
  }
}

/** The grants before or after the plan, with cached answers to frequent questions. */
class State {
  readonly grants: Grants
  readonly #guards = new Map<number, ReturnType<typeof guardOf>>()
  readonly #permissions = new Map<number, ReadonlySet<string>>()
  constructor(grants: Grants) {
    this.grants = grants
  }
  guard(appId: number) {
    const guard = this.#guards.get(appId) ?? guardOf(this.grants, appId)
    this.#guards.set(appId, guard)
    return guard
  }
  permissionsOf(role: number) {
    let names = this.#permissions.get(role)
    if (!names) {
      names = new Set([...this.grants.rolePermissions.of('role', role)].map((id) => permissionName(this.grants, id)))
      this.#permissions.set(role, names)
    }
    return names
  }
}

const missing = (some: ReadonlySet<number>, others: ReadonlySet<number>) => [...some].filter((id) => !others.has(id))
const isSame = (some: readonly number[], others: readonly number[]) =>
  some.length === others.length && some.every((id, n) => id === others[n])

/** Compares profiles before and after the plan. */
export function comparison(before: Grants, after: Grants, stake: Stake) {
  const [was, is] = [new State(before), new State(after)]

  const holdersOf = ({ wasActive, isActive, hadRoles, hasRoles, hadGroups, hasGroups }: Profile) => ({
    had: new Holder(was, wasActive, hadRoles, hadGroups),
    has: new Holder(is, isActive, hasRoles, hasGroups),
  })
  type Holders = ReturnType<typeof holdersOf>

  /** The apps to compare. An administrator sees every active app, so only apps that are activated, deactivated or deleted can differ. */
  const appsIn = (one: Holder) => (one.isAdmin ? stake.switchedApps : stake.apps)
  const lostApps = ({ had, has }: Holders) => appsIn(has).filter((app) => had.sees(app) && !has.sees(app))
  const gainedApps = ({ had, has }: Holders) => appsIn(had).filter((app) => !had.sees(app) && has.sees(app))
  const losesApp = ({ had, has }: Holders) => had.isActive && appsIn(has).some((app) => had.sees(app) && !has.sees(app))
  const gainsApp = ({ had, has }: Holders) => has.isActive && appsIn(had).some((app) => !had.sees(app) && has.sees(app))

  /** The differences between the roles before and after. */
  function rolesOf({ had, has }: Holders) {
    return {
      loses: missing(had.roles, has.roles).length > 0,
      gains: missing(has.roles, had.roles).length > 0,
      becomesAdmin: has.isAdmin && !had.isAdmin,
      losesAdmin: had.isAdmin && !has.isAdmin,
    }
  }

  /** Whether any way of these people to an app may have ended. */
  const isTouched = ({ hadRoles, hasRoles, hadGroups, hasGroups }: Profile) =>
    stake.changedApps.size + stake.changedRoles.size > 0 ||
    !isSame(hadRoles, hasRoles) ||
    !isSame(hadGroups, hasGroups) ||
    hadGroups.some((group) => stake.changedGroups.has(group))

  function* keptApps(profile: Profile, { had, has }: Holders) {
    if (!isTouched(profile)) return
    for (const appId of stake.apps) {
      if (!had.sees(appId) || !has.sees(appId)) continue
      const left = has.reasonsFor(appId)
      const known = new Set(left.map((reason) => JSON.stringify(reason)))
      if (had.reasonsFor(appId).some((reason) => !known.has(JSON.stringify(reason)))) yield { appId, via: left[0]! }
    }
  }

  return {
    /** A summary from the roles alone; null if it also depends on the apps. */
    ofRoles(profile: Profile): Summary | null {
      const summary = rolesOf(holdersOf(profile))
      const { loses, gains } = summary
      return (loses || !stake.takes) && (gains || !stake.gives) && (loses || gains) ? { ...summary, keeps: false } : null
    },
    /** A summary by roles and apps. */
    summary(profile: Profile): Summary {
      const holders = holdersOf(profile)
      const ofRoles = rolesOf(holders)
      const loses = ofRoles.loses || (stake.takes && losesApp(holders))
      const gains = ofRoles.gains || (stake.gives && gainsApp(holders))
      return { ...ofRoles, loses, gains, keeps: !loses && !gains && !keptApps(profile, holders).next().done }
    },
    outcome(profile: Profile): Outcome {
      const holders = holdersOf(profile)
      const { had, has } = holders
      return {
        lostRoles: missing(had.roles, has.roles),
        gainedRoles: missing(has.roles, had.roles),
        lostApps: lostApps(holders),
        gainedApps: gainedApps(holders),
        kept: [...keptApps(profile, holders)],
      }
    },
  }
}
