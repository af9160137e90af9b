/** Waits of orders for somebody, which stop the clock. */
import { sql } from 'kysely'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { RECEIVER } from './queries.ts'
import { paramsFor } from './rules.ts'
import { resuming } from './times.ts'

export const waitsFor = ['requester', 'third_party'] as const
export interface Wait {
  for: (typeof waitsFor)[number]
  text: string
  until: Date | null
}

/**
 * Makes a locked order wait. If it already waits, its clock stays stopped, and only the fields of the wait are replaced. The clock of an
 * order that was completed and reopened stands still already. At its first wait, an order without targets takes over the calendar and the
 * times of its row in `order_figures`.
 */
export async function letWait(tx: Tx, orderId: number, { for: awaited, text, until }: Wait) {
  await sql`
    insert into order_details as details (order_id, calendar_id, started, received_at, completed_at, used_time, waiting_for, waiting_text,
      waiting_since, waiting_until, paused_from)
    select order_id, calendar_id, started, received_at, completed_at, complete_time, ${awaited}, ${text}, now, ${until}::timestamptz,
      case when completed_at is null then working_time(calendar_id, now) end
    from order_figures cross join (select clock_timestamp() as now) as clock where order_id = ${orderId}
    on conflict (order_id) do update set
      calendar_id = coalesce(details.calendar_id, excluded.calendar_id), started = coalesce(details.started, excluded.started),
      received_at = coalesce(details.received_at, excluded.received_at), completed_at = coalesce(details.completed_at, excluded.completed_at),
      used_time = coalesce(details.used_time, excluded.used_time),
      waiting_for = excluded.waiting_for, waiting_text = excluded.waiting_text, waiting_until = excluded.waiting_until,
      waiting_since = coalesce(details.waiting_since, excluded.waiting_since),
      paused_from = case when coalesce(details.completed_at, excluded.completed_at) is null then
        coalesce(details.paused_from, working_time(coalesce(details.calendar_id, excluded.calendar_id), excluded.waiting_since))
      end`.execute(tx)
}

/** Ends the pause of a locked order; returns whether it had one. */
export async function resume(tx: Tx, orderId: number) {
  const { rows } = await sql`${resuming(sql<boolean>`details.order_id = ${orderId}`)}`.execute(tx)
  return rows.length > 0
}

export const resumed = (orderId: number, by: 'command' | 'message'): Change => ({
  kind: 'order.resumed',
  targetId: orderId,
  facts: { by, params: null },
  recipients: [],
})

/** Clears at most `most` pauses that are over, and notifies the people who work on those orders. */
export async function endWaits(tx: Tx, most: number) {
  const { rows } = await sql<{ id: number }>`
    select o.id from orders as o join order_details as details on order_id = o.id
    where waiting_since is not null and waiting_until <= statement_timestamp() order by waiting_until limit ${most} for update of o skip locked`.execute(
    tx,
  )
  return endOver(
    tx,
    rows.map(({ id }) => id),
  )
}

/**
 * Clears the pauses of locked orders that are over, because a wait ends at its `until`, whether or not the job has run. Every command that
 * begins or ends a wait calls this first, except moves, which clear the pause themselves.
 */
export async function endOver(tx: Tx, ids: readonly number[]) {
  if (ids.length === 0) return []
  const isOver = sql<boolean>`details.order_id = any(${ids}::int[]) and known.waiting_until <= statement_timestamp()`
  const { rows } = await sql<{
    orderId: number
    receiverId: number | null
    service: { nameAr: string; nameEn: string }
    requester: { username: string; displayNameAr: string | null; displayNameEn: string | null }
  }>`
    with ended as (${resuming(isOver)})
    select o.id as order_id, ${RECEIVER} as receiver_id, json_build_object('nameAr', services.name_ar, 'nameEn', services.name_en) as service,
      json_build_object('username', username, 'displayNameAr', display_name_ar, 'displayNameEn', display_name_en) as requester
    from orders as o join services on services.id = o.service_id join users on users.id = o.user_id
      left join service_handlings as handling on handling.service_id = o.service_id
    where o.id in (select order_id from ended) order by o.id`.execute(tx)
  return rows.map(
    ({ orderId, receiverId, service, requester }): Change => ({
      kind: 'order.resumed',
      targetId: orderId,
      facts: { by: 'until', params: paramsFor(service, requester) },
      recipients: receiverId === null ? [] : [receiverId],
    }),
  )
}
