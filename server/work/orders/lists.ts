/** The lists of orders for requesters and receivers. */
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import { batchesOf } from '../../platform/database/batches.ts'
import type { Reads } from '../../platform/database/db.ts'
import type { AsLongAs } from '../../platform/http/call-input.ts'
import { type OrderView, readViews, TEAM_ID, viewOf } from './queries.ts'

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

/** SQL: whether an order has no team, or the caller, a receiver of orders, receives for its team. */
export const isReceivedBy = (receiver: Actor) => sql`(${sql.raw(TEAM_ID)} is null or exists (
  select from service_teams where id = ${sql.raw(TEAM_ID)} and group_ids && ${[...receiver.access.groupIds]}::int[]))`

/** Whether a receiver receives for every team now for which they did before. */
async function receivesOn(db: Reads, { access: before }: Actor, { access: now }: Actor) {
  const lost = [...before.groupIds.difference(now.groupIds)]
  if (lost.length === 0) return true
  const { rows } = await sql`
    select from service_teams where group_ids && ${lost}::int[] and not group_ids && ${[...now.groupIds]}::int[] limit 1`.execute(db)
  return rows.length === 0
}

/** The orders a receiver can claim or is working on, oldest first. A long answer ends once the receiver leaves one of their teams. */
export function listIncoming(db: Reads, receiver: Actor, asLongAs: AsLongAs) {
  asLongAs((now) => receivesOn(db, receiver, now))
  return batchesOf<OrderView, number>({
    read: (after, rows) => {
      const open = (condition: RawBuilder<unknown>) =>
        sql`(select o.* from orders as o left join service_handlings as handling using (service_id)
          where ${condition} and hold is null and ${isReceivedBy(receiver)} and id > ${after ?? 0} order by id limit ${rows})`
      const theirs = sql`assigned_to = ${receiver.id} and status in ('received', 'preparing')`
      return readViews(
        db,
        sql`${viewOf(sql`(${open(sql`status = 'pending'`)} union all ${open(theirs)}) as o`)} order by o.id limit ${rows}`,
      )
    },
    keyOf: ({ id }) => id,
  })
}
