/** Figures of orders by service and by day. They are read from rows that outlive the orders, so that no deletion improves a figure. */
import { sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Reads } from '../../platform/database/db.ts'
import { refuse, refuseField } from '../../platform/errors/refusal.ts'
import type { AsLongAs } from '../../platform/http/call-input.ts'
import { DAY_MS, daySpan } from '../../platform/http/page.ts'
import { listLed } from '../service-teams/queries.ts'

const MOST_DAYS = 92

export interface ReportFilter {
  from: string
  to: string
  teamId?: number
  serviceId?: number
}

/** Refuses impossible days, and spans of more than 92 days. */
export function checkDays(filter: ReportFilter) {
  const { start, end } = daySpan(filter)
  if (end!.getTime() - start!.getTime() > MOST_DAYS * DAY_MS) refuseField('to', 'maxDays', { limit: MOST_DAYS })
}

export interface Counted {
  /** The teams whose orders count; null for all orders, including those without a team. */
  teams: number[] | null
  /** Whether the caller is no administrator: leads do not know of orders that were never released. */
  isLead: boolean
}
/** The orders that the caller may count. Refuses `forbidden`. */
async function countableBy(db: Reads, actor: Actor, { teamId }: ReportFilter): Promise<Counted> {
  if (actor.isAdmin) return { teams: teamId === undefined ? null : [teamId], isLead: false }
  const led = actor.hasScope('orders:receive') ? await listLed(db, actor.id) : []
  if (led.length === 0 || (teamId !== undefined && !led.includes(teamId))) refuse('forbidden')
  return { teams: teamId === undefined ? led : [teamId], isLead: true }
}

/**
 * The orders that the caller may count. Ends a long answer once the caller may no longer count all of them. Refuses `forbidden`.
 */
export async function countedFor(db: Reads, actor: Actor, filter: ReportFilter, asLongAs: AsLongAs) {
  const counted = await countableBy(db, actor, filter)
  asLongAs(async (reader) => {
    const now = await countableBy(db, reader, filter)
    return !now.isLead || (counted.isLead && counted.teams!.every((id) => now.teams!.includes(id)))
  })
  return counted
}

/**
 * SQL: the CTEs `figure`, the orders that were placed on these days and belong to these teams now, for leads only released ones, and
 * `standing`, which adds whether each is late. Orders that never moved have no row of figures yet, so they are read from `orders`.
 */
const counted = ({ from, to, serviceId }: ReportFilter, { teams, isLead }: Counted) => {
  const ofService = serviceId === undefined ? sql`true` : sql`service_id = ${serviceId}`
  return sql`
  figure as (
    select one.*, coalesce(one.refusal, case when one.status = 'cancelled' then 'cancelled' when one.completed_at is not null then 'completed' else 'open' end) as outcome
    from (
        select order_id, service_id, team_id, day, status, refusal, reopen_count, completed_at, receive_time, complete_time, received_in_time,
          completed_in_time, late_at, is_held
        from order_figures where day between ${from}::date and ${to}::date and ${ofService}
        union all
        select id, service_id, team_id, office_day(created_at), status, null, 0, null, null, null, null, null, null, hold is not null
        from orders
        where status = 'pending' and ${ofService} and not exists (select from order_figures where order_id = orders.id)
          and created_at >= ${from}::date::timestamp - interval '2 days' and created_at < ${to}::date::timestamp + interval '2 days'
          and office_day(created_at) between ${from}::date and ${to}::date) as one
      left join service_handlings as handling using (service_id)
    where ${teams === null ? sql`true` : sql`coalesce(one.team_id, handling.team_id) = any(${teams}::int[])`}
      and ${isLead ? sql`not one.is_held` : sql`true`}),
  standing as (
    select figure.*, outcome = 'open' and coalesce(coalesce(late_at, next_by(details)) <= statement_timestamp(), false) as is_late
    from figure left join order_details as details on figure.outcome = 'open' and details.order_id = figure.order_id and details.due is not null)`
}

const MINUTE = sql.lit(60_000_000)
const inTime = (column: string) =>
  sql`json_build_object('count', count(*) filter (where ${sql.ref(column)}), 'base', count(${sql.ref(column)}))`
const shares = (column: string) => sql`percentile_cont(array[0.5, 0.9]) within group (order by (${sql.ref(column)} / ${MINUTE})::float8)`
const outcomes = (...names: string[]) =>
  sql.join(
    names.map((name) => sql`count(*) filter (where outcome = ${sql.lit(name)}) as ${sql.id(name)}`),
    sql`, `,
  )

interface Day {
  day: string
  placed: number
  completed: number
  open: number
  late: number
}
interface InTime {
  count: number
  base: number
}
interface Counts {
  placed: number
  completed: number
  cancelled: number
  denied: number
  lapsed: number
  reopened: number
  open: number
  late: number
  receivedInTime: InTime
  completedInTime: InTime
}
type Row = Counts & { serviceId: number | null; toReceive: number[] | null; toComplete: number[] | null }

/** Every day from `from` to `to`, both included. */
function daysBetween(from: string, to: string) {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) days.push(new Date(at).toISOString().slice(0, 10))
  return days
}

/** The figures of each service, and of all together, for orders placed on some days of the portal’s time zone. */
export async function readReport(db: Reads, actor: Actor, filter: ReportFilter, asLongAs: AsLongAs) {
  checkDays(filter)
  const { from, to } = filter
  const figures = counted(filter, await countedFor(db, actor, filter, asLongAs))
  const { rows } = await sql<Row>`
    with ${figures}
    select service_id, count(*) as placed, ${outcomes('completed', 'cancelled', 'denied', 'lapsed', 'open')},
      count(*) filter (where reopen_count > 0) as reopened, count(*) filter (where is_late) as late,
      ${inTime('received_in_time')} as received_in_time, ${inTime('completed_in_time')} as completed_in_time,
      ${shares('receive_time')} as to_receive, ${shares('complete_time')} as to_complete
    from standing group by grouping sets ((service_id), ())`.execute(db)
  const daily = await sql<Day & { serviceId: number | null }>`
    with ${figures}
    select service_id, day, count(*) as placed, ${outcomes('completed', 'open')}, count(*) filter (where is_late) as late
    from standing group by grouping sets ((service_id, day), (day))`.execute(db)
  const named = await sql<{ serviceId: number; serviceNameAr: string; serviceNameEn: string }>`
    select id as service_id, name_ar as service_name_ar, name_en as service_name_en from services
    where id = any(${rows.flatMap(({ serviceId }) => serviceId ?? [])}::int[]) order by sort_order, id`.execute(db)

  const perDay = new Map(daily.rows.map(({ serviceId, ...day }) => [`${serviceId} ${day.day}`, day]))
  const days = daysBetween(from, to)
  const shown = ({ serviceId, toReceive, toComplete, ...counts }: Row) => ({
    ...counts,
    medianMinutesToReceive: toReceive?.[0] ?? null,
    p90MinutesToReceive: toReceive?.[1] ?? null,
    medianMinutesToComplete: toComplete?.[0] ?? null,
    p90MinutesToComplete: toComplete?.[1] ?? null,
    byDay: days.map((day) => perDay.get(`${serviceId} ${day}`) ?? { day, placed: 0, completed: 0, open: 0, late: 0 }),
  })
  const byService = new Map(rows.map((row) => [row.serviceId, row]))
  return {
    total: shown(byService.get(null)!),
    services: named.rows.map((service) => ({ ...service, ...shown(byService.get(service.serviceId)!) })),
  }
}
