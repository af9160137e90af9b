/** Applies planned changes to a copy of the grants. Refuses what saving them would refuse, by what this copy has. */

import { checkPermissionMayGo, checkPermissionsMayChange, checkRoleMayGo } from '../../people/roles/rules.ts'
import { refuse, refuseField } from '../../platform/errors/refusal.ts'
import { copyOf, type Grants } from './grants.ts'
import type { Links } from './links.ts'
import { type Field, type PlannedChange, type RecordKind, recordKinds } from './shapes.ts'

type GrantLinks = 'groupRoles' | 'groupApps' | 'rolePermissions' | 'appPermissions'
export type PeopleLinks = 'userRoles' | 'groupUsers'

/** The links that the fields of each kind of record stand for. */
const linksOf: Record<RecordKind, Partial<Record<Field, GrantLinks | PeopleLinks>>> = {
  user: { roleIds: 'userRoles', groupIds: 'groupUsers' },
  group: { userIds: 'groupUsers', roleIds: 'groupRoles', appIds: 'groupApps' },
  role: { permissionIds: 'rolePermissions', userIds: 'userRoles', groupIds: 'groupRoles' },
  app: { permissionIds: 'appPermissions', groupIds: 'groupApps' },
  permission: { roleIds: 'rolePermissions', appIds: 'appPermissions' },
}
const kindOf: Record<Field, RecordKind> = {
  userIds: 'user',
  groupIds: 'group',
  roleIds: 'role',
  appIds: 'app',
  permissionIds: 'permission',
}
const isOfPeople = (links: GrantLinks | PeopleLinks): links is PeopleLinks => links === 'userRoles' || links === 'groupUsers'

/** A change of the links between one record and records of another kind. Steps are ordered by `place`. */
export interface Step {
  place: number
  links: PeopleLinks
  /** Whether `owner` is the person of the links, and not the role or the group. */
  isOfUser: boolean
  owner: number
  /** Whether `added` is the whole new set. */
  isWhole: boolean
  /** Whether `owner` is deleted. */
  isGone: boolean
  added: readonly number[]
  removed: readonly number[]
}
/** Links that may have changed. */
interface Touched {
  links: GrantLinks
  kind: RecordKind
  id: number
}

/** The people that the plan changes, and the ids in its sets that belong to nobody. */
export interface KnownPeople {
  changed: ReadonlyMap<number, { isActive: boolean }>
  unknown: ReadonlySet<number>
}

export interface Planned {
  after: Grants
  steps: Step[]
  touched: Touched[]
  /** People who become active, and people who become inactive. */
  activated: Set<number>
  deactivated: Set<number>
  deletedPeople: Set<number>
  /** The apps that are activated, deactivated or deleted. */
  switchedApps: Set<number>
  /** The groups that are given the role `admin`. */
  administering: Set<number>
  isDeleting: boolean
  concerned: Record<RecordKind, Set<number>>
}

interface Sets {
  set?: ReadonlySet<number>
  add: readonly number[]
  remove: readonly number[]
}
const tables = { group: 'groups', role: 'roles', app: 'apps', permission: 'permissions' } as const

/** The sets that a change names, field by field. Refuses fields that its kind does not have, and contradictions. */
function setsIn({ kind, delete: isDeleted, set = {}, add = {}, remove = {} }: PlannedChange, at: string) {
  const parts = { set, add, remove }
  for (const [part, fields] of Object.entries(parts))
    for (const field of Object.keys(fields)) {
      const isActivity = field === 'isActive' && (kind === 'user' || kind === 'app')
      if (isDeleted) refuseField(`${at}.${part}.${field}`, 'exclusive', { fields: ['delete'] })
      if (!isActivity && !(field in linksOf[kind])) refuseField(`${at}.${part}.${field}`, 'ofKind')
    }
  return (Object.keys(linksOf[kind]) as Field[]).flatMap((field): [Field, Sets][] => {
    const { [field]: whole } = set
    const { [field]: added } = add
    const { [field]: removed } = remove
    if (whole && (added || removed)) refuseField(`${at}.set.${field}`, 'exclusive', { fields: [added ? 'add' : 'remove'] })
    if (!whole && !added && !removed) return []
    const both = new Set(added).intersection(new Set(removed))
    if (both.size) refuseField(`${at}.add.${field}`, 'exclusive', { fields: ['remove'] })
    return [[field, { ...(whole && { set: new Set(whole) }), add: added ?? [], remove: removed ?? [] }]]
  })
}

interface Context {
  people: KnownPeople
  actorId: number
  /** Counts the direct holders of a role after `steps`. */
  countHolders: (roleId: number, steps: readonly Step[]) => Promise<number>
}
/** Applies every change in its order. */
export async function carryOut(before: Grants, changes: readonly PlannedChange[], { people, actorId, countHolders }: Context) {
  const after = copyOf(before)
  const concerned = Object.fromEntries(recordKinds.map((kind) => [kind, new Set<number>()])) as Planned['concerned']
  const planned: Planned = {
    after,
    steps: [],
    touched: [],
    activated: new Set(),
    deactivated: new Set(),
    deletedPeople: new Set(),
    switchedApps: new Set(),
    administering: new Set(),
    isDeleting: false,
    concerned,
  }
  const { deletedPeople } = planned
  const exists = (kind: RecordKind, id: number) =>
    kind === 'user' ? people.changed.has(id) && !deletedPeople.has(id) : after[tables[kind]].has(id)

  function checkKnown(kind: RecordKind, ids: Iterable<number>) {
    const isUnknown = (id: number) => (kind === 'user' ? people.unknown.has(id) || deletedPeople.has(id) : !after[tables[kind]].has(id))
    const unknownIds = [...new Set(ids)].filter(isUnknown).sort((one, other) => one - other)
    if (unknownIds.length) refuse(kind === 'permission' ? 'not_found' : 'unknown_ids', { body: { unknownIds } })
  }

  function put(links: GrantLinks, kind: RecordKind, id: number, ids: ReadonlySet<number>) {
    const side: Links = after[links]
    planned.touched.push({ links, kind, id })
    side.put(kind, id, ids)
  }

  function putSets({ kind, id }: PlannedChange, place: number, field: Field, { set, add, remove }: Sets) {
    const links = linksOf[kind][field]!
    checkKnown(kindOf[field], set ?? add)
    if (isOfPeople(links)) {
      const step = { isWhole: set !== undefined, isGone: false, added: set ? [...set] : add, removed: remove }
      planned.steps.push({ place, links, isOfUser: kind === 'user', owner: id, ...step })
      return
    }
    const had = after[links].of(kind, id)
    const has = set ?? had.union(new Set(add)).difference(new Set(remove))
    if (links === 'rolePermissions') {
      const roles = kind === 'role' ? [id] : had.symmetricDifference(has)
      for (const role of roles) checkPermissionsMayChange(after.roles.get(role)!)
    }
    if (links === 'groupRoles') noteAdministering(kind, id, has.difference(had))
    put(links, kind, id, has)
  }

  function noteAdministering(kind: RecordKind, id: number, added: ReadonlySet<number>) {
    const { adminRole } = before
    const groups = kind === 'group' ? (added.has(adminRole) ? [id] : []) : id === adminRole ? added : []
    for (const group of groups) planned.administering.add(group)
  }

  function setActivity({ kind, id }: PlannedChange, isActive: boolean) {
    if (kind === 'app') {
      after.apps.set(id, { ...after.apps.get(id)!, isActive })
      planned.switchedApps.add(id)
      return
    }
    if (id === actorId && !isActive) refuse('cannot_deactivate_self')
    const wasActive = people.changed.get(id)!.isActive
    planned.activated.delete(id)
    planned.deactivated.delete(id)
    if (isActive !== wasActive) (isActive ? planned.activated : planned.deactivated).add(id)
  }

  const release = (place: number, links: PeopleLinks, isOfUser: boolean, owner: number) =>
    planned.steps.push({ place, links, isOfUser, owner, isWhole: true, isGone: true, added: [], removed: [] })
  const nothing: ReadonlySet<number> = new Set()
  const remove: Record<RecordKind, (id: number, place: number) => void | Promise<void>> = {
    user(id, place) {
      if (id === actorId) refuse('cannot_delete_self')
      release(place, 'userRoles', true, id)
      release(place, 'groupUsers', true, id)
      planned.activated.delete(id)
      deletedPeople.add(id)
      if (people.changed.get(id)!.isActive) planned.deactivated.add(id)
    },
    group(id, place) {
      if (after.groups.get(id)!.isSystem) refuse('system_group')
      release(place, 'groupUsers', false, id)
      put('groupRoles', 'group', id, nothing)
      put('groupApps', 'group', id, nothing)
    },
    async role(id) {
      const userCount = await countHolders(id, planned.steps)
      checkRoleMayGo(after.roles.get(id)!, { userCount, groupCount: after.groupRoles.of('role', id).size })
      put('rolePermissions', 'role', id, nothing)
    },
    app(id) {
      put('appPermissions', 'app', id, nothing)
      put('groupApps', 'app', id, nothing)
      planned.switchedApps.add(id)
    },
    permission(id) {
      const counts = {
        roleCount: after.rolePermissions.of('permission', id).size,
        appCount: after.appPermissions.of('permission', id).size,
      }
      checkPermissionMayGo(after.permissions.get(id)!, counts)
    },
  }

  for (const [place, change] of changes.entries()) {
    const { kind, id } = change
    const sets = setsIn(change, `changes.${place}`)
    if (!exists(kind, id)) refuse('not_found', { body: { unknownIds: [id] } })
    concerned[kind].add(id)
    for (const [field, fieldSets] of sets) putSets(change, place, field, fieldSets)
    if (change.set?.isActive !== undefined) setActivity(change, change.set.isActive)
    if (!change.delete) continue
    await remove[kind](id, place)
    planned.isDeleting = true
    if (kind !== 'user') after[tables[kind]].delete(id)
  }
  return planned
}
