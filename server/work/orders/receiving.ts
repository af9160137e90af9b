/** The receiver of an order: claiming, releasing, assigning, and returning the orders of people who no longer receive them. */
import { type RawBuilder, sql } from 'kysely'
import { nameAsListed, namedLike } from '../../people/users/queries.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { type Person, personJson } from '../../platform/database/json.ts'
import { searchPattern } from '../../platform/database/search.ts'
import { refuseUnknown } from '../../platform/database/sets.ts'
import { refuseField } from '../../platform/errors/refusal.ts'
import { isPresent } from '../../platform/events/presence.ts'
import type { Language } from '../../platform/tables.ts'
import { isInTeam, receiversOf, receives } from '../service-teams/queries.ts'
import { move, moved, readViews, TEAM_ID, viewOf, write } from './queries.ts'
import type { OrderFacts } from './rules.ts'

interface Claim {
  id: number
  receiverId: number
}

/**
 * Gives each pending order to the first of its claimers who may receive it. `written` has the order of each claim, undefined if the claim
 * failed; `lost` has, by id, the existing orders that could not be claimed.
 */
export async function claimOrders(tx: Tx, claims: Claim[]) {
  const taken = await write(
    tx,
    sql`
      with claim as materialized (
          select * from rows from (json_to_recordset(${JSON.stringify(claims)}::json) as (id int, "receiverId" int))
            with ordinality as claim (id, "receiverId", place)),
        line as materialized (
          select distinct on (o.id) o.id, "receiverId"
          from claim cross join lateral (select id, service_id, team_id from orders where id = claim.id offset 0) as o
            left join service_handlings as handling using (service_id)
          where ${sql.raw(isInTeam('"receiverId"', TEAM_ID))} order by o.id, place),
        waiting as materialized (
          select o.id from orders as o join line using (id) left join service_handlings as handling using (service_id)
          where status = 'pending' and hold is null and assigned_to is null and ${sql.raw(isInTeam('"receiverId"', TEAM_ID))}
          order by o.id for update of o),
        written as (
          update orders set status = 'received', assigned_to = line."receiverId", updated_at = clock_timestamp()
          from line join waiting using (id) where orders.id = line.id returning orders.*)`,
  )
  const written = claims.map(({ id, receiverId }) => taken.find(({ order }) => order.id === id && order.assignedTo === receiverId))
  const inVain = claims.filter((_, n) => !written[n]).map(({ id }) => id)
  return { written, lost: inVain.length ? await readLost(tx, inVain) : new Map<number, never>() }
}

async function readLost(tx: Tx, ids: number[]) {
  const orders = await readViews(tx, sql`${viewOf(sql`orders as o`)} where o.id = any(${ids}::int[])`)
  return new Map(orders.map((order) => [order.id, order]))
}

/** Returns a locked order to pending. */
export const releaseOrder = async (tx: Tx, id: number) => (await move(tx, sql`status = 'pending', assigned_to = null`, sql`id = ${id}`))[0]!

/**
 * Locks a receiver against deletion until the transaction ends. Refuses `unknown_ids` unless they exist and are active, and
 * `validation_failed` if they do not receive the orders of this team.
 */
export async function lockReceiver(tx: Tx, id: number, team: OrderFacts['team']) {
  const { rows } = await sql<{ id: number; receives: boolean }>`
    select id, ${sql.raw(receives('users.id', String(team?.id ?? null)))} as receives from users where id = ${id} and is_active and kind = 'person' for key share`.execute(
    tx,
  )
  refuseUnknown([id], rows)
  if (!rows[0]!.receives) refuseField('userId', 'receiver')
}

const inWork = sql`status in ('received', 'preparing')`

interface PeopleFilter {
  q?: string
  limit?: number
  offset?: number
}
interface Receiver {
  user: Person
  open: number
  present: boolean
}
/** The people who may receive the orders of a team, with their number of orders in work: present people first, then by displayed name. */
export async function listReceivers(db: Reads, { q, limit, offset = 0 }: PeopleFilter, teamId: number | null, language: Language) {
  const pattern = q ? await searchPattern(db, q) : null
  const { rows } = await sql<Receiver>`
    select ${sql.raw(personJson('u'))} as user, ${sql.raw(isPresent('u.id'))} as present,
      (select count(*) from orders where assigned_to = u.id and ${inWork}) as open
    from users as u where u.id = any(${receiversOf(teamId)}) ${pattern ? sql`and (${namedLike(pattern)})` : sql``}
    order by present desc, ${sql.raw(nameAsListed[language])}, u.id limit ${limit ?? null}::int offset ${offset}`.execute(db)
  return rows
}

/** Assigns a locked order to a receiver. */
export const giveOrder = async (tx: Tx, id: number, receiverId: number) =>
  (await move(tx, sql`status = 'received', assigned_to = ${receiverId}`, sql`id = ${id}`))[0]!

const isForeign = sql.raw(`${TEAM_ID} is not null and not ${isInTeam('o.assigned_to', TEAM_ID)}`)

/**
 * The ids of accounts that work on orders which they may no longer receive. However many orders are in work, the right is judged once for
 * each account, and membership once for each of its services and teams.
 */
export async function findUnentitled(tx: Tx) {
  const { rows } = await sql<{ id: number }>`
    with o as materialized (select distinct assigned_to, service_id, team_id from orders where ${inWork})
    select assigned_to as id from (select distinct assigned_to from o) as worker where not (${sql.raw(receives('worker.assigned_to', 'null'))})
    union select o.assigned_to from o left join service_handlings as handling using (service_id) where ${isForeign} order by id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Returns to pending the orders that these accounts work on and may no longer receive; returns the change of each. */
export async function returnForeignOrders(tx: Tx, workers: number[]) {
  const { rows } = await sql<{ id: number }>`
    select o.id from orders as o left join service_handlings as handling using (service_id)
    where ${inWork} and o.assigned_to = any(${workers}::int[]) and not (${sql.raw(receives('o.assigned_to', TEAM_ID))})`.execute(tx)
  return returnOrders(tx, sql<boolean>`id = any(${rows.map(({ id }) => id)}::int[])`)
}

/**
 * Locks the orders that a person placed or works on, or that are for them. Call it before locking the person: a move first locks the order
 * and then the people whom it notifies, and the opposite order would deadlock.
 */
export const lockOrdersAround = (tx: Tx, personId: number) =>
  sql`
    select from orders
    where user_id = ${personId} or assigned_to = ${personId} and ${inWork}
      or id = any(array(select order_id from order_details where beneficiary_id = ${personId})) order by id for update`.execute(tx)

/** Returns to pending the orders that receivers are working on; returns the change of each. */
export const returnOrdersOf = (tx: Tx, receiverIds: number[]) => returnOrders(tx, sql<boolean>`assigned_to = any(${receiverIds}::int[])`)

async function returnOrders(tx: Tx, which: RawBuilder<boolean>): Promise<Change[]> {
  const held = await tx
    .selectFrom('orders')
    .select(['id', 'status', 'assignedTo'])
    .where(which)
    .where('status', 'in', ['received', 'preparing'])
    .orderBy('id')
    .forUpdate()
    .execute()
  const known = new Map(held.map((order) => [order.id, order]))
  const returned = await move(tx, sql`status = 'pending', assigned_to = null`, sql`id = any(${[...known.keys()]}::int[])`)
  return returned.map((written) => moved(known.get(written.order.id)!, written))
}
