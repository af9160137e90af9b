import { isDeepStrictEqual } from 'node:util'
import { type Insertable, sql, type Updateable } from 'kysely'
import { findOpenGroups, keepingUndoable } from '../../people/groups/queries.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { bySortOrder, countOf, inOrder, partIn } from '../../platform/http/lists.ts'
import { type Page, pageOf } from '../../platform/http/page.ts'
import type { Tables } from '../../platform/tables.ts'
import { type ApprovalStep, existingIn, isKnownTo } from '../service-handlings/queries.ts'

export { isKnownTo }

type Category = Tables['serviceCategories']

/** The number of orders of a service; those that were never released are counted for administrators only. */
const orderCount = (isAdmin: boolean) =>
  sql<number>`(select coalesce(sum(count - case when ${isAdmin} then 0 else held end), 0)::bigint
    from service_order_counts where service_id = services.id)`.as('orderCount')

/** Every service that the caller may know of, available or not, with the number of its orders. */
export const listServices = (db: Reads, actor: Actor, part: Page) =>
  inOrder(db.selectFrom('services').selectAll().select(orderCount(actor.isAdmin)).where(isKnownTo(actor)), bySortOrder('services'), part)

export const countServices = (db: Reads, actor: Actor) => countOf(db.selectFrom('services').where(isKnownTo(actor)))

export const readServicesInOrder = (db: Reads) => db.selectFrom('services').selectAll().orderBy('sortOrder').orderBy('id').execute()

export const findService = async (db: Reads, id: number) =>
  (await db.selectFrom('services').selectAll().where('id', '=', id).executeTakeFirst()) ?? refuse('not_found')

/** Refuses `not_found` for an unknown service, and for one that the caller may not know of. */
export const findKnownService = async (db: Reads, id: number, actor: Actor) =>
  (await db.selectFrom('services').selectAll().where('id', '=', id).where(isKnownTo(actor)).executeTakeFirst()) ?? refuse('not_found')

/** Locks a service against changes until the transaction ends; it can still be ordered. Refuses `not_found`. */
export const lockServiceForChange = async (tx: Tx, id: number) =>
  (await tx.selectFrom('services').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()) ?? refuse('not_found')

/** Locks a service against changes and orders until the transaction ends, so that its count of orders stays right. Refuses `not_found`. */
export const lockService = async (tx: Tx, id: number) =>
  (await tx.selectFrom('services').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()) ?? refuse('not_found')

/**
 * Locks the orders of a service. Call it before locking the service: the deletion of an order first locks the order and then its service,
 * to count it, and the opposite order would deadlock.
 */
export const lockOrdersOfService = (tx: Tx, id: number) =>
  sql`select count(*) from (select from orders where service_id = ${id} order by id for update) as held`.execute(tx)

export const countOrders = async (db: Reads, id: number) =>
  ((await db.selectFrom('services').select(orderCount(true)).where('id', '=', id).executeTakeFirst()) ?? refuse('not_found')).orderCount

/** The orders of a service, newest first. Their total comes from a counter, so only the page is read. Refuses `not_found`. */
export async function pageOrdersOf(db: Reads, serviceId: number, page: Page) {
  const count = await countOrders(db, serviceId)
  const items = await db
    .selectFrom((orders) =>
      partIn(orders.selectFrom('orders').selectAll().where('serviceId', '=', serviceId).orderBy('id', 'desc'), page).as('page'),
    )
    .innerJoin('users', 'users.id', 'page.userId')
    .select(['page.id', 'page.status', 'page.notes', 'page.createdAt', 'page.userId', 'username', 'displayNameAr', 'displayNameEn'])
    .orderBy('page.id', 'desc')
    .execute()
  return pageOf('items', items, count, page)
}

export const insertService = (tx: Tx, service: Insertable<Tables['services']>) =>
  tx.insertInto('services').values(service).returningAll().executeTakeFirstOrThrow()

export const updateService = (tx: Tx, id: number, fields: Updateable<Tables['services']>) =>
  tx
    .updateTable('services')
    .set({ ...fields, updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Deletes a service, which must have no orders. */
export const removeService = (tx: Tx, id: number) => tx.deleteFrom('services').where('id', '=', id).execute()

export const listCategories = (db: Reads, part: Page) =>
  inOrder(db.selectFrom('serviceCategories').selectAll(), bySortOrder('serviceCategories'), part)

export const readCategoriesInOrder = (db: Reads) =>
  db.selectFrom('serviceCategories').selectAll().orderBy('sortOrder').orderBy('id').execute()

/** Refuses `not_found`. */
export const findCategory = async (db: Reads, id: number) =>
  (await db.selectFrom('serviceCategories').selectAll().where('id', '=', id).executeTakeFirst()) ?? refuse('not_found')

/** Locks a category against changes and new services until the transaction ends. Refuses `not_found`. */
export const lockCategory = async (tx: Tx, id: number) =>
  (await tx.selectFrom('serviceCategories').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()) ?? refuse('not_found')

export const insertCategory = (tx: Tx, category: Insertable<Category>) =>
  tx.insertInto('serviceCategories').values(category).returningAll().executeTakeFirstOrThrow()

export const updateCategory = (tx: Tx, id: number, fields: Updateable<Category>) =>
  tx.updateTable('serviceCategories').set(fields).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** Removes every service from a category; returns their ids. */
export async function emptyCategory(tx: Tx, id: number) {
  const { rows } = await sql<{ id: number }>`
    with emptied as (
      update services set category_id = null, updated_at = clock_timestamp() where category_id = ${id} returning id)
    select id from emptied order by id`.execute(tx)
  return rows.map((service) => service.id)
}

export const removeCategory = (tx: Tx, id: number) => tx.deleteFrom('serviceCategories').where('id', '=', id).execute()

export interface Handling {
  audience: 'everyone' | 'groups'
  audienceGroupIds: number[]
  teamId: number | null
  /** The targets: working minutes from the placing of an order to its claim, and to its completion. */
  receiveMinutes: number | null
  completeMinutes: number | null
  /** The people who may order the service for somebody else, besides its team. */
  onBehalf: 'nobody' | 'groups' | 'everyone'
  onBehalfGroupIds: number[]
  /** The approvals before work, in their order. */
  steps: ApprovalStep[]
  /** The number of days after its first completion for which an order can be reopened. */
  reopenDays: number
}
export const noHandling: Handling = {
  audience: 'everyone',
  audienceGroupIds: [],
  teamId: null,
  receiveMinutes: null,
  completeMinutes: null,
  onBehalf: 'nobody',
  onBehalfGroupIds: [],
  steps: [],
  reopenDays: 0,
}

/** The handling of a service; `noHandling` if none is stored. Deleted groups and people are left out. */
export async function findHandling(db: Reads, serviceId: number): Promise<Handling> {
  const { rows } = await sql<Handling>`
    select audience, array(select id from groups where id = any(audience_group_ids) order by id) as audience_group_ids, team_id,
      receive_minutes, complete_minutes, on_behalf,
      array(select id from groups where id = any(on_behalf_group_ids) order by id) as on_behalf_group_ids, steps, reopen_days
    from service_handlings where service_id = ${serviceId}`.execute(db)
  return rows[0] ? { ...rows[0], steps: await existingIn(db, rows[0].steps) } : noHandling
}

/** The handling of a service, and those of its groups that people may ask to join. */
export async function readHandling(db: Reads, serviceId: number) {
  const handling = await findHandling(db, serviceId)
  const named = [...handling.audienceGroupIds, ...handling.onBehalfGroupIds, ...handling.steps.flatMap(({ groupIds }) => groupIds)]
  return { ...handling, openGroupIds: await findOpenGroups(db, [...new Set(named)]) }
}

/** Stores the handling of a locked service. A handling with only defaults is not stored. */
export async function setHandling(tx: Tx, serviceId: number, handling: Handling) {
  if (isDeepStrictEqual(handling, noHandling)) return tx.deleteFrom('serviceHandlings').where('serviceId', '=', serviceId).execute()
  const { steps, ...fields } = await withUndoable(tx, serviceId, handling)
  const row = { ...fields, steps: JSON.stringify(steps) }
  return tx
    .insertInto('serviceHandlings')
    .values({ serviceId, ...row })
    .onConflict((conflict) => conflict.column('serviceId').doUpdateSet(row))
    .execute()
}

/** Adds to a handling those groups of the stored handling that are deleted but can still be restored. */
async function withUndoable(tx: Tx, serviceId: number, handling: Handling): Promise<Handling> {
  const { rows } = await sql<Pick<Handling, 'audienceGroupIds' | 'onBehalfGroupIds' | 'steps'>>`
    select audience_group_ids, on_behalf_group_ids, steps from service_handlings where service_id = ${serviceId}`.execute(tx)
  const [stored] = rows
  if (!stored) return handling
  const groupsOf = (key: string) => stored.steps.find((step) => step.key === key)?.groupIds ?? []
  const keep = await keepingUndoable(tx, [
    stored.audienceGroupIds,
    stored.onBehalfGroupIds,
    ...stored.steps.map(({ groupIds }) => groupIds),
  ])
  return {
    ...handling,
    audienceGroupIds: keep(stored.audienceGroupIds, handling.audienceGroupIds),
    onBehalfGroupIds: keep(stored.onBehalfGroupIds, handling.onBehalfGroupIds),
    steps: handling.steps.map((step) => ({ ...step, groupIds: keep(groupsOf(step.key), step.groupIds) })),
  }
}
