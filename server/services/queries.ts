import { type Insertable, sql, type Updateable } from 'kysely'
import type { Reads, Tx } from '../platform/database/db.ts'
import { type Page, pageOf } from '../platform/http/page.ts'
import { refuse } from '../platform/refusal.ts'
import type { ServicesTable, Tables } from '../tables.ts'

type Category = Tables['serviceCategories']

const orderCount = sql<number>`(select coalesce(sum(count), 0)::bigint from service_order_counts where service_id = services.id)`.as(
  'orderCount',
)

/** Every service, available or not, with how many orders it has. */
export const listServices = (db: Reads) =>
  db.selectFrom('services').selectAll().select(orderCount).orderBy('sortOrder').orderBy('id').execute()

export const findService = async (db: Reads, id: number) =>
  (await db.selectFrom('services').selectAll().where('id', '=', id).executeTakeFirst()) ?? refuse('not_found')

/** Until the transaction ends, nobody else changes the service; it can still be ordered. */
export const holdService = async (tx: Tx, id: number) =>
  (await tx.selectFrom('services').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()) ?? refuse('not_found')

/** Until the transaction ends, nobody else changes the service or orders it, so that its orders can be counted before it goes. */
export const lockService = async (tx: Tx, id: number) =>
  (await tx.selectFrom('services').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()) ?? refuse('not_found')

/**
 * Holds the orders there are. Whoever deletes an order locks that first and its service, whose orders are counted, after it: so
 * must whoever deletes both, or they would wait for each other.
 */
export const holdOrders = (tx: Tx, id: number) =>
  sql`select count(*) from (select from orders where service_id = ${id} order by id for update) as held`.execute(tx)

export const countOrders = async (db: Reads, id: number) =>
  ((await db.selectFrom('services').select(orderCount).where('id', '=', id).executeTakeFirst()) ?? refuse('not_found')).orderCount

/** The orders of a service, newest first. They are counted as they come and go, so that none but those of the page are read. Refuses `not_found`. */
export async function pageOrdersOf(db: Reads, serviceId: number, page: Page) {
  const count = await countOrders(db, serviceId)
  const items = await db
    .selectFrom((orders) =>
      orders
        .selectFrom('orders')
        .selectAll()
        .where('serviceId', '=', serviceId)
        .orderBy('id', 'desc')
        .limit(page.limit!)
        .offset(page.offset!)
        .as('page'),
    )
    .innerJoin('users', 'users.id', 'page.userId')
    .select(['page.id', 'page.status', 'page.notes', 'page.createdAt', 'page.userId', 'username', 'displayNameAr', 'displayNameEn'])
    .orderBy('page.id', 'desc')
    .execute()
  return pageOf('items', items, count, page)
}

export const insertService = (tx: Tx, service: Insertable<ServicesTable>) =>
  tx.insertInto('services').values(service).returningAll().executeTakeFirstOrThrow()

export const updateService = (tx: Tx, id: number, fields: Updateable<ServicesTable>) =>
  tx
    .updateTable('services')
    .set({ ...fields, updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Its orders must have gone before. */
export const removeService = (tx: Tx, id: number) => tx.deleteFrom('services').where('id', '=', id).execute()

export const listCategories = (db: Reads) => db.selectFrom('serviceCategories').selectAll().orderBy('sortOrder').orderBy('id').execute()

/** Until the transaction ends, nobody else changes the category or puts a service into it. */
export const lockCategory = async (tx: Tx, id: number) =>
  (await tx.selectFrom('serviceCategories').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()) ?? refuse('not_found')

export const insertCategory = (tx: Tx, category: Insertable<Category>) =>
  tx.insertInto('serviceCategories').values(category).returningAll().executeTakeFirstOrThrow()

export const updateCategory = (tx: Tx, id: number, fields: Updateable<Category>) =>
  tx.updateTable('serviceCategories').set(fields).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** Takes every service out of a category; answers their ids. */
export async function emptyCategory(tx: Tx, id: number) {
  const { rows } = await sql<{ id: number }>`
    with emptied as (
      update services set category_id = null, updated_at = clock_timestamp() where category_id = ${id} returning id)
    select id from emptied order by id`.execute(tx)
  return rows.map((service) => service.id)
}

export const removeCategory = (tx: Tx, id: number) => tx.deleteFrom('serviceCategories').where('id', '=', id).execute()
