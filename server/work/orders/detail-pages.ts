/** Pages of orders with their details. */
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import { namedLike } from '../../people/users/queries.ts'
import { idsIn } from '../../people/users/rules.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Reads } from '../../platform/database/db.ts'
import { searchPattern } from '../../platform/database/search.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { daySpan, pageOf } from '../../platform/http/page.ts'
import { belongsTo, nameTeamsOf } from '../service-teams/queries.ts'
import { RECEIVE } from '../service-teams/rules.ts'
import { WAITS } from './deciders.ts'
import { readDetailsOf } from './details.ts'
import { isReceivedBy } from './lists.ts'
import { containing } from './pages.ts'
import { readViews, viewOf } from './queries.ts'
import { shownTo } from './rules.ts'
import type { DetailsFilter } from './shapes.ts'
import { states } from './standing.ts'

type Filter = Static<typeof DetailsFilter>

const isOpen = sql`(o.status = 'pending' or o.status in ('received', 'preparing'))`
/** SQL: when the next target of an order is due. Most orders have none, so `next_by` is called only where `due` is set. */
const NEXT = sql`case when details.due is not null then next_by(details) end`
const END_OF_DAY = sql`(select end_of_day((statement_timestamp() at time zone usable_time_zone(time_zone))::date) from settings)`
/**
 * SQL: the working time of each calendar now and at the end of the day, computed once, because thousands of orders are compared with these
 * times.
 */
const CLOCKS = sql`(
  select id, working_time(id, statement_timestamp()) as now, working_time(id, ${END_OF_DAY}) as tonight from working_calendars offset 0)`
/** SQL: whether the next target depends on working time alone, so that `due` can be compared with the calendar’s clock. */
const IS_PLAIN = sql`details.wanted_at is null and details.paused_from is null`
/** SQL: for each state, whether an open order is in it. */
const inState: Record<(typeof states)[number], RawBuilder<unknown>> = {
  held: sql`o.hold = 'waiting'`,
  waiting: sql`is_waiting(details)`,
  late: sql`case when ${IS_PLAIN} then details.due <= clock.now else ${NEXT} <= statement_timestamp() end`,
  // A target at midnight belongs to the next day, although no working time passes between the end of work and midnight.
  due_today: sql`case
    when ${IS_PLAIN} then details.due > clock.now and (details.due < clock.tonight or details.due = clock.tonight and ${NEXT} < ${END_OF_DAY})
    else not is_waiting(details) and ${NEXT} > statement_timestamp() and ${NEXT} < ${END_OF_DAY} end`,
  later: sql`is_for_later(details)`,
}

const OPEN = sql`step.opened_at is not null and step.done_at is null`
/** SQL: the ids of the held orders that people managed by the caller have placed, and of all orders that were placed for such people. */
const ofManaged = (actor: Actor) => sql`array(
  select orders.id from managers join orders on orders.user_id = managers.user_id where manager_id = ${actor.id} and hold = 'waiting'
  union all select order_id from managers join order_details on beneficiary_id = managers.user_id where manager_id = ${actor.id})`
/**
 * SQL: the ids of the orders whose open step the caller can approve. Each branch of the union can use an index, because every page of the
 * view `approve` reads these orders.
 */
const approvedBy = (actor: Actor) => sql`
  select step.order_id as id from (
    select * from order_steps as step where ${OPEN} and user_ids @> array[${actor.id}]::int[]
    union all select * from order_steps as step where ${OPEN} and group_ids && ${[...actor.access.groupIds]}::int[]
    union all select * from order_steps as step where ${OPEN} and manager and order_id = any(${ofManaged(actor)})) as mine
    join order_steps as step using (order_id, place) where is_open(step) and approves_step(step, ${actor.id})`
/** SQL: whether the person in a row of `users` can still approve `step`. */
const IS_LEFT = sql`users.is_active and users.kind = 'person' and users.id not in (orders.user_id, beneficiary.id) and not exists (
  select from order_approvals as given where (given.order_id, given.place, given.approver_id) = (step.order_id, step.place, users.id) offset 0)`
/**
 * SQL: the open steps that nobody is left to approve. Spells out the conditions of `is_open` and `step_waits_for` instead of calling them
 * for each step, because thousands of steps may be open.
 */
export const LEFT = sql`
  select step.order_id as id, step.place, step.opened_at, orders.user_id, beneficiary.id as beneficiary_id
  from order_steps as step join orders on orders.id = step.order_id left join order_details as details on details.order_id = orders.id
    join users as beneficiary on beneficiary.id = coalesce(details.beneficiary_id, orders.user_id) and beneficiary.is_active
  where ${OPEN} and hold = 'waiting' and status = 'pending' and opened_at > statement_timestamp() - ${WAITS}
    and not exists (
      select from users where users.id = any(user_ids) and ${IS_LEFT})
    and not exists (
      select from group_users cross join lateral (select * from users where id = group_users.user_id offset 0) as users
      where group_id = any(group_ids) and ${IS_LEFT})
    and not (manager and exists (
      select from managers join users on users.id = manager_id
      where managers.user_id = beneficiary.id and ${IS_LEFT}))`
/** SQL: the orders in `LEFT` of which the caller, an administrator, is not a party. */
const leftTo = (actor: Actor) => sql`select id from (${LEFT}) as step where ${actor.id} not in (user_id, beneficiary_id)`

/**
 * The ids of the orders in the view `approve`: those whose open step has the caller among its approvers, even if they have approved it,
 * and, for an administrator who is not a party, those whose open step has no approver left.
 */
async function findAwaiting(db: Reads, actor: Actor) {
  const { rows } = await sql<{ id: number }>`${approvedBy(actor)} ${actor.isAdmin ? sql`union ${leftTo(actor)}` : sql``}`.execute(db)
  return rows.map(({ id }) => id)
}

const ofView = {
  mine: ({ id }: Actor) => sql`(o.user_id = ${id} or o.id = any(array(select order_id from order_details where beneficiary_id = ${id})))`,
  all: () => sql`true`,
  incoming: (actor: Actor) => sql`(
    o.status = 'pending' or o.assigned_to = ${actor.id} and o.status in ('received', 'preparing'))
    and o.hold is null and ${isReceivedBy(actor)}`,
}

/** SQL: whether the order `o` belongs to the view and the team of the filter. Refuses `forbidden` to callers who may not use the view. */
async function seenIn(db: Reads, actor: Actor, { view = 'mine', teamId }: Filter) {
  if ((view === 'all' && !actor.isAdmin) || (view === 'incoming' && !actor.can(RECEIVE))) refuse('forbidden')
  if (view === 'team') {
    const own = (await nameTeamsOf(db, actor)).map(({ id }) => id)
    return sql`o.hold is null and ${belongsTo(teamId === undefined ? own : own.filter((id) => id === teamId))}`
  }
  const whose = view === 'approve' ? sql`o.id = any(${await findAwaiting(db, actor)}::int[])` : ofView[view](actor)
  return teamId === undefined ? whose : sql`${whose} and ${belongsTo([teamId])}`
}

function assigned(to: string, actor: Actor) {
  if (to === 'none') return sql`o.assigned_to is null`
  return sql`o.assigned_to = ${to === 'me' ? actor.id : Number(to)}::bigint`
}

/** A page of the orders that match the filter, and the number of open orders in each state that match the filter apart from its state. */
export async function pageOrderDetails(db: Reads, actor: Actor, filter: Filter) {
  const { view = 'mine', ids, status, state, serviceId, assignedTo, q, limit, offset } = filter
  const { start, end } = daySpan(filter)
  const pattern = q ? await searchPattern(db, q) : null
  const conditions = [
    await seenIn(db, actor, filter),
    ...(ids ? [sql`o.id = any(${idsIn(ids)}::int[])`] : []),
    ...(status ? [sql`o.status = ${status}`] : []),
    ...(serviceId ? [sql`o.service_id = ${serviceId}`] : []),
    ...(assignedTo ? [assigned(assignedTo, actor)] : []),
    ...(start ? [sql`o.created_at >= ${start}`] : []),
    ...(end ? [sql`o.created_at < ${end}`] : []),
    // A search by e-mail address would let readers of the list guess addresses.
    ...(pattern
      ? [sql`(${containing(pattern, namedLike(pattern), ['o.user_id', 'details.beneficiary_id'])} or details.said like ${pattern})`]
      : []),
  ]
  const rows = sql`orders as o left join service_handlings as handling using (service_id) left join order_details as details on order_id = o.id
    left join ${CLOCKS} as clock on clock.id = details.calendar_id`
  const matching = sql.join(conditions, sql` and `)
  const counted = await sql<Record<string, number>>`
    select ${sql.join(
      states.map((one) => sql`count(*) filter (where ${inState[one]}) as ${sql.id(one)}`),
      sql`, `,
    )} from ${rows} where ${matching} and ${isOpen}`.execute(db)
  const wanted = state ? sql`${matching} and ${isOpen} and ${inState[state]}` : matching
  const { rows: all } = await sql<{ count: number }>`select count(*) from ${rows} where ${wanted}`.execute(db)
  const byAge = view === 'approve'
  const byDue = !byAge && (filter.sort ?? (view === 'team' || view === 'incoming' ? 'due' : 'newest')) === 'due'
  const order = byDue ? sql`order by next_at nulls last, id` : byAge ? sql`order by id` : sql`order by id desc`
  const some = sql`(
    select o.*, ${byDue ? NEXT : sql`null::timestamptz`} as next_at from ${rows} where ${wanted} ${order} limit ${limit} offset ${offset}) as o`
  const orders = await readViews(
    db,
    sql`${viewOf(some)} ${byDue ? sql`order by o.next_at nulls last, o.id` : byAge ? sql`order by o.id` : sql`order by o.id desc`}`,
  )
  const details = await readDetailsOf(db, orders, actor)
  const items = orders.map((one) => ({ order: shownTo(one, actor), details: details.get(one.id)! }))
  const { held, waiting, late, dueToday, later } = counted.rows[0]!
  const counts = { held, waiting, late, due_today: dueToday, later } as Record<(typeof states)[number], number>
  return { ...pageOf('items', items, all[0]!.count, filter), counts }
}
