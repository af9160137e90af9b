/** The targets of orders, in the working time of their calendar. */
import { type RawBuilder, sql } from 'kysely'
import { calendarOf, microsecondsOf } from '../calendars/queries.ts'

/**
 * SQL: stores the targets of those orders among `written` that need no approval or have been approved, as their services currently set
 * them.
 */
export const TIMING = sql`
  insert into order_details (order_id, calendar_id, started, receive_due, complete_due, due)
  select written.id, calendar.id, start.time, start.time + ${microsecondsOf('receive_minutes')}, start.time + ${microsecondsOf('complete_minutes')},
    start.time + coalesce(${microsecondsOf('receive_minutes')}, ${microsecondsOf('complete_minutes')})
  from written join service_handlings using (service_id) left join service_teams as team on team.id = service_handlings.team_id
    cross join lateral (select ${calendarOf('team')} as id) as calendar
    cross join lateral (select working_time(calendar.id, written.created_at) as time) as start
  where (receive_minutes is not null or complete_minutes is not null) and written.hold is null`

/**
 * SQL: the working time of the running pause of a row of `order_details`, until `now` or, if the wait ended earlier, until its end; 0
 * without a pause.
 */
export const pausing = (details: string, now: string) =>
  sql.raw(`case when ${details}.paused_from is null then 0
    else working_time(${details}.calendar_id, least(${now}, ${details}.waiting_until)) - ${details}.paused_from end`)

/**
 * SQL: ends the pause of a row `details` of `order_details`; `known` is the row as it was before. An order that is wanted at a given moment
 * keeps its target.
 */
const ENDING = sql`
    paused = details.paused + pause,
    complete_due = details.complete_due + case when known.wanted_at is null then pause else 0 end,
    waiting_for = null, waiting_text = null, waiting_since = null, waiting_until = null, paused_from = null`

/** SQL: ends the pauses of the orders whose details meet the condition, and returns the orders that had one. */
export const resuming = (chosen: RawBuilder<boolean>) => sql`
  update order_details as details set ${ENDING},
    due = case when known.wanted_at is null then details.due + pause else details.due end
  from order_details as known cross join lateral (select ${pausing('known', 'clock_timestamp()')} as pause) as running
  where details.order_id = known.order_id and known.waiting_since is not null and ${chosen}
  returning details.order_id`

/**
 * SQL: records for the orders `written`, which have just moved, when they were first claimed and completed and when their next target is
 * due, and ends their pauses. An act at the very moment of its target is too late.
 */
export const NOTING = sql`
  update order_details as details set
    received_at = case when first.is_claim then now else details.received_at end,
    received_in_time = case
      when not first.is_claim then details.received_in_time
      when known.receive_due is not null then coalesce(now < receive_by(known), true) end,
    completed_at = case when first.is_completion then now else details.completed_at end,
    completed_in_time = case
      when not first.is_completion then details.completed_in_time
      when num_nonnulls(known.complete_due, known.wanted_at) > 0 then coalesce(now < complete_by(known), true) end,
    used_time = case when first.is_completion then time - details.started - details.paused - pause else details.used_time end,
    ${ENDING},
    due = case
      when written.status in ('completed', 'cancelled') or details.completed_at is not null then null
      when known.wanted_at is not null then known.started
      when written.status = 'pending' and details.received_at is null then coalesce(details.receive_due, details.complete_due)
      else details.complete_due + pause end
  from written join order_details as known on known.order_id = written.id
    cross join lateral (select clock_timestamp() as now) as clock
    cross join lateral (select working_time(known.calendar_id, now) as time, ${pausing('known', 'now')} as pause) as worked
    cross join lateral (
      select known.received_at is null and written.status in ('received', 'preparing', 'completed') as is_claim,
        known.completed_at is null and written.status = 'completed' as is_completion) as first
  where details.order_id = written.id and (details.calendar_id is not null or details.waiting_since is not null)
  returning details.order_id, known.waiting_since is not null and coalesce(known.waiting_until > now, true) as was_waiting`

export interface Times {
  receiveBy: Date | null
  completeBy: Date | null
  receivedAt: Date | null
  completedAt: Date | null
  receivedInTime: boolean | null
  completedInTime: boolean | null
  isLate: boolean
  minutesUsed: number | null
}
/**
 * SQL: the columns of `Times` of an order `o` with rows `details` and `figures`, which may be missing. Without targets, `figures` has the
 * times of the first claim and completion. The calendar of an ended order may be deleted: its time would then count as 0.
 */
export const TIMES = sql`
  receive_by(details) as receive_by, complete_by(details) as complete_by,
  coalesce(details.received_at, figures.received_at) as received_at, coalesce(details.completed_at, figures.completed_at) as completed_at,
  details.received_in_time, details.completed_in_time,
  coalesce(next_by(details) <= statement_timestamp(), false) as is_late,
  coalesce(details.used_time, figures.complete_time, case when exists (select from working_calendars where id = details.calendar_id) then
    working_time(details.calendar_id, coalesce(o.cancelled_at, statement_timestamp())) - details.started - details.paused
      - (${pausing('details', 'statement_timestamp()')}) end) / 60000000 as minutes_used`
