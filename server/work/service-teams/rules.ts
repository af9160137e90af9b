/** The people who work on the orders of a team. */
import type { Actor } from '../../platform/auth/actor.ts'

/** The permission to claim orders and work on them. */
export const RECEIVE = 'orders.receive'

export const MOST_TEAMS = 200

/** The receivers and leads of a team. The lists may name deleted groups and people. */
export interface Crew {
  groupIds: number[]
  leadUserIds: number[]
}

/** Whether somebody receives the orders of a team, or, if `crew` is null, the orders without a team. */
export const receivesFor = (crew: Crew | null, actor: Actor) =>
  actor.can(RECEIVE) && (crew === null || crew.groupIds.some((id) => actor.access.groupIds.has(id)))

/** Whether somebody leads a team. A token needs the scope for receiving orders. */
export const leadsTeam = (crew: Crew | null, actor: Actor) =>
  crew?.leadUserIds.includes(actor.id) === true && actor.hasScope('orders:receive')
