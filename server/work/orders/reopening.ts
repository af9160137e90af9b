/** Reopening of completed orders whose problem is not solved. */
import { sql } from 'kysely'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { receives } from '../service-teams/queries.ts'
import { asRequested, move, type OrderView, TEAM_ID, type Written } from './queries.ts'
import { paramsFor } from './rules.ts'
import { MOST_REOPENINGS } from './standing.ts'

/** SQL: whether a row `o` of `orders` was first completed no longer ago than its service allows for reopening. */
export const IS_IN_TIME = sql`exists (
  select from order_figures as figures join service_handlings as set_for using (service_id)
  where figures.order_id = o.id and clock_timestamp() <= figures.completed_at + make_interval(days => reopen_days) and reopen_days > 0)`

/**
 * Refuses `invalid_transition` unless a locked order is completed and was reopened fewer than 3 times; `too_late` once the days for
 * reopening are over.
 */
export async function checkReopening(tx: Tx, { id, status }: OrderView) {
  if (status !== 'completed') refuse('invalid_transition')
  const { rows } = await sql<{ isInTime: boolean; reopenCount: number }>`
    select ${IS_IN_TIME} as is_in_time, coalesce(reopen_count, 0) as reopen_count
    from orders as o left join order_details on order_id = o.id where o.id = ${id}`.execute(tx)
  const { isInTime, reopenCount } = rows[0]!
  if (!isInTime) refuse('too_late')
  if (reopenCount >= MOST_REOPENINGS) refuse('invalid_transition')
}

/** Whether the last assignee of an order still receives it. */
async function isStillReceived(db: Reads, id: number) {
  const { rows } = await sql<{ isReceived: boolean }>`
    select ${sql.raw(receives('o.assigned_to', TEAM_ID))} as is_received
    from orders as o left join service_handlings as handling using (service_id) where o.id = ${id}`.execute(db)
  return rows[0]!.isReceived
}

/**
 * Gives a locked, completed order back to its assignee or, if they no longer receive it, to all receivers. Its targets and the times of its
 * first claim and completion stay.
 */
export async function reopenOrder(tx: Tx, id: number) {
  await sql`
    insert into order_details as details (order_id, reopen_count) values (${id}, 1)
    on conflict (order_id) do update set reopen_count = details.reopen_count + 1`.execute(tx)
  const set = (await isStillReceived(tx, id)) ? sql`status = 'received'` : sql`status = 'pending', assigned_to = null`
  return (await move(tx, set, sql`id = ${id}`))[0]!
}

/** The change of an order that was reopened by one of its parties. */
export function reopened(written: Written) {
  const { id, status: to, userId, assignedTo, service, requester } = written.order
  const facts = { from: 'completed' as const, to, userId, assignedTo, params: paramsFor(service, requester) }
  return { kind: 'order.reopened', targetId: id, facts, payload: asRequested(written) } as const
}
