/** Why orders are cancelled. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Tx } from '../../platform/database/db.ts'
import { bodyCheck } from '../../platform/http/validate.ts'
import { Cancellation, type Move } from './shapes.ts'

const check: (sent: unknown) => asserts sent is Static<typeof Cancellation> = bodyCheck(Cancellation)

/**
 * The reason for a cancellation, if one was given. Null for any other status, whose `reason` is ignored unchecked. Refuses
 * `validation_failed`.
 */
export function reasonOf({ status, reason }: Static<typeof Move>) {
  if (status !== 'cancelled') return null
  const sent: unknown = { reason }
  check(sent)
  return sent.reason ?? null
}

/** Stores the reason why a locked order was cancelled. */
export const keepCancelReason = (tx: Tx, orderId: number, reason: string) =>
  sql`
    insert into order_details (order_id, cancel_reason) values (${orderId}, ${reason})
    on conflict (order_id) do update set cancel_reason = excluded.cancel_reason`.execute(tx)
