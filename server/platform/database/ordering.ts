/** The order that administrators give to all rows of a table. */
import { sql } from 'kysely'
import { refuse } from '../errors/refusal.ts'
import type { Tx } from './db.ts'

/** The tables with a `sort_order`, and whether they have an `updated_at`. */
const ordered = { apps: true, services: true, service_categories: false }

/** Refuses `unknown_ids` and `missing_ids` unless the order has every existing id and no other. */
function checkWhole(present: readonly number[], order: readonly number[]) {
  const [known, named] = [new Set(present), new Set(order)]
  const unknownIds = order.filter((id) => !known.has(id))
  if (unknownIds.length) refuse('unknown_ids', { body: { unknownIds } })
  const missingIds = present.filter((id) => !named.has(id))
  if (missingIds.length) refuse('missing_ids', { body: { missingIds } })
}

/** Puts all rows in this order. Returns the change of order and the ids of the rows that moved; null if the order stays. */
export async function orderAll(tx: Tx, table: keyof typeof ordered, order: readonly number[]) {
  const rows = sql.table(table)
  const { rows: present } = await sql<{ id: number; place: number }>`
    select id, row_number() over (order by sort_order, id) as place
    from (select id, sort_order from ${rows} order by id for no key update) as locked order by id`.execute(tx)
  const from = present.toSorted((one, other) => one.place - other.place).map(({ id }) => id)
  checkWhole(
    present.map(({ id }) => id),
    order,
  )
  if (from.join() === order.join()) return null
  const { rows: moved } = await sql<{ id: number }>`
    update ${rows} as one set sort_order = place ${ordered[table] ? sql`, updated_at = clock_timestamp()` : sql``}
    from unnest(${order}::int[]) with ordinality as given (id, place)
    where one.id = given.id and sort_order <> place returning one.id`.execute(tx)
  return { changed: { order: { from, to: [...order] } }, moved: moved.map(({ id }) => id) }
}
