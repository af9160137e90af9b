/** Orders that wait for their approvals, to those who would do something else with them. */
import type { Actor } from '../../platform/auth/actor.ts'
import type { Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { type OrderView, reads } from './queries.ts'
import { isHeld } from './rules.ts'

/** Refuses `awaiting_approval` to those who read an order that waits for its approvals. To the others, it is one that they have nothing to do with. */
export async function checkReleased(tx: Tx, order: OrderView, actor: Actor) {
  if (await readsHeld(tx, order, actor)) refuse('awaiting_approval')
}

export const readsHeld = async (tx: Tx, order: OrderView | undefined, actor: Actor) =>
  order !== undefined && isHeld(order) && (await reads(tx, order, actor))
