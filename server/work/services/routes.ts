import { Type } from 'typebox'
import { changedFields } from '../../platform/changes/change-kind.ts'
import { keepDeleted } from '../../platform/changes/kept.ts'
import { changed, changedIf, unchanged } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { orderAll } from '../../platform/database/ordering.ts'
import { lockExisting } from '../../platform/database/sets.ts'
import { checkDependents, takesDependents } from '../../platform/http/dependents.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { listOf } from '../../platform/http/lists.ts'
import { IdParams, ListPart, Nothing, WholeOrder } from '../../platform/http/shape.ts'
import { fetchPicture } from '../../platform/objects/pictures.ts'
import { removeOrders } from '../orders/queries.ts'
import { pictured, roomOf } from '../storage/queries.ts'
import {
  countOrders,
  countServices,
  emptyCategory,
  findCategory,
  findKnownService,
  findService,
  insertCategory,
  insertService,
  listCategories,
  listServices,
  lockCategory,
  lockOrdersOfService,
  lockService,
  lockServiceForChange,
  pageOrdersOf,
  readCategoriesInOrder,
  readServicesInOrder,
  removeCategory,
  removeService,
  updateCategory,
  updateService,
} from './queries.ts'
import {
  CategoryEdit,
  Deletion,
  DependentsQuery,
  NewCategory,
  NewService,
  Service,
  ServiceCategory,
  ServiceDeletionConflict,
  ServiceDependentOrdersPage,
  ServiceEdit,
  ServiceInList,
} from './shapes.ts'

export const readServices = query('GET /services', {
  summary: 'Every service that is meant for the caller, available or not, with the number of its orders',
  description:
    'In the order of `sortOrder`. Only those with `isAvailable` can be ordered. Administrators and the teams of services know them, too. Orders that wait for an approval, or were denied, are counted for administrators only.',
  allow: 'signed-in',
  scope: 'services:read',
  query: ListPart,
  reply: Type.Array(ServiceInList),
  total: ({ db, actor }) => countServices(db, actor),
  run: ({ db, actor, query }) => listOf(ServiceInList, listServices(db, actor, query)),
})

/** The rows of a service that its deletion keeps for an undo. */
const keptOfServices = {
  services: 'id',
  service_handlings: 'service_id',
  service_notices: 'service_id',
  service_forms: 'service_id',
  service_form_keys: 'service_id',
  order_figures: 'service_id',
}

/**
 * Refuses an unknown category and locks a known one against deletion. Call it before locking the service: the deletion of a category also
 * locks the category first.
 */
const lockNamedCategory = (tx: Tx, { categoryId }: { categoryId?: number | null }) =>
  lockExisting(tx, 'serviceCategories', categoryId ? [categoryId] : [])

export const createService = command('POST /services', {
  summary: 'Create a service',
  description: 'It can be ordered at once unless `isAvailable` is false.',
  allow: 'admin',
  scope: 'admin:write',
  record: Service,
  body: NewService,
  reply: Service,
  status: 201,
  refuses: ['unknown_ids', 'quota_exceeded'],
  prepare: (call) => fetchPicture(call, 'imageUrl', call.body.imageUrl, roomOf(call)),
  run: async ({ tx, actor, body, prepared: picture }) => {
    await lockNamedCategory(tx, body)
    const { fields, changes } = await pictured(tx, actor.id, 'imageUrl', body, picture)
    const service = await insertService(tx, fields)
    const { nameEn, nameAr } = service
    return changed(service, { kind: 'service.created', targetId: service.id, facts: { nameEn, nameAr } }, ...changes)
  },
})

export const readService = query('GET /services/:id', {
  summary: 'One service',
  description: 'Returned even if it cannot be ordered; see `isAvailable`. One that is not meant for the caller is not found.',
  allow: 'signed-in',
  scope: 'services:read',
  record: Service,
  params: IdParams,
  reply: Service,
  refuses: ['not_found'],
  run: ({ db, actor, params }) => findKnownService(db, params.id, actor),
})

export const changeService = command('PATCH /services/:id', {
  summary: 'Change a service',
  description: 'Omitted fields do not change.',
  allow: 'admin',
  scope: 'admin:write',
  record: Service,
  params: IdParams,
  body: ServiceEdit,
  reply: Service,
  refuses: ['not_found', 'unknown_ids', 'quota_exceeded'],
  prepare: (call) => fetchPicture(call, 'imageUrl', call.body.imageUrl, roomOf(call), () => findService(call.db, call.params.id)),
  run: async ({ tx, ifMatch, actor, params: { id }, body, prepared: picture }) => {
    const known = await findService(tx, id)
    // The category is judged only for the expected version; the service is locked after it.
    await ifMatch(() => known)
    await lockNamedCategory(tx, body)
    const before = await lockServiceForChange(tx, id)
    await ifMatch(() => findService(tx, id))
    const { fields, changes } = await pictured(tx, actor.id, 'imageUrl', body, picture)
    const differences = changedFields(before, fields)
    if (Object.keys(differences).length === 0) return unchanged(before)
    const service = await updateService(tx, id, fields)
    return changed(service, { kind: 'service.updated', targetId: id, facts: { changed: differences } }, ...changes)
  },
})

export const deleteService = command('DELETE /services/:id', {
  summary: 'Delete a service; `force` deletes its orders as well',
  description:
    'Without `force`, deleting a service that has orders is refused, with their number. The requesters of deleted orders get `order_deleted`. An unforced deletion can be undone for 30 seconds.',
  allow: 'admin',
  scope: 'admin:write',
  record: Service,
  params: IdParams,
  confirm: { when: takesDependents },
  query: Deletion,
  reply: Nothing,
  status: 204,
  refuses: ['not_found', { code: 'has_dependents', body: ServiceDeletionConflict }],
  run: async ({ tx, ifMatch, params: { id }, query: { force } }) => {
    if (force) await lockOrdersOfService(tx, id)
    const { nameEn, nameAr } = await lockService(tx, id)
    await ifMatch(() => findService(tx, id))
    const orderCount = await countOrders(tx, id)
    const isForced = checkDependents({ orderCount }, force)
    if (!isForced) await keepDeleted(tx, 'service', id, keptOfServices)
    const removed = isForced ? await removeOrders(tx, { serviceId: id }) : []
    await removeService(tx, id)
    const facts = { nameEn, nameAr, ...(isForced && { orderCount }) }
    return changedIf(null, [...removed, { kind: 'service.deleted', targetId: id, facts }])
  },
})

export const orderServices = command('PUT /services/order', {
  summary: 'Set the order of all services',
  description:
    'The body has the ids of all services, each once; `sortOrder` numbers them from 1. Everyone gets `services_changed`. Sending the current order changes nothing.',
  allow: 'admin',
  scope: 'admin:write',
  body: WholeOrder,
  reply: Type.Array(Service),
  refuses: ['unknown_ids', 'missing_ids'],
  run: async ({ tx, body: { ids } }) => {
    const done = await orderAll(tx, 'services', ids)
    const services = await readServicesInOrder(tx)
    if (!done) return unchanged(services)
    const moved = done.moved.map((targetId) => ({ kind: 'service.moved', targetId, facts: {} }) as const)
    return changed(services, { kind: 'service_order.changed', targetId: 0, facts: { changed: done.changed } }, ...moved)
  },
})

export const readServiceOrders = query('GET /services/:id/dependents/orders', {
  summary: 'The orders of a service, newest first',
  description: 'While there are any, a deletion without `force` is refused; `totalCount` is their number in that refusal.',
  allow: 'admin',
  scope: 'admin:read',
  params: IdParams,
  query: DependentsQuery,
  reply: ServiceDependentOrdersPage,
  refuses: ['not_found'],
  run: ({ db, params: { id }, query }) => pageOrdersOf(db, id, query),
})

export const readCategories = query('GET /service-categories', {
  summary: 'The categories of services',
  description: 'In the order of `sortOrder`, for grouping the list of services.',
  allow: 'signed-in',
  scope: 'services:read',
  query: ListPart,
  reply: Type.Array(ServiceCategory),
  run: ({ db, query }) => listOf(ServiceCategory, listCategories(db, query)),
})

export const orderCategories = command('PUT /service-categories/order', {
  summary: 'Set the order of all categories of services',
  description:
    'The body has the ids of all categories, each once; `sortOrder` numbers them from 1. Everyone gets `services_changed`. Sending the current order changes nothing.',
  allow: 'admin',
  scope: 'admin:write',
  body: WholeOrder,
  reply: Type.Array(ServiceCategory),
  refuses: ['unknown_ids', 'missing_ids'],
  run: async ({ tx, body: { ids } }) => {
    const done = await orderAll(tx, 'service_categories', ids)
    const categories = await readCategoriesInOrder(tx)
    if (!done) return unchanged(categories)
    const moved = done.moved.map((targetId) => ({ kind: 'service_category.moved', targetId, facts: {} }) as const)
    return changed(categories, { kind: 'service_category_order.changed', targetId: 0, facts: { changed: done.changed } }, ...moved)
  },
})

export const readCategory = query('GET /service-categories/:id', {
  summary: 'One category of services',
  description: 'Its services have its id as their `categoryId`.',
  allow: 'signed-in',
  scope: 'services:read',
  record: ServiceCategory,
  params: IdParams,
  reply: ServiceCategory,
  refuses: ['not_found'],
  run: ({ db, params }) => findCategory(db, params.id),
})

export const createCategory = command('POST /service-categories', {
  summary: 'Create a category of services',
  allow: 'admin',
  scope: 'admin:write',
  record: ServiceCategory,
  body: NewCategory,
  reply: ServiceCategory,
  status: 201,
  run: async ({ tx, body }) => {
    const category = await insertCategory(tx, body)
    const { nameEn, nameAr } = category
    return changed(category, { kind: 'service_category.created', targetId: category.id, facts: { nameEn, nameAr } })
  },
})

export const changeCategory = command('PATCH /service-categories/:id', {
  summary: 'Change a category of services',
  description: 'Omitted fields do not change.',
  allow: 'admin',
  scope: 'admin:write',
  record: ServiceCategory,
  params: IdParams,
  body: CategoryEdit,
  reply: ServiceCategory,
  refuses: ['not_found'],
  run: async ({ tx, ifMatch, params: { id }, body }) => {
    const before = await lockCategory(tx, id)
    await ifMatch(() => before)
    const differences = changedFields(before, body)
    if (Object.keys(differences).length === 0) return unchanged(before)
    const category = await updateCategory(tx, id, body)
    return changed(category, { kind: 'service_category.updated', targetId: id, facts: { changed: differences } })
  },
})

export const deleteCategory = command('DELETE /service-categories/:id', {
  summary: 'Delete a category; its services stay, without a category',
  description: 'The deletion can be undone for 30 seconds.',
  allow: 'admin',
  scope: 'admin:write',
  record: ServiceCategory,
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found'],
  run: async ({ tx, ifMatch, params: { id } }) => {
    const category = await lockCategory(tx, id)
    await ifMatch(() => category)
    const { nameEn, nameAr } = category
    await keepDeleted(tx, 'service_category', id, { service_categories: 'id', services: 'category_id' })
    const serviceIds = await emptyCategory(tx, id)
    await removeCategory(tx, id)
    const facts = { changed: { categoryId: { from: id, to: null } } }
    return changed(
      null,
      { kind: 'service_category.deleted', targetId: id, facts: { nameEn, nameAr } },
      ...serviceIds.map((targetId) => ({ kind: 'service.updated', targetId, facts }) as const),
    )
  },
})
