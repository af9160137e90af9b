/** Decisions on orders that wait for approvals. The right to decide is judged at the time of the decision, once the order is locked. */
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import { administrators } from '../../platform/auth/held.ts'
import type { Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { calendarOf, microsecondsOf } from '../calendars/queries.ts'
import { decidingOn } from './deciders.ts'
import { move, type OrderView, readWritten } from './queries.ts'
import { askerOf, MOST_ASKED } from './rules.ts'
import { standingOf } from './standing.ts'

/** An open step of approval of an order. */
export interface OpenStep {
  place: number
  key: string
}

/**
 * Judges somebody who decides on a locked order. Refuses `not_found` to people who may not read it, and `forbidden` to its parties and to
 * readers who never decide on it. The returned `findStep` refuses `invalid_transition` unless a step is open that this person may decide.
 */
export async function judgeDecider(tx: Tx, order: OrderView, actor: Actor) {
  const deciding = await decidingOn(tx, order, actor.id)
  const { readsOrder, isParty, isAdmin, mayDecide } = standingOf(order, askerOf(actor), deciding)
  if (!readsOrder) refuse('not_found')
  if (isParty || !(deciding.isDecider || isAdmin)) refuse('forbidden')
  return {
    asAdmin: !deciding.isApprover,
    async findStep() {
      if (!mayDecide) refuse('invalid_transition')
      const { rows } = await sql<OpenStep>`
        select place, key from order_steps as step where order_id = ${order.id} and is_open(step)`.execute(tx)
      return rows[0] ?? refuse('invalid_transition')
    },
  }
}

interface Decision {
  asAdmin: boolean
  isDenial?: boolean
  note: string | null | undefined
}
/** Stores a decision, and returns its time; a second decision on the step by the same person replaces the first. */
export async function writeDecision(tx: Tx, orderId: number, { place }: OpenStep, { id, username }: Actor, decision: Decision) {
  const { asAdmin, isDenial = false, note } = decision
  const { rows } = await sql<{ at: Date }>`
    insert into order_approvals (order_id, place, approver_id, approver_username, as_admin, is_denial, note, at)
    values (${orderId}, ${place}, ${id}, ${username}, ${asAdmin}, ${isDenial}, ${note || null}, date_trunc('milliseconds', clock_timestamp()))
    on conflict (order_id, place, approver_id) do update set
      as_admin = excluded.as_admin, is_denial = excluded.is_denial, note = excluded.note, at = excluded.at
    returning at`.execute(tx)
  return rows[0]!.at
}

/**
 * Marks a step as done if it has all the approvals that it needs, and returns whether it has. Approvals count only while their givers are
 * approvers of the step or administrators. One by an administrator who is no approver of the step suffices.
 */
export async function finishStep(tx: Tx, { id: orderId }: OrderView, { place }: OpenStep, asAdmin: boolean) {
  const { rows } = await sql`
    update order_steps as step set done_at = clock_timestamp(), needed = enough
    from (
      select greatest(1, least(needed, (select count(*) from step_approvers(order_id, place)))) as enough
      from order_steps where order_id = ${orderId} and place = ${place}) as asked
    where step.order_id = ${orderId} and step.place = ${place} and (${asAdmin} or enough <= (
      select count(*) from order_approvals as given
      where given.order_id = ${orderId} and given.place = ${place} and not is_denial
        and (approves_step(step, approver_id) or approver_id = any(${administrators}))))
    returning step.place`.execute(tx)
  return rows.length > 0
}

/** Opens the next step of an order and returns it; null if none is left. */
export async function openNext(tx: Tx, orderId: number) {
  const { rows } = await sql<OpenStep>`
    update order_steps set opened_at = clock_timestamp()
    where order_id = ${orderId} and place = (select min(place) from order_steps where order_id = ${orderId} and opened_at is null)
    returning place, key`.execute(tx)
  return rows[0] ?? null
}

export const APPROVAL_REMINDERS = 'order_approval'
/**
 * SQL: the `object_id` of the reminder that tells administrators that nobody is left to approve the step at `place`. It is negative;
 * reminders to approvers have the place itself.
 */
export const leftAt = (place: RawBuilder<unknown>) => sql`-1 - ${place}`

/**
 * The people to ask for approval of each of these steps, of different orders, by the id of the order: the approvers of the step, with named
 * people and the manager before members of groups, or the administrators if it has none. At most 200, and no more than the requester may
 * still notify; they count towards the requester's limit. If a step has no approvers, a stored reminder keeps the job from telling
 * administrators again. The steps are taken by ascending requester, because the requesters’ shares of notices are locked in that order.
 */
export async function findAsked(tx: Tx, steps: { id: number; userId: number; place: number }[]) {
  if (steps.length === 0) return new Map<number, number[]>()
  const { rows } = await sql<{ id: number; ids: number[] }>`
    with step as materialized (
        select * from json_to_recordset(${JSON.stringify(steps)}::json) as step (id int, "userId" int, place int) order by "userId"),
      noted as (
        insert into reminders (kind, subject_id, object_id)
        select ${APPROVAL_REMINDERS}, id, ${leftAt(sql`place`)} from step
        where not exists (select from step_approvers(step.id, step.place)) on conflict do nothing)
    select step.id, asked.ids[:share_notices("userId", cardinality(asked.ids))] as ids
    from step cross join lateral (
      select array(
        select waiting.id from step_waits_for(step.id, step.place) as waiting order by waiting.place, waiting.id limit ${MOST_ASKED}) as ids
      offset 0) as asked`.execute(tx)
  return new Map(rows.map(({ id, ids }) => [id, ids]))
}

/** Releases a locked order to its team. Its clock starts now, by the current targets of its service and the calendar of its team. */
export async function release(tx: Tx, id: number) {
  const [written] = await move(tx, sql`hold = null`, sql`id = ${id}`)
  await sql`
    insert into order_details as details (order_id, calendar_id, started, receive_due, complete_due, due)
    select orders.id, calendar.id, start.time, start.time + ${microsecondsOf('receive_minutes')}, start.time + ${microsecondsOf('complete_minutes')},
      start.time + coalesce(${microsecondsOf('receive_minutes')}, ${microsecondsOf('complete_minutes')})
    from orders left join service_handlings using (service_id) left join service_teams as team on team.id = service_handlings.team_id
      left join order_details as known on known.order_id = orders.id
      cross join lateral (select ${calendarOf('team')} as id) as calendar
      cross join lateral (select working_time(calendar.id, orders.updated_at) as time) as start
    where orders.id = ${id} and num_nonnulls(receive_minutes, complete_minutes, known.wanted_at) > 0
    on conflict (order_id) do update set calendar_id = excluded.calendar_id, started = excluded.started, receive_due = excluded.receive_due,
      complete_due = excluded.complete_due, due = case when details.wanted_at is null then excluded.due else excluded.started end`.execute(
    tx,
  )
  return written!
}

/** Ends locked orders that did not get their approvals. This cannot be undone. */
export async function refuseHeld(tx: Tx, ids: readonly number[], lapseReason: 'undecided' | 'requester_gone' | null) {
  if (lapseReason) await sql`update order_details set lapse_reason = ${lapseReason} where order_id = any(${ids}::int[])`.execute(tx)
  await sql`
    update orders set status = 'cancelled', hold = 'refused', cancelled_at = clock_timestamp(), updated_at = clock_timestamp()
    where id = any(${ids}::int[])`.execute(tx)
  return readWritten(tx, ids)
}
