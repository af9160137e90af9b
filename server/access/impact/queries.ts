/**
 * Previews the consequences of planned changes. Nothing is written and nothing is locked. The changes are made on a copy of the grants,
 * which are cached until roles, groups, apps or their texts change. People with the same roles and groups are compared once.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Static } from 'typebox'
import { countSessions } from '../../identity/sessions/queries.ts'
import { checkMayGive } from '../../people/groups/queries.ts'
import { firstByName } from '../../people/users/queries.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { refuseAdministeringProgram } from '../../platform/auth/last-admin.ts'
import { inSnapshot, type Reads } from '../../platform/database/db.ts'
import { countLapsed, findReturned } from '../../work/orders/queries.ts'
import { RECEIVE } from '../../work/service-teams/rules.ts'
import { checkByHand } from '../grants/queries.ts'
import { type Grants, permissionName } from './grants.ts'
import { comparison, type Outcome, type Profile, type Summary } from './people.ts'
import { carryOut, type Planned } from './plan.ts'
import { affectedBy, type Crowd, concernedBy, type Keys, type Move, type PeopleMoves, type Stake, stakeOf } from './reach.ts'
import { type Gain, type Impact, MOST_NAMED, type PlannedChange } from './shapes.ts'
import { anyOf, countCrowd, countHolders, grantsIn, holdersAfter, prepare, readKnown, readMoves, readProfiles } from './stored.ts'

/** How many profiles are compared before other requests have a turn. */
const PROFILES_AT_ONCE = 200

/** The consequences of changes that this person makes in this order. Refuses what saving them would refuse, except `last_admin`. */
export const previewChanges = (db: Reads, { id, language }: Pick<Actor, 'id' | 'language'>, changes: readonly PlannedChange[]) =>
  inSnapshot(db, async (snapshot): Promise<Static<typeof Impact>> => {
    await prepare(snapshot)
    const before = await grantsIn(db, snapshot)
    const planned = await carryOut(before, changes, {
      people: await readPeopleIn(snapshot, changes),
      actorId: id,
      countHolders: (roleId, steps) => countHolders(snapshot, roleId, steps),
    })
    const moves = await movesOf(snapshot, planned)
    await checkGroups(snapshot, before, planned, moves)
    const stake = stakeOf(before, planned, moves)
    const compare = comparison(before, planned.after, stake)

    const crowd = affectedBy(before, planned, stake, moves)
    const read = (some: Crowd, keys: Keys) => readProfiles(snapshot, some, keys, planned, moves)
    const found = await findAll(stake, compare, crowd, read, id)
    const name = (ids: number[]) => firstByName(snapshot, ids, language, MOST_NAMED)
    const [losing, gaining, keeping] = [await name(found.loses), await name(found.gains), await name(found.keeps)]
    const outcomes = new Map<number, Outcome>()
    for (const profile of await read(crowdOf([...losing, ...gaining, ...keeping].map((user) => user.id)), stake.forAll)) {
      const outcome = compare.outcome(profile)
      for (const userId of profile.userIds) outcomes.set(userId, outcome)
    }
    const describeAll = (users: Gain['user'][], of: (outcome: Outcome) => Described) =>
      users.map((user) => describe(user, outcomes.get(user.id)!, of(outcomes.get(user.id)!), planned.after))
    const orders = await returned(snapshot, planned, moves)
    const affected = new Set(found.loses).union(new Set(found.gains)).size
    return {
      loses: describeAll(losing, ({ lostRoles, lostApps }) => ({ grants: before, roles: lostRoles, apps: lostApps })),
      losesCount: found.loses.length,
      gains: describeAll(gaining, ({ gainedRoles, gainedApps }) => ({ grants: planned.after, roles: gainedRoles, apps: gainedApps })),
      gainsCount: found.gains.length,
      keeps: describeAll(keeping, () => ({ grants: before, roles: [], apps: [] })),
      keepsCount: found.keeps.length,
      ordersReturned: orders.items,
      ordersReturnedCount: orders.count,
      ordersLapsedCount: await countLapsed(snapshot, [...planned.deactivated], [...planned.deletedPeople]),
      sessionsEnded: await countSessions(snapshot, [...planned.deactivated]),
      becomesAdmin: await name(found.becomesAdmin),
      becomesAdminCount: found.becomesAdmin.length,
      lastAdmin: !(await anyOf(snapshot, holdersAfter(planned, [before.adminRole], moves, 'lasting'))),
      self: { losesAdmin: found.losesAdmin },
      unaffectedCount: (await countCrowd(snapshot, concernedBy(before, planned, moves), planned)) - affected,
      noChange: isSame(before, planned, moves),
    }
  })

/** The people that the plan changes, and the people in its `set` and `add`. */
function readPeopleIn(db: Reads, changes: readonly PlannedChange[]) {
  const changed = changes.flatMap(({ kind, id }) => (kind === 'user' ? [id] : []))
  const named = changes.flatMap(({ set, add }) => [...(set?.userIds ?? []), ...(add?.userIds ?? [])])
  return readKnown(db, changed, named)
}

const movesOf = async (db: Reads, { steps }: Planned): Promise<PeopleMoves> => ({
  userRoles: await readMoves(db, 'userRoles', steps),
  groupUsers: await readMoves(db, 'groupUsers', steps),
})

/**
 * Refuses what saving would refuse because of the groups: moves by hand of members who follow from elsewhere (`managed_elsewhere`), groups
 * that may not give `admin` (`not_requestable`, `grants_admin`), and service accounts that would have it (`grants_admin`).
 */
async function checkGroups(db: Reads, { adminRole }: Grants, planned: Planned, moves: PeopleMoves) {
  const { after, administering, deletedPeople } = planned
  const isByHand = ({ userId, otherId }: Move) => !deletedPeople.has(userId) && after.groups.has(otherId)
  await checkByHand(db, [...new Set(moves.groupUsers.filter(isByHand).map(({ otherId }) => otherId))])
  if (administering.size) await checkMayGive(db, [...administering], [adminRole])
  const givesAdmin =
    administering.size > 0 ||
    moves.userRoles.some(({ otherId, isAdded }) => isAdded && otherId === adminRole) ||
    moves.groupUsers.some(({ otherId, isAdded }) => isAdded && after.groupRoles.of('group', otherId).has(adminRole))
  if (givesAdmin && (await anyOf(db, holdersAfter(planned, [adminRole], moves, 'programs')))) refuseAdministeringProgram()
}

const crowdOf = (ids: number[]): Crowd => ({ isEveryone: false, userIds: new Set(ids), groupIds: new Set(), roleIds: new Set() })

/** Everyone who loses or gains something. For most people the roles alone decide; the apps are read only for the rest. */
async function findAll(
  stake: Stake,
  { ofRoles, summary }: ReturnType<typeof comparison>,
  crowd: Crowd,
  read: (crowd: Crowd, keys: Keys) => Promise<Profile[]>,
  actorId: number,
) {
  const found = { loses: [] as number[], gains: [] as number[], keeps: [] as number[], becomesAdmin: [] as number[], losesAdmin: false }
  function note(ids: readonly number[], { loses, gains, keeps, becomesAdmin, losesAdmin }: Summary) {
    for (const id of ids) {
      if (loses) found.loses.push(id)
      if (gains) found.gains.push(id)
      if (keeps) found.keeps.push(id)
      if (becomesAdmin) found.becomesAdmin.push(id)
      if (losesAdmin && id === actorId) found.losesAdmin = true
    }
  }
  const others: (readonly number[])[] = []
  for await (const profile of inTurns(await read(crowd, stake.forRoles))) {
    const outcome = ofRoles(profile)
    if (outcome) note(profile.userIds, outcome)
    else others.push(profile.userIds)
  }
  for await (const profile of inTurns(await read(crowdOf(others.flat()), stake.forAll))) note(profile.userIds, summary(profile))
  return found
}

/** Gives other requests a turn after every few items. */
async function* inTurns<T>(items: readonly T[]) {
  for (const [n, item] of items.entries()) {
    if (n % PROFILES_AT_ONCE === PROFILES_AT_ONCE - 1) await nextTurn()
    yield item
  }
}

interface Described {
  grants: Grants
  roles: number[]
  apps: number[]
}
const appRef = ({ apps }: Grants, appId: number) => {
  const { id, slug, nameAr, nameEn } = apps.get(appId)!
  return { id, slug, nameAr, nameEn }
}
const roleRef = ({ roles }: Grants, roleId: number) => {
  const { id, name, descriptionAr, descriptionEn } = roles.get(roleId)!
  return { id, name, descriptionAr, descriptionEn }
}

function describe(user: Gain['user'], { kept }: Outcome, { grants, roles, apps }: Described, after: Grants): Gain {
  const named = [...grants.roles.keys()].filter((id) => roles.includes(id))
  return {
    user,
    roles: named.slice(0, MOST_NAMED).map((id) => roleRef(grants, id)),
    rolesCount: roles.length,
    apps: apps.slice(0, MOST_NAMED).map((id) => appRef(grants, id)),
    appsCount: apps.length,
    keeps: kept.slice(0, MOST_NAMED).map(({ appId, via }) => ({
      app: appRef(after, appId),
      via,
      role: 'roleId' in via && via.roleId ? roleRef(after, via.roleId) : null,
    })),
    keepsCount: kept.length,
  }
}

/** The orders that people hand back because they may no longer receive any, leave the order's team, or are deleted. */
function returned(db: Reads, planned: Planned, moves: PeopleMoves) {
  const { after, deletedPeople, concerned } = planned
  const isOfDeletionHooks = deletedPeople.size === Object.values(concerned).reduce((sum, { size }) => sum + size, 0)
  const receiving = [...after.permissions.keys()].filter((id) => permissionName(after, id) === RECEIVE)
  const roles = receiving.flatMap((id) => [...after.rolePermissions.of('permission', id)])
  return findReturned(db, {
    deletedPeople: [...deletedPeople],
    receivers: isOfDeletionHooks ? null : holdersAfter(planned, roles, moves),
    memberships: moves.groupUsers,
    most: MOST_NAMED,
  })
}

/** Whether a plan changes nothing. */
function isSame(before: Grants, { after, touched, activated, deactivated, switchedApps, isDeleting }: Planned, moves: PeopleMoves) {
  const isMoved = moves.userRoles.length + moves.groupUsers.length > 0
  const isSwitched = [...switchedApps].some((id) => before.apps.get(id)!.isActive !== after.apps.get(id)?.isActive)
  const differs = touched.some(({ links, kind, id }) => before[links].of(kind, id).symmetricDifference(after[links].of(kind, id)).size > 0)
  return !isDeleting && !isMoved && activated.size + deactivated.size === 0 && !isSwitched && !differs
}
