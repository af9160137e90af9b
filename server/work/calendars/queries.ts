import { type RawBuilder, sql } from 'kysely'
import { brokenUnique, type Reads, type Tx } from '../../platform/database/db.ts'
import { byNameIn } from '../../platform/database/search.ts'
import { lockExisting } from '../../platform/database/sets.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { Language } from '../../platform/tables.ts'
import { MOST_CALENDARS, type Target, type WorkingTime } from './rules.ts'

interface Named {
  nameAr: string
  nameEn: string
}
export interface Calendar extends Named, WorkingTime {
  id: number
  isDefault: boolean
  createdAt: Date
  updatedAt: Date
}
const CALENDAR = sql`select id, name_ar, name_en, is_default, weekly, periods, days_off, created_at, updated_at from working_calendars`

const read = async (db: Reads, rest: RawBuilder<unknown>) => (await sql<Calendar>`${CALENDAR} ${rest}`.execute(db)).rows

/** Refuses `not_found`. */
export const findCalendar = async (db: Reads, id: number) => (await read(db, sql`where id = ${id}`))[0] ?? refuse('not_found')

export const listCalendars = (db: Reads, language: Language) => read(db, sql`order by ${byNameIn(language)}, id`)

/**
 * Locks the office's time zone until the transaction ends, so that no calendar is laid out in a former zone. Other transactions that add or
 * change calendars wait for this lock, because they count the calendars and replace the default one.
 */
export const lockZone = (tx: Tx) => sql`select from settings for no key update`.execute(tx)

/** Locks a calendar and, if it becomes the default one, also the current default, by ascending id. Refuses `not_found`. */
export const lockCalendar = async (tx: Tx, id: number, takesDefault: boolean) => {
  const rows = await read(tx, sql`where id = ${id} or ${takesDefault} and is_default order by id for update`)
  return rows.find((one) => one.id === id) ?? refuse('not_found')
}

/** Locks a calendar against deletion until the transaction ends. Refuses `unknown_ids`. */
export const lockNamedCalendar = (tx: Tx, id: number) => lockExisting(tx, 'workingCalendars', [id])

const named = (error: unknown): never => {
  if (brokenUnique(error)?.endsWith('_name_taken')) refuse('name_taken')
  throw error
}

type Fields = Partial<Named & WorkingTime & { isDefault: boolean }>
const stored = ({ weekly, periods, daysOff, ...names }: Fields) => ({
  ...names,
  ...(weekly && { weekly: JSON.stringify(weekly) }),
  ...(periods && { periods: JSON.stringify(periods) }),
  ...(daysOff && { daysOff: JSON.stringify(daysOff) }),
})

/** Makes the default calendar an ordinary one; returns its id. */
export async function giveUpDefault(tx: Tx) {
  const { rows } = await sql<{ id: number }>`
    update working_calendars set is_default = false, updated_at = clock_timestamp() where is_default returning id`.execute(tx)
  return rows[0]!.id
}

/** Refuses `name_taken`, and `too_many_items` beyond 20 calendars. */
export async function insertCalendar(tx: Tx, { isDefault = false, ...fields }: Fields & Named & WorkingTime) {
  const { rows } = await sql<{ count: number }>`select count(*) from working_calendars`.execute(tx)
  if (rows[0]!.count >= MOST_CALENDARS) refuse('too_many_items')
  const { weekly, periods, daysOff, ...names } = fields
  const row = { ...names, isDefault, weekly: JSON.stringify(weekly), periods: JSON.stringify(periods), daysOff: JSON.stringify(daysOff) }
  const { id } = await tx.insertInto('workingCalendars').values(row).returning('id').executeTakeFirstOrThrow().catch(named)
  return id
}

/** Refuses `name_taken`. */
export const updateCalendar = (tx: Tx, id: number, fields: Fields) =>
  tx
    .updateTable('workingCalendars')
    .set({ ...stored(fields), updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
    .catch(named)

export const removeCalendar = (tx: Tx, id: number) => tx.deleteFrom('workingCalendars').where('id', '=', id).execute()

/** The numbers of teams that have a calendar, and of open orders whose times it counts, even if only in their figures. */
export async function countDependents(tx: Tx, id: number) {
  const { rows } = await sql<{ teamCount: number; openOrderCount: number }>`
    select (select count(*) from service_teams where calendar_id = ${id}) as team_count,
      (select count(*) from orders where (status = 'pending' or status in ('received', 'preparing')) and (
        exists (select from order_details where order_id = orders.id and calendar_id = ${id} offset 0)
        or exists (select from order_figures where order_id = orders.id and calendar_id = ${id} offset 0))) as open_order_count`.execute(tx)
  return rows[0]!
}

const laidOut = ({ weekly, periods, daysOff }: WorkingTime) => sql`
  select starts_at, ends_at from (select usable_time_zone(time_zone) as zone, statement_timestamp() as now from settings) as office,
    laid_out(${JSON.stringify(weekly)}::jsonb, ${JSON.stringify(periods)}::jsonb, ${JSON.stringify(daysOff)}::jsonb, zone, now,
      laid_out_until(zone, now))`

/** Whether every period of 60 consecutive days within the next 800 contains working time. */
export async function hasWorkingTime(db: Reads, time: WorkingTime) {
  const { rows } = await sql<{ isUsual: boolean }>`
    with span as (${laidOut(time)}),
      gap as (
        select starts_at - lag(ends_at, 1, statement_timestamp()) over (order by starts_at) as length from span
        union all select statement_timestamp() + interval '800 days' - coalesce(max(ends_at), statement_timestamp()) from span)
    select max(length) < interval '60 days' as is_usual from gap`.execute(db)
  return rows[0]!.isUsual
}

/** The spans of a calendar, which must exist, on these days of the portal’s time zone, both included. */
export const listSpans = async (db: Reads, id: number, { from, to }: { from: string; to: string }) =>
  (
    await sql<{ startsAt: Date; endsAt: Date }>`
      select starts_at, ends_at
      from working_spans, (select end_of_day(${from}::date - 1) as since, end_of_day(${to}::date) as until offset 0) as days
      where calendar_id = ${id} and starts_at < until and ends_at > since order by starts_at`.execute(db)
  ).rows

/** SQL: the calendar of a row of `service_teams`; the default one if the row or its calendar is missing. */
export const calendarOf = (team: string) =>
  sql`coalesce(${sql.ref(`${team}.calendar_id`)}, (select id from working_calendars where is_default))`
/** SQL: a column of working minutes in microseconds, the unit of the clock of working time. */
export const microsecondsOf = (minutes: string) => sql`${sql.ref(minutes)} * 60000000::bigint`

/** SQL: the working time of a calendar until now. */
export const workingTimeNow = (calendarId: string) => sql`working_time(${sql.ref(calendarId)}, statement_timestamp())`

/** SQL: whether the targets of a row of `order_details` depend on working time alone, so that one call finds the moment of each. */
const IS_PLAIN = sql`wanted_at is null and paused_from is null`

/**
 * The open targets of the orders of a calendar, for claiming and for completing them, each with the moment when it is due; soonest first.
 */
const listTargets = async (db: Reads, id: number) =>
  (
    await sql<Target>`
      select order_id, is_claim, due_at
      from order_details as details cross join lateral (
        select true as is_claim, case when ${IS_PLAIN} then working_moment(calendar_id, receive_due) else receive_by(details) end as due_at
        where received_at is null and receive_due is not null
        union all
        select false, case when ${IS_PLAIN} then working_moment(calendar_id, complete_due) else complete_by(details) end
        where num_nonnulls(complete_due, wanted_at) > 0) as target
      where calendar_id = ${id} and due is not null order by due_at, order_id, is_claim`.execute(db)
  ).rows

/**
 * The open targets of a calendar as they are, and as a change of its times would move them. Makes the change and rolls it back to a
 * savepoint, which also releases its locks. Refuses `not_found`.
 */
export async function rehearseTimes(tx: Tx, id: number, changeOf: (before: Calendar) => Promise<Partial<WorkingTime>>) {
  await sql`savepoint rehearsal`.execute(tx)
  await lockZone(tx)
  const change = await changeOf(await lockCalendar(tx, id, false))
  const targets = await listTargets(tx, id)
  await updateCalendar(tx, id, change)
  const moved = await listTargets(tx, id)
  await sql`rollback to savepoint rehearsal`.execute(tx)
  return { targets, moved }
}

/** Lays out the missing spans at the ends of all calendars. */
export const layOutFurther = (tx: Tx) =>
  sql`select lay_out(id, statement_timestamp(), true) from (select id from working_calendars order by id) as calendars`.execute(tx)

/**
 * Lays out each calendar whose coming spans no longer match its hours, because the rules of the time zone have changed: from the end of the
 * office's present day, so that working time which has passed is not counted again. Returns the ids of these calendars.
 */
export async function layOutMoved(tx: Tx) {
  const { rows } = await sql<{ id: number }>`
    with office as materialized (
        select zone, last, end_of_day((statement_timestamp() at time zone zone)::date) as since, end_of_day(last) as until
        from settings cross join usable_time_zone(time_zone) as zone cross join laid_out_until(zone, statement_timestamp()) as last),
      moved as materialized (
        select id, since from working_calendars as calendar cross join office
        where exists (
          select from (
              select greatest(starts_at, since) as starts_at, ends_at from working_spans
              where calendar_id = calendar.id and ends_at > since and starts_at < until) as stored
            full join laid_out(weekly, periods, days_off, zone, since, last) as given using (starts_at, ends_at)
          where stored.starts_at is null or given.starts_at is null)
        order by id)
    select id, lay_out(id, since) from moved`.execute(tx)
  return rows.map(({ id }) => id)
}
