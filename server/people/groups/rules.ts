import type { EndMove } from '../../access/grants/rules.ts'
import { changedFields } from '../../platform/changes/change-kind.ts'
import { changedSet, type Moves, movesBetween, noMoves } from '../../platform/database/sets.ts'
import { refuseField } from '../../platform/errors/refusal.ts'

/** The three sets of a group, named as in the paths of its endpoints. */
export const parts = ['users', 'roles', 'apps'] as const
export type MemberKind = (typeof parts)[number]
export type GroupMoves = Record<MemberKind, Moves>
/** The moves of members, with the ends of the memberships that were given or lost. */
interface MemberMoves extends Moves {
  ends?: EndMove[]
}
export type MovesWithEnds = GroupMoves & { users: MemberMoves }

export const setOf = { users: 'userIds', roles: 'roleIds', apps: 'appIds' } as const satisfies Record<MemberKind, string>
export const memberOf = { users: 'userId', roles: 'roleId', apps: 'appId' } as const satisfies Record<MemberKind, string>

export type GroupSets = { [P in MemberKind as (typeof setOf)[P]]: number[] }

export const nothingMoves: GroupMoves = { users: noMoves, roles: noMoves, apps: noMoves }

/** The fields of a request that change a group's sets by a difference. */
const differenceOf = { users: 'members', roles: 'roles', apps: 'apps' } as const satisfies Record<MemberKind, string>
interface Difference {
  add?: number[]
  remove?: number[]
}
type GivenSets = Partial<GroupSets> & { [P in MemberKind as (typeof differenceOf)[P]]?: Difference }

/** Refuses a set together with its difference, and an id that is to be both added and removed. */
function checkDifference(given: GivenSets, part: MemberKind) {
  const [set, difference] = [setOf[part], differenceOf[part]]
  const { add = [], remove = [] } = given[difference] ?? {}
  if (given[set] && given[difference]) refuseField(difference, 'exclusive', { fields: [set] })
  if (new Set(add).intersection(new Set(remove)).size) refuseField(`${difference}.add`, 'exclusive', { fields: [`${difference}.remove`] })
}

/** The moves that turn a group's sets into the given sets, or change them by the given differences. Refuses contradictions. */
export function groupMoves(before: GroupSets, given: GivenSets): GroupMoves {
  const moves = (part: MemberKind) => {
    checkDifference(given, part)
    const { [setOf[part]]: had } = before
    const { [setOf[part]]: whole, [differenceOf[part]]: difference } = given
    if (difference) return movesBetween(had, changedBy(had, difference))
    return whole ? movesBetween(had, whole) : noMoves
  }
  return { users: moves('users'), roles: moves('roles'), apps: moves('apps') }
}

function changedBy(had: readonly number[], { add = [], remove = [] }: Difference) {
  const removed = new Set(remove)
  return [...had.filter((id) => !removed.has(id)), ...add]
}

export function setsAfter(before: GroupSets, moves: GroupMoves): GroupSets {
  const after = (part: MemberKind) => changedBy(before[setOf[part]], { add: moves[part].added, remove: moves[part].removed })
  return { userIds: after('users'), roleIds: after('roles'), appIds: after('apps') }
}

export const countsOf = ({ userIds, appIds, roleIds }: GroupSets) => ({
  memberCount: userIds.length,
  appCount: appIds.length,
  roleCount: roleIds.length,
})

/** Whether and how people may ask to join a group. */
export interface RequestPolicy {
  requestable: boolean
  /** The groups whose members may ask; empty: everyone may. */
  askerGroupIds: number[]
  approverUserIds: number[]
  approverGroupIds: number[]
  minApprovals: number
  maxDays: number | null
  reasonRequired: boolean
  noteAr: string | null
  noteEn: string | null
}
export const noPolicy: RequestPolicy = {
  requestable: false,
  askerGroupIds: [],
  approverUserIds: [],
  approverGroupIds: [],
  minApprovals: 1,
  maxDays: null,
  reasonRequired: false,
  noteAr: null,
  noteEn: null,
}
const policyLists = ['askerGroupIds', 'approverUserIds', 'approverGroupIds'] as const

/** The policy that a body describes, with the defaults in place of what it omits. */
export function policyOf(given: Partial<RequestPolicy>): RequestPolicy {
  const policy = { ...noPolicy, ...given, noteAr: given.noteAr || null, noteEn: given.noteEn || null }
  for (const list of policyLists) policy[list] = [...new Set(policy[list])].sort((one, other) => one - other)
  return policy
}

/** The fields of a policy that changed, each with its old and its new value. */
export function policyChanges(before: RequestPolicy, after: RequestPolicy) {
  const sets = policyLists.map((list) => changedSet(list, movesBetween(before[list], after[list])))
  const fields = (policy: RequestPolicy) => Object.fromEntries(Object.entries(policy).filter(([, value]) => !Array.isArray(value)))
  return Object.assign(changedFields(fields(before), fields(after)), ...sets) as Record<string, { from: unknown; to: unknown }>
}
