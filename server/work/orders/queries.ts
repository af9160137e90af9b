import { type RawBuilder, type Sql, sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { type Person, personJson, personOrNull } from '../../platform/database/json.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { OrderStatus } from '../../platform/tables.ts'
import { receives } from '../service-teams/queries.ts'
import { decidesOrder } from './deciders.ts'
import { isForAnother } from './for-another.ts'
import { type Asker, askerOf, type KnownOrder, mayRead, nextStatuses, paramsFor } from './rules.ts'
import { MOST_TRANSFERS } from './standing.ts'
import { NOTING, TIMES } from './times.ts'

export { TIMES }

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
  hold: 'waiting' | 'refused' | null
  beneficiaryId: number | null
  /** The further rights of the beneficiary; null if there is none or if they are inactive and get no notices. */
  beneficiary: Rights | null
  /** Whether the order has steps of approval. */
  needsApproval: boolean
}

/** The rights that a party has beyond those of every party. */
interface Rights {
  isAdmin: boolean
  isReceiver: boolean
  isLead: boolean
}

/** How long a cancellation can be undone, on the database's clock. */
const UNDO = `interval '15 seconds'`

/** SQL: the id of the team of an order: the team that it was handed over to, else the current team of its service. */
export const TEAM_ID = 'coalesce(o.team_id, handling.team_id)'

/** SQL: the assignee of an order, unless they no longer receive it: a membership may end before a job returns the order to pending. */
export const RECEIVER = sql.raw(`case when ${receives('o.assigned_to', TEAM_ID)} then o.assigned_to end`)

/** SQL: the team of an order. A deleted team has no groups and leads. */
const TEAM = `case when ${TEAM_ID} is not null then (
    select json_build_object('id', ${TEAM_ID}, 'groupIds', coalesce(max(group_ids), '{}'), 'leadUserIds', coalesce(max(lead_user_ids), '{}'))
    from service_teams where id = ${TEAM_ID}) end as team`

/** SQL: the rights towards `o` that a person may have beyond those of a party. */
const IS_ADMIN = (id: string) => `exists (
    select from effective_roles join roles on roles.id = role_id where user_id = ${id} and roles.name = 'admin' offset 0)`
const IS_LEAD = (id: string) => `exists (select from service_teams where id = ${TEAM_ID} and ${id} = any(lead_user_ids))`
const BENEFICIARY = `case when known.beneficiary_id is not null then (
    select json_build_object('isAdmin', ${IS_ADMIN('one.id')}, 'isReceiver', ${receives('one.id', TEAM_ID)}, 'isLead', ${IS_LEAD('one.id')})
    from users as one where one.id = known.beneficiary_id and one.is_active) end as beneficiary`

/** SQL: whether a cancellation can still be undone, never after a denial or a lapse. */
const IS_UNDOABLE = `o.cancelled_at >= clock_timestamp() - ${UNDO} and o.hold is distinct from 'refused'`

export const VIEW = sql.raw(`o.id, o.service_id, o.user_id, o.assigned_to, o.notes, o.status, o.created_at, o.updated_at, o.hold,
    known.beneficiary_id, coalesce(known.needs_approval, false) as needs_approval, ${BENEFICIARY},
    json_build_object('id', services.id, 'nameAr', services.name_ar, 'nameEn', services.name_en, 'imageUrl', services.image_url) as service,
    ${personOrNull('requester')} as requester, ${personOrNull('assignee')} as assignee,
    case when ${IS_UNDOABLE} then o.cancelled_at + ${UNDO} end as undo_until,
    ${IS_UNDOABLE} and not (${receives('o.assigned_to', TEAM_ID)}) as is_abandoned, ${TEAM}`)
export const NAMES = sql.raw(`join services on services.id = o.service_id
  left join service_handlings as handling on handling.service_id = o.service_id
  left join lateral (select beneficiary_id, needs_approval from order_details where order_id = o.id offset 0) as known on true
  left join users as requester on requester.id = o.user_id
  left join users as assignee on assignee.id = o.assigned_to`)

/** Selects the view of orders from `rows`, which must name them `o`. */
export const viewOf = (rows: RawBuilder<unknown>) => sql`select ${VIEW} from ${rows} ${NAMES}`

export const viewsOf = (ids: readonly number[]) => sql`${viewOf(sql`orders as o`)} where o.id = any(${ids}::int[])`

export const readViews = async <View extends OrderView = OrderView>(db: Reads, statement: ReturnType<Sql>) =>
  (await (statement as RawBuilder<View>).execute(db)).rows

/** An order after a move, with the facts about its requester that decide the next steps. */
export interface Written {
  order: OrderView
  requester: Rights
  /** Whether the move ended a wait. */
  wasWaiting: boolean
}

/** The rights of the requester of `o` beyond those of every requester. */
const REQUESTER = sql.raw(
  `${IS_ADMIN('o.user_id')} as is_admin, ${receives('o.user_id', TEAM_ID)} as is_receiver, ${IS_LEAD('o.user_id')} as is_lead`,
)

/** Runs a statement whose last CTE is `written`; returns the written orders as views. */
export async function write(tx: Tx, statement: RawBuilder<unknown>): Promise<Written[]> {
  const { rows } = await sql<OrderView & Written['requester'] & { wasWaiting: boolean }>`
    ${statement}, noted as (${NOTING})
    select ${VIEW}, ${REQUESTER}, exists (select from noted where order_id = o.id and was_waiting) as was_waiting from written as o ${NAMES} order by o.id`.execute(
    tx,
  )
  return rows.map(({ isAdmin, isReceiver, isLead, wasWaiting, ...order }) => ({
    order,
    requester: { isAdmin, isReceiver, isLead },
    wasWaiting,
  }))
}

/** The current state of orders that were changed by other statements than `write`. */
export async function readWritten(tx: Tx, ids: readonly number[]): Promise<Written[]> {
  const { rows } = await sql<OrderView & Rights>`
    select ${VIEW}, ${REQUESTER} from orders as o ${NAMES} where o.id = any(${ids}::int[]) order by o.id`.execute(tx)
  return rows.map(({ isAdmin, isReceiver, isLead, ...order }) => ({ order, requester: { isAdmin, isReceiver, isLead }, wasWaiting: false }))
}

/** An order that its reader may see. Refuses `not_found`. */
export async function readOrder(db: Reads, id: number, reader: Actor) {
  const [order] = await readViews(db, sql`${viewOf(sql`orders as o`)} where o.id = ${id}`)
  return order && (await reads(db, order, reader)) ? order : refuse('not_found')
}

/** Whether somebody may read an order: as a party, as staff, or as one who decides on it. */
export const reads = async (db: Reads, order: OrderView, reader: Actor) =>
  mayRead(order, askerOf(reader)) || (order.needsApproval && (await decidesOrder(db, order.id, reader.id)))

/** Locks an order until the transaction ends. Refuses `not_found`. */
export const lockOrder = async (tx: Tx, id: number) =>
  (await readViews(tx, sql`${viewOf(sql`orders as o`)} where o.id = ${id} for update of o`))[0] ?? refuse('not_found')

/** Locks the existing orders among `ids`, by ascending id. */
export const lockOrders = async (tx: Tx, ids: number[]) =>
  (
    await sql<KnownOrder>`
      select o.id, o.status, o.user_id, o.assigned_to, o.hold, ${sql.raw(TEAM)}
      from orders as o left join service_handlings as handling using (service_id)
      where o.id = any(${ids}::int[]) order by o.id for update of o`.execute(tx)
  ).rows

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
  const inTime = sql`id = ${id} and hold is distinct from 'refused' and cancelled_at >= clock_timestamp() - ${sql.raw(UNDO)}`
  const whose = status === 'pending' ? sql`, assigned_to = null` : sql``
  const written = (await move(tx, sql`status = ${status}, cancelled_at = null${whose}`, inTime))[0] ?? refuse('undo_window_expired')
  await sql`update order_details set cancel_reason = null where order_id = ${id} and cancel_reason is not null`.execute(tx)
  return written
}

interface Leaving {
  deletedPeople: readonly number[]
  /** SQL: the ids of the people who still receive orders after the change; null if only the deleted people lose the right. */
  receivers: RawBuilder<unknown> | null
  /** The memberships of groups that the change adds and ends. */
  memberships: { userId: number; otherId: number; isAdded: boolean }[]
  /** Limits the search to the orders of these people; without it, the orders of all people are searched. */
  among?: readonly number[]
  most: number
}
/**
 * The orders in work that would lose their receiver, and their number. Orders that would be deleted with the person who placed them are not
 * among them.
 */
export async function findReturned(db: Reads, { deletedPeople, receivers, memberships, among, most }: Leaving) {
  const pairs = (isAdded: boolean) => {
    const some = memberships.filter((move) => move.isAdded === isAdded)
    return sql`select unnest(${some.map(({ userId }) => userId)}::int[]), unnest(${some.map(({ otherId }) => otherId)}::int[])`
  }
  const isOfTeam = sql`exists (
    select from service_teams as team, (
        select user_id, group_id from group_users where user_id = o.assigned_to and (user_id, group_id) not in (${pairs(false)})
        union all ${pairs(true)}) as kept (user_id, group_id)
    where team.id = ${sql.raw(TEAM_ID)} and kept.user_id = o.assigned_to and kept.group_id = any(team.group_ids))`
  const isForeign = memberships.length ? sql`${sql.raw(TEAM_ID)} is not null and not ${isOfTeam}` : sql`false`
  const isLeft = sql`(${receivers ? sql`o.assigned_to not in (${receivers})` : sql`o.assigned_to = any(${deletedPeople}::int[])`} or ${isForeign})`
  const { rows } = await sql<{ orderId: number; service: { id: number; nameAr: string; nameEn: string }; user: Person; count: number }>`
    select o.id as order_id, json_build_object('id', services.id, 'nameAr', services.name_ar, 'nameEn', services.name_en) as service,
      ${sql.raw(personJson('assignee'))} as user, count(*) over () as count
    from orders as o join services on services.id = o.service_id join users as assignee on assignee.id = o.assigned_to
      left join service_handlings as handling on handling.service_id = o.service_id
    where o.status in ('received', 'preparing') and ${isLeft}
      and (o.user_id <> all(${deletedPeople}::int[]) or ${isForAnother('o', deletedPeople)})
      and ${among ? sql`o.assigned_to = any(${among}::int[])` : sql`true`}
    order by o.id limit ${most}`.execute(db)
  return { items: rows.map(({ count: _, ...order }) => order), count: rows[0]?.count ?? 0 }
}

/**
 * How many orders that wait for approvals would lapse because their beneficiary is among the people `gone`. The orders that `deleted`
 * people placed for themselves do not count, because they would be deleted.
 */
export async function countLapsed(db: Reads, gone: readonly number[], deleted: readonly number[]) {
  const { rows } = await sql<{ count: number }>`
    select count(*) from orders as o left join order_details on order_id = o.id
    where o.hold = 'waiting' and o.status = 'pending' and coalesce(beneficiary_id, o.user_id) = any(${gone}::int[])
      and not (beneficiary_id is null and o.user_id = any(${deleted}::int[]))`.execute(db)
  return rows[0]!.count
}

/** An order as its requester sees it. */
export function asRequested({ order, requester: { isAdmin, isReceiver, isLead } }: Written) {
  const requester: Asker = { id: order.userId, isAdmin, receives: () => isReceiver, leads: () => isLead, hasScope: () => true }
  return { ...order, next: nextStatuses(order, requester) }
}

/** The change of an order from its former state. */
export const moved = (was: Pick<KnownOrder, 'status' | 'assignedTo'>, written: Written, reason: string | null = null) => {
  const { id, status: to, userId, assignedTo, service, assignee } = written.order
  const { beneficiary, beneficiaryId } = written.order
  const facts = {
    ...{ from: was.status, to, userId, wasAssignedTo: was.assignedTo, assignedTo, params: paramsFor(service, assignee) },
    ...(beneficiary && { beneficiaryId: beneficiaryId! }),
    ...(written.wasWaiting && { endsWaiting: true }),
  }
  return { kind: 'order.moved', targetId: id, facts, payload: { ...asRequested(written), ...(reason && { reason }) } } as const
}

/** The change of an order that was handed over to another team. */
export const transferred = (was: KnownOrder, written: Written, team: { id: number; nameAr: string; nameEn: string }) => {
  const { id, userId, service, requester } = written.order
  const params = paramsFor(service, requester)
  const facts = {
    from: was.status,
    userId,
    wasAssignedTo: was.assignedTo,
    fromTeamId: was.team?.id ?? null,
    toTeamId: team.id,
    ...(written.wasWaiting && { endsWaiting: true }),
    params: { ar: { ...params.ar, team: team.nameAr }, en: { ...params.en, team: team.nameEn } },
  }
  return { kind: 'order.transferred', targetId: id, facts, payload: asRequested(written) } as const
}

/** Hands a locked order over to another team, where it waits. Refuses `invalid_transition` once it was handed over too often. */
export async function transferOrder(tx: Tx, id: number, teamId: number) {
  const { rows } = await sql`
    insert into order_details as details (order_id, transfer_count) values (${id}, 1)
    on conflict (order_id) do update set transfer_count = details.transfer_count + 1
      where details.transfer_count < ${sql.lit(MOST_TRANSFERS)} returning order_id`.execute(tx)
  if (rows.length === 0) refuse('invalid_transition')
  return (await move(tx, sql`status = 'pending', assigned_to = null, team_id = ${teamId}`, sql`id = ${id}`))[0]!
}

type Which = { ids: number[] } | { serviceId: number } | { userId: number }
function chosen(which: Which) {
  if ('ids' in which) return sql`id = any(${which.ids}::int[])`
  if ('serviceId' in which) return sql`service_id = ${which.serviceId}`
  return sql`user_id = ${which.userId}`
}

interface Gone extends Omit<KnownOrder, 'team' | 'beneficiaryId'> {
  teamId: number | null
  beneficiaryId: number | null
  /** The people who decided on the order, if it has steps of approval. */
  deciders: number[] | null
  files: { id: number; uuid: string }[] | null
}
/** Deletes orders with their files: those with given ids, or all orders of a service or of a requester. Returns the changes. */
export async function removeOrders(tx: Tx, which: Which) {
  const { rows } = await sql<Gone>`
    with gone as (
      delete from orders where id = any(array(select id from orders where ${chosen(which)} order by id for update)) returning *),
      files as (select order_id, object_id from order_files where order_id = any(array(select id from gone))),
      removed as (delete from objects where id = any(array(select object_id from files)) returning id, uuid)
    select o.id, o.status, o.user_id, o.assigned_to, o.hold, ${sql.raw(TEAM_ID)} as team_id, beneficiary_id,
      case when needs_approval then order_deciders(o.id) end as deciders,
      (select json_agg(json_build_object('id', removed.id, 'uuid', uuid)) from files join removed on removed.id = object_id
       where order_id = o.id) as files
    from gone as o left join service_handlings as handling using (service_id) left join order_details as details on details.order_id = o.id
    order by o.id`.execute(tx)
  return rows.flatMap(({ id, status, userId, assignedTo, hold, teamId, beneficiaryId, deciders, files }): Change[] => [
    {
      kind: 'order.deleted',
      targetId: id,
      facts: {
        ...{ status, userId, assignedTo },
        ...(teamId && { teamId }),
        ...(beneficiaryId && { beneficiaryId }),
        ...(hold && { isHeld: true }),
      },
      recipients: deciders ?? [],
    },
    ...(files ?? []).map((file) => ({ kind: 'object.removed' as const, targetId: file.id, facts: { uuid: file.uuid } })),
  ])
}
