/** Lets working time pass in working calendars. */
import { type RawBuilder, sql } from 'kysely'
import type { TestPortal } from './portal.ts'

/** Changes the spans of a calendar that have begun, and corrects the sums of all its spans. */
async function change(portal: TestPortal, calendarId: number, set: RawBuilder<unknown>) {
  const db = portal.instance.db.writes
  await sql`update working_spans set ${set} where calendar_id = ${calendarId} and starts_at <= now()`.execute(db)
  await sql`
    update working_spans as span set before = counted.before from (
      select starts_at, sum(microseconds(ends_at - starts_at)) over (order by starts_at) - microseconds(ends_at - starts_at) as before
      from working_spans where calendar_id = ${calendarId}) as counted
    where calendar_id = ${calendarId} and span.starts_at = counted.starts_at`.execute(db)
}

/**
 * Lets `minutes` of working time pass in a calendar whose teams work now. Moves back the spans that have begun, but not the end of the running
 * one, and also `late_at` of its deleted orders, which is a timestamp and not working time.
 */
export async function elapse(portal: TestPortal, calendarId: number, minutes: number) {
  const passed = sql`make_interval(mins => ${minutes})`
  await change(
    portal,
    calendarId,
    sql`starts_at = starts_at - ${passed}, ends_at = case when ends_at > now() then ends_at else ends_at - ${passed} end`,
  )
  await sql`
    update order_figures set late_at = late_at - make_interval(mins => ${minutes})
    where calendar_id = ${calendarId} and late_at is not null`.execute(portal.instance.db.writes)
}

/** Ends the running span of this calendar now, so that nobody works until the next span. */
export const close = (portal: TestPortal, calendarId: number) =>
  change(portal, calendarId, sql`ends_at = least(ends_at, clock_timestamp())`)

/** Begins the next span of this calendar now. */
export const reopen = (portal: TestPortal, calendarId: number) =>
  sql`update working_spans set starts_at = now() where calendar_id = ${calendarId} and starts_at = (
    select min(starts_at) from working_spans where calendar_id = ${calendarId} and starts_at > now())`.execute(portal.instance.db.writes)
