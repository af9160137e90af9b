/** Protects orders that wait for approvals from all other commands. */
import type { Actor } from '../../platform/auth/actor.ts'
import type { Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { type OrderView, reads } from './queries.ts'
import { isHeld } from './rules.ts'

/** Refuses `awaiting_approval` to readers of an order that waits for approvals. All others get the refusals for an unrelated order. */
export async function checkReleased(tx: Tx, order: OrderView, actor: Actor) {
  if (await readsHeld(tx, order, actor)) refuse('awaiting_approval')
}

export const readsHeld = async (tx: Tx, order: OrderView | undefined, actor: Actor) =>
  order !== undefined && isHeld(order) && (await reads(tx, order, actor))
