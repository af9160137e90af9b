import { type RawBuilder, type Sql, sql } from 'kysely'
import type { PeopleQuery } from '../platform/changes/change-kind.ts'
import type { Reads, Tx } from '../platform/database/db.ts'
import { personOrNull } from '../platform/database/json.ts'
import { type Page, pageOf } from '../platform/http/page.ts'
import { refuse } from '../platform/refusal.ts'
import type { OrderStatus } from '../tables.ts'
import { type KnownOrder, nextStatuses, paramsFor, RECEIVE } from './rules.ts'

interface Person {
  id: number
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
  avatarUrl: string | null
}

/** An order as everyone who may see it sees it. */
export interface OrderView extends KnownOrder {
  serviceId: number
  notes: string | null
  createdAt: Date
  updatedAt: Date
  service: { id: number; nameAr: string; nameEn: string; imageUrl: string | null }
  requester: Person | null
  assignee: Person | null
  /** When the chance to undo the cancellation ends; null when there is none. */
  undoUntil: Date | null
}

/** How long a cancellation can be undone, on the database's clock. */
const UNDO = `interval '15 seconds'`

const VIEW = sql.raw(`o.id, o.service_id, o.user_id, o.assigned_to, o.notes, o.status, o.created_at, o.updated_at,
    json_build_object('id', services.id, 'nameAr', services.name_ar, 'nameEn', services.name_en, 'imageUrl', services.image_url) as service,
    ${personOrNull('requester')} as requester, ${personOrNull('assignee')} as assignee,
    case when o.cancelled_at >= clock_timestamp() - ${UNDO} then o.cancelled_at + ${UNDO} end as undo_until`)
const NAMES = sql.raw(`join services on services.id = o.service_id
  left join users as requester on requester.id = o.user_id
  left join users as assignee on assignee.id = o.assigned_to`)

/** Selects the view of orders from `rows`, which must name them `o`. */
const viewOf = (rows: RawBuilder<unknown>) => sql`select ${VIEW} from ${rows} ${NAMES}`

/** Ids of the active people who receive orders. */
export const receivers: PeopleQuery = sql`active_holders(${sql.lit(RECEIVE)})`

const readViews = async (db: Reads, statement: ReturnType<Sql>) => (await (statement as RawBuilder<OrderView>).execute(db)).rows

/** The orders a person placed, newest first. */
export const listOrdersOf = (db: Reads, userId: number) =>
  readViews(db, sql`${viewOf(sql`orders as o`)} where o.user_id = ${userId} order by o.id desc`)

/** The orders a receiver can claim or is working on, oldest first. */
export const listIncoming = (db: Reads, receiverId: number) =>
  readViews(
    db,
    sql`${viewOf(sql`(
      select * from orders where status = 'pending'
      union all
      select * from orders where assigned_to = ${receiverId} and status in ('received', 'preparing')
    ) as o`)} order by o.id`,
  )

/** An order after a move, and what its requester is besides. */
export interface Written {
  order: OrderView
  requester: { isAdmin: boolean; isReceiver: boolean }
}

/** What the requester of `o` may do besides what every requester may. */
const REQUESTER = sql`exists (
    select from effective_roles join roles on roles.id = role_id where user_id = o.user_id and roles.name = 'admin') as is_admin,
  exists (
    select from effective_roles join role_permissions using (role_id) join permissions on permissions.id = permission_id
    where user_id = o.user_id and permissions.name = ${sql.lit(RECEIVE)}) as is_receiver`

/** Runs a statement whose last CTE is `written`; returns the written orders as views. */
async function write(tx: Tx, statement: RawBuilder<unknown>): Promise<Written[]> {
  const { rows } = await sql<OrderView & Written['requester']>`
    ${statement} select ${VIEW}, ${REQUESTER} from written as o ${NAMES} order by o.id`.execute(tx)
  return rows.map(({ isAdmin, isReceiver, ...order }) => ({ order, requester: { isAdmin, isReceiver } }))
}

/** Places an order. Refuses `service_unavailable`, and `unauthorized` when the requester was deleted meanwhile. */
export async function placeOrder(tx: Tx, userId: number, { serviceId, notes = null }: { serviceId: number; notes?: string | null }) {
  const [placed] = await readViews(
    tx,
    sql`
      with wanted as materialized (select id from services where id = ${serviceId} and is_available for key share),
        orderer as materialized (select id from users where id = ${userId} for key share),
        written as (
          insert into orders (service_id, user_id, notes) select wanted.id, orderer.id, ${notes}::text from wanted, orderer returning *)
      ${viewOf(sql`written as o`)}`,
  )
  return placed ?? refuseToPlace(tx, userId)
}

async function refuseToPlace(tx: Tx, userId: number) {
  await checkPerson(tx, userId)
  return refuse('service_unavailable')
}

/** Refuses `unauthorized` when the person was deleted after authentication. */
const checkPerson = async (tx: Tx, id: number) =>
  (await tx.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) ?? refuse('unauthorized')

/** Locks an order until the transaction ends. Refuses `not_found`. */
export const lockOrder = async (tx: Tx, id: number) =>
  (await readViews(tx, sql`${viewOf(sql`orders as o`)} where o.id = ${id} for update of o`))[0] ?? refuse('not_found')

/** Locks those of the orders that exist, in the order of their ids. */
export const lockOrders = (tx: Tx, ids: number[]) =>
  tx
    .selectFrom('orders')
    .select(['id', 'status', 'userId', 'assignedTo'])
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .orderBy('id')
    .forUpdate()
    .execute()

/** Gives a pending order to a receiver; undefined when it is not pending or the receiver was deleted. */
export async function claimOrder(tx: Tx, id: number, receiverId: number) {
  const [claimed] = await write(
    tx,
    sql`
      with waiting as materialized (
          select id from orders where id = ${id} and status = 'pending' and assigned_to is null for no key update),
        receiver as materialized (select id from users where id = ${receiverId} and exists (select from waiting) for key share),
        written as (
          update orders set status = 'received', assigned_to = receiver.id, updated_at = clock_timestamp() from receiver
          where orders.id = ${id} and status = 'pending' and assigned_to is null returning orders.*)`,
  )
  return claimed
}

/** Refuses `not_found`, and `already_claimed` unless the order is pending. */
export async function checkWaiting(db: Reads, id: number) {
  const order = (await db.selectFrom('orders').select('status').where('id', '=', id).executeTakeFirst()) ?? refuse('not_found')
  if (order.status !== 'pending') refuse('already_claimed')
}

/** Refuses a claim that changed nothing, with the reason. */
export async function refuseClaim(tx: Tx, id: number, receiverId: number) {
  await checkPerson(tx, receiverId)
  await checkWaiting(tx, id)
  // The order was restored between the claim and this check.
  return refuse('already_claimed')
}

const move = (tx: Tx, set: RawBuilder<unknown>, where: RawBuilder<unknown>) =>
  write(tx, sql`with written as (update orders set ${set}, updated_at = clock_timestamp() where ${where} returning *)`)

/** Sets the status of a locked order; the time to undo a cancellation starts now. */
export async function setStatus(tx: Tx, id: number, status: OrderStatus) {
  const cancelledAt = status === 'cancelled' ? sql`clock_timestamp()` : sql`null`
  return (await move(tx, sql`status = ${status}, cancelled_at = ${cancelledAt}`, sql`id = ${id}`))[0]!
}

/** Undoes the cancellation of a locked order, to `status`. Refuses `undo_window_expired`. */
export async function restoreOrder(tx: Tx, id: number, status: OrderStatus) {
  const inTime = sql`id = ${id} and cancelled_at >= clock_timestamp() - ${sql.raw(UNDO)}`
  return (await move(tx, sql`status = ${status}, cancelled_at = null`, inTime))[0] ?? refuse('undo_window_expired')
}

/** An order as its requester sees it. */
function asRequested({ order, requester: { isAdmin, isReceiver } }: Written) {
  const requester = { id: order.userId, isAdmin, can: (permission: string) => permission === RECEIVE && isReceiver }
  return { ...order, next: nextStatuses(order, requester) }
}

/** The change of an order that moved from `from` to its present status. */
export const moved = (from: OrderStatus, written: Written) => {
  const { id, status: to, userId, service, assignee } = written.order
  const facts = { from, to, userId, params: paramsFor(service, assignee) }
  return { kind: 'order.moved', targetId: id, facts, payload: asRequested(written) } as const
}

/**
 * Locks the orders that someone placed or is working on. Call it before locking the person: a move locks the order first and the
 * people it notifies afterwards, and the opposite order would deadlock.
 */
export const lockOrdersAround = (tx: Tx, personId: number) =>
  sql`select from orders where user_id = ${personId} or assigned_to = ${personId} and status in ('received', 'preparing')
    order by id for update`.execute(tx)

/** Returns to pending the orders that a receiver is working on; answers the change of each. */
export async function returnOrdersOf(tx: Tx, receiverId: number) {
  const held = await tx
    .selectFrom('orders')
    .select(['id', 'status'])
    .where('assignedTo', '=', receiverId)
    .where('status', 'in', ['received', 'preparing'])
    .orderBy('id')
    .forUpdate()
    .execute()
  const statusOf = new Map(held.map(({ id, status }) => [id, status]))
  const returned = await move(tx, sql`status = 'pending', assigned_to = null`, sql`id = any(${[...statusOf.keys()]}::int[])`)
  return returned.map((written) => moved(statusOf.get(written.order.id)!, written))
}

type Which = { ids: number[] } | { serviceId: number } | { userId: number }
function chosen(which: Which) {
  if ('ids' in which) return sql`id = any(${which.ids}::int[])`
  if ('serviceId' in which) return sql`service_id = ${which.serviceId}`
  return sql`user_id = ${which.userId}`
}

/** Deletes orders by their ids, or all of a service or of a requester. Returns them as they were. */
export async function removeOrders(tx: Tx, which: Which) {
  const { rows } = await sql<KnownOrder>`
    delete from orders where id = any(array(select id from orders where ${chosen(which)} order by id for update))
    returning id, status, user_id, assigned_to`.execute(tx)
  return rows.sort((one, other) => one.id - other.id)
}

/** The orders a person placed, newest first. */
export async function pageOrdersOf(db: Reads, userId: number, page: Page) {
  const items = await db
    .selectFrom('orders')
    .innerJoin('services', 'services.id', 'orders.serviceId')
    .select(['orders.id', 'orders.status', 'orders.notes', 'orders.createdAt', 'orders.serviceId'])
    .select(['services.nameAr as serviceNameAr', 'services.nameEn as serviceNameEn'])
    .where('orders.userId', '=', userId)
    .orderBy('orders.id', 'desc')
    .limit(page.limit!)
    .offset(page.offset!)
    .execute()
  const { count } = await db
    .selectFrom('orders')
    .select(sql<number>`count(*)`.as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return pageOf('items', items, count, page)
}
