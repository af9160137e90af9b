import { type Moves, movesBetween, noMoves } from '../platform/database/sets.ts'

/** The three sets of a group, named as in its paths. */
export const parts = ['users', 'roles', 'apps'] as const
export type Part = (typeof parts)[number]
export type GroupMoves = Record<Part, Moves>

export const setOf = { users: 'userIds', roles: 'roleIds', apps: 'appIds' } as const satisfies Record<Part, string>
export const memberOf = { users: 'userId', roles: 'roleId', apps: 'appId' } as const satisfies Record<Part, string>

export type GroupSets = { [P in Part as (typeof setOf)[P]]: number[] }

export const nothingMoves: GroupMoves = { users: noMoves, roles: noMoves, apps: noMoves }

/** What a group's sets gain and lose when the given ones are replaced. */
export function groupMoves(before: GroupSets, given: Partial<GroupSets>): GroupMoves {
  const moves = (part: Part) => (given[setOf[part]] ? movesBetween(before[setOf[part]], given[setOf[part]]!) : noMoves)
  return { users: moves('users'), roles: moves('roles'), apps: moves('apps') }
}

export const countsOf = ({ userIds, appIds, roleIds }: GroupSets) => ({
  memberCount: userIds.length,
  appCount: appIds.length,
  roleCount: roleIds.length,
})
