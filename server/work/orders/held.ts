/** Refuses commands on orders that still wait for approvals. */
import type { Actor } from '../../platform/auth/actor.ts'
import type { Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { type OrderView, reads } from './queries.ts'
import { isHeld } from './rules.ts'

/**
 * Refuses `awaiting_approval` to people who may read the order, if it waits for approvals. It leaves other people to the checks of the
 * command, which refuse them as for any order of other people.
 */
export async function checkReleased(tx: Tx, order: OrderView, actor: Actor) {
  if (await readsHeld(tx, order, actor)) refuse('awaiting_approval')
}

export const readsHeld = async (tx: Tx, order: OrderView | undefined, actor: Actor) =>
  order !== undefined && isHeld(order) && (await reads(tx, order, actor))
