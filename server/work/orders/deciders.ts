/** The part that a person has in the approvals of an order. */
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/db.ts'

/** How long a step waits for its approvals. In hours, because a day has fewer than 24 when clocks go forward. */
export const WAITS = sql.raw(`interval '336 hours'`)

export interface Deciding {
  /** Whether the person is an approver of a step that has opened, or has decided on one. */
  isDecider: boolean
  /** Whether the person is an approver of the open step. */
  isApprover: boolean
  /** Whether any step is open now. */
  isOpen: boolean
}
export const decidesNothing: Deciding = { isDecider: false, isApprover: false, isOpen: false }

/** A person’s part in the approvals of orders, by the ids of the orders; orders that need no approval are missing. */
export async function findDeciding(db: Reads, orderIds: readonly number[], personId: number) {
  if (orderIds.length === 0) return new Map<number, Deciding>()
  const { rows } = await sql<Deciding & { id: number }>`
    select asked.id, decides_order(asked.id, ${personId}) as is_decider, step.order_id is not null as is_open,
      step.order_id is not null and approves_step(step, ${personId}) as is_approver
    from unnest(${orderIds}::int[]) as asked (id)
      left join order_steps as step on step.order_id = asked.id and step.opened_at is not null and step.done_at is null and is_open(step)`.execute(
    db,
  )
  return new Map(rows.map(({ id, ...deciding }) => [id, deciding]))
}

/** A person’s part in the approvals of one order. */
export async function decidingOn(db: Reads, { id, needsApproval }: { id: number; needsApproval: boolean }, personId: number) {
  return (needsApproval && (await findDeciding(db, [id], personId)).get(id)) || decidesNothing
}

/** Whether a person is an approver of an order’s step that has opened, or has decided on one. Parties never are. */
export async function decidesOrder(db: Reads, orderId: number, personId: number) {
  const { rows } = await sql<{ decides: boolean }>`select decides_order(${orderId}, ${personId}) as decides`.execute(db)
  return rows[0]!.decides
}
