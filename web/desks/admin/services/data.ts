import { withOrder } from '../../../parts/lists/ordered/order.ts'
import { type Category, categories, type Service, services } from '../../../people/services/data.ts'
import { invalidate, resource, setCached } from '../../../platform/cache.ts'
import { answer, api, guess, ifMatch, type Schemas, versionOf } from '../../../platform/client.ts'
import { Refusal } from '../../../platform/refusal.ts'

export { type Category, categories, colorOf, iconOf, priceOf, type Service, services } from '../../../people/services/data.ts'

export const oneService = (id: number) => resource('/services/{id}', { path: { id } })
export const oneCategory = (id: number) => resource('/service-categories/{id}', { path: { id } })
export type WholeService = Schemas['Service']

/** The values of the form. Empty texts stand for missing values. */
export interface Fields {
  nameAr: string
  nameEn: string
  descriptionAr: string
  descriptionEn: string
  /** '' for none. */
  categoryId: string
  price: string
  /** '' for none. */
  imageUrl: string
  isAvailable: boolean
}
export const blank: Fields = {
  ...{ nameAr: '', nameEn: '', descriptionAr: '', descriptionEn: '' },
  ...{ categoryId: '', price: '', imageUrl: '', isAvailable: true },
}
export const fieldsOf = ({ descriptionAr, descriptionEn, categoryId, price, imageUrl, ...rest }: WholeService): Fields => ({
  nameAr: rest.nameAr,
  nameEn: rest.nameEn,
  descriptionAr: descriptionAr ?? '',
  descriptionEn: descriptionEn ?? '',
  categoryId: categoryId ? String(categoryId) : '',
  price: price ?? '',
  imageUrl: imageUrl ?? '',
  isAvailable: rest.isAvailable,
})

/** The fields as the portal accepts them. */
function bodyOf({ descriptionAr, descriptionEn, categoryId, price, imageUrl, ...rest }: Partial<Fields>): Schemas['ServiceChanges'] {
  return {
    ...rest,
    ...(descriptionAr !== undefined && { descriptionAr: descriptionAr || null }),
    ...(descriptionEn !== undefined && { descriptionEn: descriptionEn || null }),
    ...(categoryId !== undefined && { categoryId: Number(categoryId) || null }),
    ...(price !== undefined && { price: price || null }),
    ...(imageUrl !== undefined && { imageUrl: imageUrl || null }),
  }
}

const reread = () => invalidate('/services', '/service-categories')

export async function createService(fields: Fields): Promise<WholeService> {
  const { nameAr, nameEn } = fields
  const made = await answer(api.POST('/services', { body: { ...bodyOf(fields), nameAr, nameEn } }))
  reread()
  return made
}
export async function changeService(id: number, changed: Partial<Fields>, version: string | undefined) {
  const path = { path: { id } }
  const { data, response } = await api.PATCH('/services/{id}', { params: path, body: bodyOf(changed), headers: ifMatch(version) })
  setCached('/services/{id}', data!, path, response)
  reread()
  return { from: fieldsOf(data!), version: versionOf(response) }
}

/** Turns ordering on or off. Shows the new state at once, and reverts it if the portal refuses. */
export const switchService = (id: number, isAvailable: boolean) =>
  guess(
    services.change((all) => all.map((one) => (one.id === id ? { ...one, isAvailable } : one))),
    api.PATCH('/services/{id}', { params: { path: { id } }, body: { isAvailable } }),
  )

/** The number of orders of a service that are waiting or in work. */
export async function countOpenOrders(serviceId: number) {
  const { counts } = await answer(api.GET('/orders', { params: { query: { serviceId, limit: 1 } } }))
  return counts.pending + counts.received + counts.preparing
}

/** Deletes a service. Without `force`, a service with orders stays, and their number is returned; otherwise 0. */
export async function removeService(id: number, force: boolean): Promise<number> {
  try {
    await answer(api.DELETE('/services/{id}', { params: { path: { id }, query: force ? { force } : {} } }))
    reread()
    return 0
  } catch (failure) {
    if (failure instanceof Refusal && failure.code === 'has_dependents') return Number(failure.body['orderCount'])
    throw failure
  }
}

/** Sorts records by the given ids and renumbers them as the portal does. */
const numbered = <T extends { id: number; sortOrder: number }>(all: T[], ids: number[]) => {
  const known = new Map(all.map((one) => [one.id, one]))
  return ids.flatMap((id) => known.get(id) ?? []).map((one, index) => ({ ...one, sortOrder: index + 1 }))
}
/** Reorders some services. All other services keep their places. */
export function orderServices(some: readonly { id: number }[]) {
  const ids = withOrder(
    services.peek()?.map(({ id }) => id) ?? [],
    some.map(({ id }) => id),
  )
  return guess(
    services.change((all) => numbered(all, ids)),
    api.PUT('/services/order', { body: { ids } }),
  )
}
export function orderCategories(all: readonly Category[]) {
  const ids = all.map(({ id }) => id)
  return guess(
    categories.change((known) => numbered(known, ids)),
    api.PUT('/service-categories/order', { body: { ids } }),
  )
}

export type CategoryNames = Pick<Category, 'nameAr' | 'nameEn'>
export const namesOf = ({ nameAr, nameEn }: Category): CategoryNames => ({ nameAr, nameEn })
export async function createCategory(names: CategoryNames) {
  const now = await answer(api.POST('/service-categories', { body: names }))
  reread()
  return { from: namesOf(now) }
}
export async function changeCategory(id: number, changed: Partial<CategoryNames>, version: string | undefined) {
  const path = { path: { id } }
  const { data, response } = await api.PATCH('/service-categories/{id}', { params: path, body: changed, headers: ifMatch(version) })
  setCached('/service-categories/{id}', data!, path, response)
  reread()
  return { from: namesOf(data!), version: versionOf(response) }
}
export async function removeCategory(id: number) {
  await answer(api.DELETE('/service-categories/{id}', { params: { path: { id } } }))
  reread()
}

/** Categories in the order that people see. */
export const inOrder = (all: Category[]) => all.toSorted((one, other) => one.sortOrder - other.sortOrder || one.id - other.id)
export const ofCategory = (all: Service[], id: number | undefined) => all.filter(({ categoryId }) => (categoryId ?? undefined) === id)
