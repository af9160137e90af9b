/** Orders that outlive the person who placed them. */
import { sql } from 'kysely'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { isForAnother } from './for-another.ts'
import { asRequested, readWritten } from './queries.ts'
import { paramsFor } from './rules.ts'

/**
 * Makes the beneficiaries of the orders that a person placed for others the requesters of those orders. Returns the changes. Leaves
 * `updated_at` of ended orders unchanged: it is the time of their end, which limits how long people can write about them.
 */
export async function passOn(tx: Tx, userId: number): Promise<Change[]> {
  const { rows } = await sql<{ id: number }>`
    with held as materialized (
        select id from orders where user_id = ${userId} and ${isForAnother('orders')} order by id for update),
      passed as (
        update orders set user_id = beneficiary_id,
          updated_at = case when status in ('completed', 'cancelled') then updated_at else clock_timestamp() end
        from order_details as details where details.order_id = orders.id and orders.id = any(array(select id from held)) returning orders.id),
      noted as (
        update order_details set beneficiary_id = null, beneficiary_username = null where order_id = any(array(select id from passed)))
    select id from passed`.execute(tx)
  const written = rows.length
    ? await readWritten(
        tx,
        rows.map(({ id }) => id),
      )
    : []
  return written.map((one) => ({
    kind: 'order.passed_on',
    targetId: one.order.id,
    facts: { fromUserId: userId, userId: one.order.userId, params: paramsFor(one.order.service, one.order.requester) },
    payload: asRequested(one),
  }))
}
