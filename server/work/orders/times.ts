/** The targets of orders, in the working time of their calendar. */
import { sql } from 'kysely'
import { calendarOf, microsecondsOf, workingTimeNow } from '../calendars/queries.ts'

/** SQL: stores the targets of the orders `written`, as their services set them now. */
export const TIMING = sql`
  insert into order_details (order_id, calendar_id, started, receive_due, complete_due, due)
  select written.id, calendar.id, start.time, start.time + ${microsecondsOf('receive_minutes')}, start.time + ${microsecondsOf('complete_minutes')},
    start.time + coalesce(${microsecondsOf('receive_minutes')}, ${microsecondsOf('complete_minutes')})
  from written join service_handlings using (service_id) left join service_teams as team on team.id = service_handlings.team_id
    cross join lateral (select ${calendarOf('team')} as id) as calendar
    cross join lateral (select working_time(calendar.id, written.created_at) as time) as start
  where receive_minutes is not null or complete_minutes is not null`

/**
 * SQL: notes on the orders `written`, which have just moved, when they were first claimed and completed, and what is due next. An act at the
 * very moment of its target is too late.
 */
export const NOTING = sql`
  update order_details as details set
    received_at = case when first.is_claim then now else details.received_at end,
    received_in_time = case when first.is_claim then time < details.receive_due else details.received_in_time end,
    completed_at = case when first.is_completion then now else details.completed_at end,
    completed_in_time = case when first.is_completion then time < details.complete_due else details.completed_in_time end,
    used_time = case when first.is_completion then time - details.started else details.used_time end,
    due = case
      when written.status in ('completed', 'cancelled') or details.completed_at is not null then null
      when written.status = 'pending' and details.received_at is null then coalesce(details.receive_due, details.complete_due)
      else details.complete_due end
  from written join order_details as known on known.order_id = written.id
    cross join lateral (select clock_timestamp() as now) as clock
    cross join lateral (select working_time(known.calendar_id, now) as time) as worked
    cross join lateral (
      select known.received_at is null and written.status in ('received', 'preparing', 'completed') as is_claim,
        known.completed_at is null and written.status = 'completed' as is_completion) as first
  where details.order_id = written.id and details.calendar_id is not null`

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
/** SQL: the columns of `Times` of a row of `order_details`, which may be missing. */
export const TIMES = sql`
  working_moment(details.calendar_id, details.receive_due) as receive_by, working_moment(details.calendar_id, details.complete_due) as complete_by,
  details.received_at, details.completed_at, details.received_in_time, details.completed_in_time,
  coalesce(details.due <= ${workingTimeNow('details.calendar_id')}, false) as is_late,
  coalesce(details.used_time, ${workingTimeNow('details.calendar_id')} - details.started) / 60000000 as minutes_used`
