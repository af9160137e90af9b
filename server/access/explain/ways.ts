/** The acts that would show an app to a person, or hide it from them, and the consequences of each. */
import type { Holdings, Lock, Reason, Ref } from './rules.ts'
import { reasonsToSee } from './rules.ts'
import type { gives, withdrawals } from './shapes.ts'

type Kind = (typeof gives)[number] | (typeof withdrawals)[number]
/** An act on a role, group or permission. */
export interface Act {
  act: Kind
  of: number
}
export interface App extends Lock {
  id: number
}
/** An act with its other consequences. */
export interface Way extends Act {
  /** How many other apps the person gains or loses. */
  others: number
  /** The ids of the apps that `others` counts. */
  appIds: () => number[]
  /** How many other people gain or lose the app. */
  people: number
  /** The reasons that a withdrawal ends. */
  ends?: Reason[]
}

/**
 * Sorts the acts with the fewest consequences first. Of acts with equally many, one that ends more reasons comes first, then any other act
 * before one about a role.
 */
export const byEffect = (one: Way, other: Way) =>
  one.others + one.people - other.others - other.people ||
  (other.ends?.length ?? 0) - (one.ends?.length ?? 0) ||
  Number(one.act.startsWith('role')) - Number(other.act.startsWith('role')) ||
  one.of - other.of

/** The permissions of a role, by their ids. */
export interface Granting {
  id: number
  permissionIds: readonly number[]
}
/** The roles of a group, by their ids. */
export interface Giving {
  id: number
  roleIds: readonly number[]
}

/** Represents sets of the same few apps as bits, because thousands of groups are compared. */
function bitSets(ids: readonly number[]) {
  const words = Math.ceil(ids.length / 32)
  return {
    empty: () => new Uint32Array(words),
    add(set: Uint32Array, place: number) {
      set[place >> 5]! |= 1 << (place & 31)
    },
    union(all: readonly (Uint32Array | undefined)[]) {
      const whole = new Uint32Array(words)
      for (const one of all) if (one) for (let word = 0; word < words; word++) whole[word]! |= one[word]!
      return whole
    },
    size(set: Uint32Array) {
      let size = 0
      for (let bits of set) for (; bits; bits &= bits - 1) size++
      return size
    },
    membersOf: (set: Uint32Array) => ids.filter((_, place) => set[place >> 5]! & (1 << (place & 31))),
  }
}

/** The roles and groups that would show the person an app, with the other apps that each would open to them. */
export function openings(
  app: App,
  { apps, person, roles, groups }: { apps: readonly App[]; person: Holdings; roles: readonly Granting[]; groups: readonly Giving[] },
): Way[] {
  const unseen = apps.filter((one) => one.id !== app.id && reasonsToSee(one, person).length === 0)
  const { empty, add, union, size, membersOf } = bitSets(unseen.map(({ id }) => id))
  const openedBy = (refsOf: (app: App) => readonly Ref[]) => {
    const byId = new Map<number, Uint32Array>()
    for (const [place, one] of unseen.entries())
      for (const { id } of refsOf(one)) {
        const set = byId.get(id) ?? empty()
        add(set, place)
        byId.set(id, set)
      }
    return byId
  }
  const byPermission = openedBy(({ permissions }) => permissions)
  const byGrant = openedBy(({ groups }) => groups)
  const byRole = new Map(roles.map(({ id, permissionIds }) => [id, union(permissionIds.map((one) => byPermission.get(one)))]))
  const way = (act: Kind, of: number, set: Uint32Array) => ({
    act,
    of,
    others: size(set),
    appIds: () => membersOf(set),
    people: 0,
  })
  const asked = new Set(app.permissions.map(({ id }) => id))
  return [
    ...roles.filter(({ permissionIds }) => permissionIds.some((id) => asked.has(id))).map(({ id }) => way('role.add', id, byRole.get(id)!)),
    ...groups.map(({ id, roleIds }) => way('group.member', id, union([byGrant.get(id), ...roleIds.map((role) => byRole.get(role))]))),
  ]
}

const keyOf = ({ act, of }: Act) => `${act} ${of}`
/** The act that takes a reason's source away: a role or group of the person. Null for an app that requires nothing. */
export function sourceOf({ via, roleId, groupId }: Reason): Act | null {
  if (groupId !== undefined) return { act: 'group.member.remove', of: groupId }
  return via === 'unrestricted' ? null : { act: 'role.remove', of: roleId! }
}
/** The act that takes away the permission or the group of the app on which a reason rests; null if it rests on neither. */
export function gateOf({ via, permissionId, groupId }: Reason): Act | null {
  if (via === 'permission') return { act: 'permission.app.remove', of: permissionId! }
  return via === 'group' ? { act: 'group.app.remove', of: groupId! } : null
}

/**
 * The two acts that would end a reason: one that takes its source from the person, and one that takes its gate from the app. An act that is
 * impossible is null.
 */
export type Ends = readonly [source: Act | null, gate: Act | null]

const isSame = (one: Act | null, other: Act) => one !== null && keyOf(one) === keyOf(other)
export const endsReason = (act: Act) => (ends: Ends) => ends.some((one) => isSame(one, act))

/** Each act that ends at least one of these reasons. */
export const actsAgainst = (reasons: readonly Ends[]) => [
  ...new Map(reasons.flatMap((ends) => ends.flatMap((act) => (act ? [[keyOf(act), act] as const] : [])))).values(),
]

/** The apps that the person sees through a single source, by that source. */
export function restingOn(apps: readonly App[], person: Holdings) {
  const resting = new Map<string, number[]>()
  for (const app of apps) {
    const sources = new Set(reasonsToSee(app, person).map((reason) => (sourceOf(reason) ? keyOf(sourceOf(reason)!) : '')))
    if (sources.size !== 1) continue
    const [source] = sources as Set<string>
    resting.set(source!, [...(resting.get(source!) ?? []), app.id])
  }
  return (act: Act) => resting.get(keyOf(act)) ?? []
}
