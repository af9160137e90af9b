/** Orders page by page, newest first, for administrators. */
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { Reads } from '../../platform/database/db.ts'
import { searchPattern } from '../../platform/database/search.ts'
import { paged } from '../../platform/http/lists.ts'
import { countsOf, daySpan, type Page, pageOf } from '../../platform/http/page.ts'
import type { OrderStatus } from '../../platform/tables.ts'
import { isForAnother } from './for-another.ts'
import { readViews, viewOf } from './queries.ts'
import { statuses } from './rules.ts'
import type { OrderFilter } from './shapes.ts'

type Filter = Static<typeof OrderFilter>

/** A page of the orders that match the filter, with the number of orders in each status that match all its other conditions. */
export async function pageOrders(db: Reads, filter: Filter) {
  const { status, ...others } = filter
  const matching = await conditionOf(db, others)
  const { rows } = await sql<{ status: OrderStatus; count: number }>`
    select status, count(*) from orders as o where ${matching} group by status`.execute(db)
  const { counts, total } = countsOf(statuses, rows, status)
  const wanted = status ? sql`${matching} and o.status = ${status}` : matching
  const some = sql`(select * from orders as o where ${wanted} order by id desc limit ${filter.limit} offset ${filter.offset}) as o`
  const items = await readViews(db, sql`${viewOf(some)} order by o.id desc`)
  return { ...pageOf('items', items, total, filter), counts }
}

async function conditionOf(db: Reads, { assignedTo, serviceId, userId, q, waitingMinutes, from, to }: Filter) {
  const { start, end } = daySpan({ from, to })
  const pattern = q ? await searchPattern(db, q) : null
  const conditions: RawBuilder<unknown>[] = [
    sql`true`,
    ...(assignedTo ? [sql`o.assigned_to = ${assignedTo}`] : []),
    ...(serviceId ? [sql`o.service_id = ${serviceId}`] : []),
    ...(userId ? [sql`o.user_id = ${userId}`] : []),
    ...(start ? [sql`o.created_at >= ${start}`] : []),
    ...(end ? [sql`o.created_at < ${end}`] : []),
    ...(waitingMinutes ? [sql`o.status = 'pending' and o.created_at <= now() - make_interval(mins => ${waitingMinutes})`] : []),
    ...(pattern ? [containing(pattern, sql`search like ${pattern}`)] : []),
  ]
  return sql.join(conditions, sql` and `)
}

/**
 * SQL: whether `pattern` matches an order’s note or the names of its service, or `condition` holds for a row of `users` that one of the
 * columns `people` names.
 */
export const containing = (pattern: string, condition: RawBuilder<unknown>, people = ['o.user_id']) => sql`(
  o.notes is not null and portal_fold(o.notes) like ${pattern}
  or o.service_id = any(array(select id from services where portal_fold(name_ar || E'\\x01' || name_en) like ${pattern}))
  or ${sql.join(
    people.map((column) => sql`${sql.ref(column)} = any(array(select id from users where ${condition}))`),
    sql` or `,
  )})`

/** The orders a person placed, newest first, without those for somebody else who still exists. */
export function pageOrdersOf(db: Reads, userId: number, page: Page) {
  const placed = db
    .selectFrom('orders')
    .innerJoin('services', 'services.id', 'orders.serviceId')
    .select(['orders.id', 'orders.status', 'orders.notes', 'orders.createdAt', 'orders.serviceId'])
    .select(['services.nameAr as serviceNameAr', 'services.nameEn as serviceNameEn'])
    .where('orders.userId', '=', userId)
    .where((where) => where.not(isForAnother('orders')))
    .orderBy('orders.id', 'desc')
  return paged(placed, page)
}
