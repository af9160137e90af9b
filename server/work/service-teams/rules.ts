/** Who works on the orders of a team. */
import type { Actor } from '../../platform/auth/actor.ts'

/** The permission to claim orders and work on them. */
export const RECEIVE = 'orders.receive'

export const MOST_TEAMS = 200

/** The lists of a team that decide who does what. They may name groups and people that no longer exist. */
export interface Crew {
  groupIds: number[]
  leadUserIds: number[]
}

/** Whether somebody receives the orders of a team, or those without one. */
export const receivesFor = (crew: Crew | null, actor: Actor) =>
  actor.can(RECEIVE) && (crew === null || crew.groupIds.some((id) => actor.access.groupIds.has(id)))

/** Whether somebody answers for a team. A token needs the scope for receiving. */
export const leadsTeam = (crew: Crew | null, actor: Actor) =>
  crew?.leadUserIds.includes(actor.id) === true && actor.hasScope('orders:receive')
