/** The receiver of an order: claiming, releasing, assigning, and the orders of a receiver who goes. */
import { sql } from 'kysely'
import { nameAsListed, namedLike } from '../../people/users/queries.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { type Person, personJson } from '../../platform/database/json.ts'
import { searchPattern } from '../../platform/database/search.ts'
import { refuseUnknown } from '../../platform/database/sets.ts'
import { refuseField } from '../../platform/errors/refusal.ts'
import { isPresent } from '../../platform/events/presence.ts'
import type { Language } from '../../platform/tables.ts'
import { move, moved, receivers, receives, write } from './queries.ts'

interface Claim {
  id: number
  receiverId: number
}

/** Gives each pending order to its first claimer. `lost`: the orders that exist but could not be claimed, by id. */
export async function claimOrders(tx: Tx, claims: Claim[]) {
  const taken = await write(
    tx,
    sql`
      with line as materialized (
          select distinct on (id) id, "receiverId"
          from rows from (json_to_recordset(${JSON.stringify(claims)}::json) as (id int, "receiverId" int)) with ordinality as line (id, "receiverId", place)
          order by id, place),
        waiting as materialized (
          select id from orders where id = any(array(select id from line)) and status = 'pending' and assigned_to is null
          order by id for update),
        written as (
          update orders set status = 'received', assigned_to = line."receiverId", updated_at = clock_timestamp()
          from line join waiting using (id) where orders.id = line.id returning orders.*)`,
  )
  const written = claims.map(({ id, receiverId }) => taken.find(({ order }) => order.id === id && order.assignedTo === receiverId))
  const inVain = claims.filter((_, n) => !written[n]).map(({ id }) => id)
  return { written, lost: inVain.length ? await readLost(tx, inVain) : new Map<number, never>() }
}

const readLost = async (tx: Tx, ids: number[]) =>
  new Map(
    (await tx.selectFrom('orders').select(['id', 'status', 'assignedTo']).where('id', 'in', ids).execute()).map((order) => [
      order.id,
      order,
    ]),
  )

/** Returns a locked order to pending. */
export const releaseOrder = async (tx: Tx, id: number) => (await move(tx, sql`status = 'pending', assigned_to = null`, sql`id = ${id}`))[0]!

/**
 * Locks a receiver against deletion until the transaction ends. Refuses `unknown_ids` unless they exist and are active, and
 * `validation_failed` when they do not receive orders.
 */
export async function lockReceiver(tx: Tx, id: number) {
  const { rows } = await sql<{ id: number; receives: boolean }>`
    select id, ${sql.raw(receives('users.id'))} as receives from users where id = ${id} and is_active and kind = 'person' for key share`.execute(
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
/** Everyone who may receive orders with their number of orders in work; people present come first, then by displayed name. */
export async function listReceivers(db: Reads, { q, limit = 20, offset = 0 }: PeopleFilter, language: Language) {
  const pattern = q ? await searchPattern(db, q) : null
  const { rows } = await sql<Receiver>`
    select ${sql.raw(personJson('u'))} as user, ${sql.raw(isPresent('u.id'))} as present,
      (select count(*) from orders where assigned_to = u.id and ${inWork}) as open
    from users as u where u.id = any(${receivers}) ${pattern ? sql`and (${namedLike(pattern)})` : sql``}
    order by present desc, ${sql.raw(nameAsListed[language])}, u.id limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Assigns a locked order to a receiver. */
export const giveOrder = async (tx: Tx, id: number, receiverId: number) =>
  (await move(tx, sql`status = 'received', assigned_to = ${receiverId}`, sql`id = ${id}`))[0]!

/** The ids of people who work on orders but may no longer receive any. */
export async function findUnentitled(tx: Tx) {
  const { rows } = await sql<{ id: number }>`
    select distinct assigned_to as id from orders where ${inWork} except select unnest(${receivers}) order by id`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Locks the orders that someone placed or is working on. Call it before locking the person: a move locks the order first and then the
 * people whom it notifies, and the opposite order would deadlock.
 */
export const lockOrdersAround = (tx: Tx, personId: number) =>
  sql`select from orders where user_id = ${personId} or assigned_to = ${personId} and ${inWork} order by id for update`.execute(tx)

/** Returns to pending the orders that receivers are working on; returns the change of each. */
export async function returnOrdersOf(tx: Tx, receiverIds: number[]): Promise<Change[]> {
  const held = await tx
    .selectFrom('orders')
    .select(['id', 'status', 'assignedTo'])
    .where('assignedTo', '=', sql<number>`any(${receiverIds}::int[])`)
    .where('status', 'in', ['received', 'preparing'])
    .orderBy('id')
    .forUpdate()
    .execute()
  const known = new Map(held.map((order) => [order.id, order]))
  const returned = await move(tx, sql`status = 'pending', assigned_to = null`, sql`id = any(${[...known.keys()]}::int[])`)
  return returned.map((written) => moved(known.get(written.order.id)!, written))
}
