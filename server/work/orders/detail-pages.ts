/** Orders with what they have beyond the contract's fields, page by page. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Reads } from '../../platform/database/db.ts'
import { pageOf } from '../../platform/http/page.ts'
import { nameTeamsOf } from '../service-teams/queries.ts'
import { readDetailsOf } from './details.ts'
import { readViews, TEAM_ID, viewOf } from './queries.ts'
import { shownTo } from './rules.ts'
import type { DetailsFilter } from './shapes.ts'

/** The orders of the teams that the caller receives for or leads, oldest first. */
export async function pageTeamOrders(db: Reads, actor: Actor, filter: Static<typeof DetailsFilter>) {
  const { teamId, status, limit, offset } = filter
  const ids = (await nameTeamsOf(db, actor)).flatMap(({ id }) => (teamId === undefined || id === teamId ? [id] : []))
  const matching = sql`orders as o left join service_handlings as handling using (service_id)
    where ${sql.raw(TEAM_ID)} = any(${ids}::int[]) ${status ? sql`and o.status = ${status}` : sql``}`
  const { rows } = await sql<{ count: number }>`select count(*) from ${matching}`.execute(db)
  const some = sql`(select o.* from ${matching} order by o.id limit ${limit} offset ${offset}) as o`
  const orders = await readViews(db, sql`${viewOf(some)} order by o.id`)
  const details = await readDetailsOf(
    db,
    orders.map(({ id }) => id),
  )
  const items = orders.map((order) => ({ order: shownTo(order, actor), details: details.get(order.id)! }))
  return pageOf('items', items, rows[0]!.count, filter)
}
