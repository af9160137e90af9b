import { type RawBuilder, type Sql, sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import type { PeopleQuery } from '../../platform/changes/change-kind.ts'
import { batchesOf } from '../../platform/database/batches.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { type Person, personJson, personOrNull } from '../../platform/database/json.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { OrderStatus } from '../../platform/tables.ts'
import { type KnownOrder, mayRead, nextStatuses, paramsFor, RECEIVE } from './rules.ts'

/** The fields of an order that everyone who may see it gets. */
export interface OrderView extends KnownOrder {
  serviceId: number
  notes: string | null
  createdAt: Date
  updatedAt: Date
  service: { id: number; nameAr: string; nameEn: string; imageUrl: string | null }
  requester: Person | null
  assignee: Person | null
  /** The end of the undo window of a cancellation; null without one. */
  undoUntil: Date | null
}

/** How long a cancellation can be undone, on the database's clock. */
const UNDO = `interval '15 seconds'`

/** SQL: whether the active person with this id receives orders. Without `offset 0`, the planner may read the roles of all people first. */
export const receives = (id: string) => `exists (
  select from users as receiver join effective_roles on user_id = receiver.id
    join role_permissions using (role_id) join permissions on permissions.id = permission_id
  where receiver.id = ${id} and receiver.is_active and receiver.kind = 'person' and permissions.name = '${RECEIVE}' offset 0)`

const VIEW = sql.raw(`o.id, o.service_id, o.user_id, o.assigned_to, o.notes, o.status, o.created_at, o.updated_at,
    json_build_object('id', services.id, 'nameAr', services.name_ar, 'nameEn', services.name_en, 'imageUrl', services.image_url) as service,
    ${personOrNull('requester')} as requester, ${personOrNull('assignee')} as assignee,
    case when o.cancelled_at >= clock_timestamp() - ${UNDO} then o.cancelled_at + ${UNDO} end as undo_until,
    o.cancelled_at >= clock_timestamp() - ${UNDO} and not ${receives('o.assigned_to')} as is_abandoned`)
const NAMES = sql.raw(`join services on services.id = o.service_id
  left join users as requester on requester.id = o.user_id
  left join users as assignee on assignee.id = o.assigned_to`)

/** Selects the view of orders from `rows`, which must name them `o`. */
export const viewOf = (rows: RawBuilder<unknown>) => sql`select ${VIEW} from ${rows} ${NAMES}`

/** Ids of the active people who receive orders. */
export const receivers: PeopleQuery = sql`active_holders(${sql.lit(RECEIVE)})`

export const readViews = async <View extends OrderView = OrderView>(db: Reads, statement: ReturnType<Sql>) =>
  (await (statement as RawBuilder<View>).execute(db)).rows

/** The orders a person placed, newest first. */
export const listOrdersOf = (db: Reads, userId: number) =>
  batchesOf<OrderView, number>({
    read: (after, rows) =>
      readViews(
        db,
        sql`${viewOf(sql`orders as o`)} where o.user_id = ${userId} ${after === null ? sql`` : sql`and o.id < ${after}`}
          order by o.id desc limit ${rows}`,
      ),
    keyOf: ({ id }) => id,
  })

/** The orders a receiver can claim or is working on, oldest first. */
export const listIncoming = (db: Reads, receiverId: number) =>
  batchesOf<OrderView, number>({
    read: (after, rows) => {
      const open = (condition: RawBuilder<unknown>) =>
        sql`(select * from orders where ${condition} and id > ${after ?? 0} order by id limit ${rows})`
      const theirs = sql`assigned_to = ${receiverId} and status in ('received', 'preparing')`
      return readViews(
        db,
        sql`${viewOf(sql`(${open(sql`status = 'pending'`)} union all ${open(theirs)}) as o`)} order by o.id limit ${rows}`,
      )
    },
    keyOf: ({ id }) => id,
  })

/** An order after a move, with the facts about its requester that decide the next steps. */
export interface Written {
  order: OrderView
  requester: { isAdmin: boolean; isReceiver: boolean }
}

/** The rights of the requester of `o` beyond those of every requester. */
const REQUESTER = sql`exists (
    select from effective_roles join roles on roles.id = role_id where user_id = o.user_id and roles.name = 'admin' offset 0) as is_admin,
  exists (
    select from effective_roles join role_permissions using (role_id) join permissions on permissions.id = permission_id
    where user_id = o.user_id and permissions.name = ${sql.lit(RECEIVE)} offset 0) as is_receiver`

/** Runs a statement whose last CTE is `written`; returns the written orders as views. */
export async function write(tx: Tx, statement: RawBuilder<unknown>): Promise<Written[]> {
  const { rows } = await sql<OrderView & Written['requester']>`
    ${statement} select ${VIEW}, ${REQUESTER} from written as o ${NAMES} order by o.id`.execute(tx)
  return rows.map(({ isAdmin, isReceiver, ...order }) => ({ order, requester: { isAdmin, isReceiver } }))
}

interface Placing {
  userId: number
  serviceId: number
  notes?: string | null | undefined
}

/** The most waiting orders of one person; a trigger enforces it under concurrency. */
export const MOST_PENDING = 100

interface Placed {
  isAvailable: boolean
  /** How many orders of this person are waiting. */
  pending: number
  /** Null if the service is unavailable or the person has too many waiting orders. */
  order: OrderView | null
}

/** Places orders, at most one per person, and locks their services. */
export async function placeOrders(tx: Tx, placings: Placing[]): Promise<Placed[]> {
  const lines = placings.map(({ userId, serviceId, notes = null }, place) => ({ place, userId, serviceId, notes }))
  const { rows } = await sql<OrderView & { isAvailable: boolean; pending: number }>`
    with line as materialized (
        select * from json_to_recordset(${JSON.stringify(lines)}::json) as line (place int, "userId" int, "serviceId" int, notes text)),
      available as materialized (
        select id from services where id = any(array(select "serviceId" from line)) and is_available order by id for key share),
      known as materialized (select line.*, pending_orders_of("userId")::int as pending from line),
      chosen as materialized (
        select nextval('orders_id_seq')::int as id, place, "serviceId", "userId", notes
        from (select known.* from known join available on available.id = "serviceId"
          where pending < ${sql.lit(MOST_PENDING)} order by place) as known),
      written as (
        insert into orders (id, service_id, user_id, notes) overriding system value
        select id, "serviceId", "userId", notes from chosen order by place returning *)
    select available.id is not null as is_available, pending, seen.*
    from known left join available on available.id = known."serviceId"
      left join (select chosen.place, ${VIEW} from written as o join chosen using (id) ${NAMES}) as seen using (place)
    order by known.place`.execute(tx)
  return rows.map(({ isAvailable, pending, ...order }) => ({ isAvailable, pending, order: order.id ? order : null }))
}

/** An order that its reader may see. Refuses `not_found`. */
export async function readOrder(db: Reads, id: number, reader: Actor) {
  const [order] = await readViews(db, sql`${viewOf(sql`orders as o`)} where o.id = ${id}`)
  return order && mayRead(order, reader) ? order : refuse('not_found')
}

/** Locks an order until the transaction ends. Refuses `not_found`. */
export const lockOrder = async (tx: Tx, id: number) =>
  (await readViews(tx, sql`${viewOf(sql`orders as o`)} where o.id = ${id} for update of o`))[0] ?? refuse('not_found')

/** Locks those of the orders that exist, by ascending id. */
export const lockOrders = (tx: Tx, ids: number[]) =>
  tx
    .selectFrom('orders')
    .select(['id', 'status', 'userId', 'assignedTo'])
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .orderBy('id')
    .forUpdate()
    .execute()

/** Updates the matching orders; returns each as it is afterwards. */
export const move = (tx: Tx, set: RawBuilder<unknown>, where: RawBuilder<unknown>) =>
  write(tx, sql`with written as (update orders set ${set}, updated_at = clock_timestamp() where ${where} returning *)`)

/** Sets the status of a locked order; the undo window of a cancellation starts now. */
export async function setStatus(tx: Tx, id: number, status: OrderStatus) {
  const cancelledAt = status === 'cancelled' ? sql`clock_timestamp()` : sql`null`
  return (await move(tx, sql`status = ${status}, cancelled_at = ${cancelledAt}`, sql`id = ${id}`))[0]!
}

/** Undoes the cancellation of a locked order, to `status`; a pending order loses its receiver. Refuses `undo_window_expired`. */
export async function restoreOrder(tx: Tx, id: number, status: OrderStatus) {
  const inTime = sql`id = ${id} and cancelled_at >= clock_timestamp() - ${sql.raw(UNDO)}`
  const whose = status === 'pending' ? sql`, assigned_to = null` : sql``
  return (await move(tx, sql`status = ${status}, cancelled_at = null${whose}`, inTime))[0] ?? refuse('undo_window_expired')
}

interface Leaving {
  deletedPeople: readonly number[]
  /** SQL: the ids of the people who still receive orders afterwards; null if everybody who stays does. */
  receivers: RawBuilder<unknown> | null
  most: number
}
/** The orders in work that would lose their receiver, and their number. Orders placed by a deleted person are not among them. */
export async function findReturned(db: Reads, { deletedPeople, receivers, most }: Leaving) {
  const isLeft = receivers ? sql`o.assigned_to not in (${receivers})` : sql`o.assigned_to = any(${deletedPeople}::int[])`
  const { rows } = await sql<{ orderId: number; service: { id: number; nameAr: string; nameEn: string }; user: Person; count: number }>`
    select o.id as order_id, json_build_object('id', services.id, 'nameAr', services.name_ar, 'nameEn', services.name_en) as service,
      ${sql.raw(personJson('assignee'))} as user, count(*) over () as count
    from orders as o join services on services.id = o.service_id join users as assignee on assignee.id = o.assigned_to
    where o.status in ('received', 'preparing') and ${isLeft} and o.user_id <> all(${deletedPeople}::int[])
    order by o.id limit ${most}`.execute(db)
  return { items: rows.map(({ count: _, ...order }) => order), count: rows[0]?.count ?? 0 }
}

/** An order as its requester sees it. */
function asRequested({ order, requester: { isAdmin, isReceiver } }: Written) {
  const requester = { id: order.userId, isAdmin, can: (permission: string) => permission === RECEIVE && isReceiver, hasScope: () => true }
  return { ...order, next: nextStatuses(order, requester) }
}

/** The change of an order from its former state. */
export const moved = (was: Pick<KnownOrder, 'status' | 'assignedTo'>, written: Written) => {
  const { id, status: to, userId, assignedTo, service, assignee } = written.order
  const facts = { from: was.status, to, userId, wasAssignedTo: was.assignedTo, assignedTo, params: paramsFor(service, assignee) }
  return { kind: 'order.moved', targetId: id, facts, payload: asRequested(written) } as const
}

type Which = { ids: number[] } | { serviceId: number } | { userId: number }
function chosen(which: Which) {
  if ('ids' in which) return sql`id = any(${which.ids}::int[])`
  if ('serviceId' in which) return sql`service_id = ${which.serviceId}`
  return sql`user_id = ${which.userId}`
}

/** Deletes orders by their ids, or all of a service or of a requester. Returns the changes. */
export async function removeOrders(tx: Tx, which: Which) {
  const { rows } = await sql<KnownOrder>`
    delete from orders where id = any(array(select id from orders where ${chosen(which)} order by id for update))
    returning id, status, user_id, assigned_to`.execute(tx)
  const gone = rows.sort((one, other) => one.id - other.id)
  return gone.map(({ id, ...facts }) => ({ kind: 'order.deleted', targetId: id, facts }) as const)
}
