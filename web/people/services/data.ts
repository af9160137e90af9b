/** The catalogue of services, and ordering from it. */
import { settings } from '../../frame/site.ts'
import { present } from '../../platform/ago.ts'
import { resource } from '../../platform/cache.ts'
import { idempotencyKey, type Schemas } from '../../platform/client.ts'
import { matches } from '../../platform/folded.ts'
import { inLanguage } from '../../platform/language.ts'
import { place } from '../orders/data.ts'
import { priceIn } from './price.ts'

export { orderAt } from '../orders/data.ts'
export { colorOf, iconOf } from './icons.ts'
export type Service = Schemas['ServiceInList']
export type Category = Schemas['ServiceCategory']
export type NewOrder = Schemas['NewServiceOrder']
type Order = Schemas['ServiceOrder']

export const services = resource('/services')
export const categories = resource('/service-categories')
export const catalogue = resource('/service-catalogue')

/** The catalogue's entry for a service as of now: a notice or a pause that is over no longer counts. */
export function entryOf(service: Service) {
  const entry = catalogue.data?.find(({ serviceId }) => serviceId === service.id)
  const until = entry?.until ?? null
  const isOver = until !== null && Date.parse(until) <= present().getTime()
  const isPaused = Boolean(entry?.isPaused && !isOver)
  return {
    notice: isOver ? '' : inLanguage(entry?.noticeAr, entry?.noticeEn),
    team: inLanguage(entry?.teamNameAr, entry?.teamNameEn),
    isPaused,
    until,
    ...entry?.dueIfNow,
    /** The version of the service's form; null without a form, undefined while it is unknown. */
    formVersion: entry?.formVersion,
    offOptions: isOver ? [] : (entry?.offOptions ?? []),
    opensAt: entry?.opensAt,
    needsApproval: entry?.needsApproval ?? 'no',
    /** Whether the person may not order the service for themselves. The service's team and administrators see it all the same. */
    isForOthers: service.isAvailable && entry?.mayOrder === false,
    mayOrderForOthers: service.isAvailable && entry?.mayOrderForOthers === true,
    canOrder: service.isAvailable && !isPaused && (entry?.mayOrder !== false || entry.mayOrderForOthers),
  }
}

/** Whether a service matches the typed text, in either language. */
const isService = (typed: string, service: Service, category: Category | undefined) =>
  matches(typed, service.nameAr, service.nameEn, service.descriptionAr, service.descriptionEn, category?.nameAr, category?.nameEn)

/** The matching services by category, in order; those without a category last. */
export function shelves(all: Service[], known: Category[], typed: string) {
  const inOrder = known.toSorted((one, other) => one.sortOrder - other.sortOrder || one.id - other.id)
  return [...inOrder, undefined]
    .map((category) => ({
      category,
      services: all.filter(
        (service) =>
          (category ? service.categoryId === category.id : !inOrder.some(({ id }) => id === service.categoryId)) &&
          isService(typed, service, category),
      ),
    }))
    .filter(({ services }) => services.length > 0)
}

/** The price as people read it, in the portal's currency; '' if it is free. */
export const priceOf = ({ price }: Pick<Service, 'price'>) => priceIn(settings.data?.currency, price)

const RECENT = 4
/** Recent orders that can be repeated, without duplicates of service and notes. */
export function recents(orders: Order[], all: Service[]) {
  const found = new Map<string, Order>()
  for (const order of orders) {
    const key = JSON.stringify([order.serviceId, order.notes])
    if (!found.has(key) && all.some(({ id, isAvailable }) => id === order.serviceId && isAvailable)) found.set(key, order)
  }
  return [...found.values()].slice(0, RECENT)
}

const ONE_PRESS_MS = 3000
const LOST_MS = 3 * 60_000
const pressed = new Map<string, { key: string; until: number }>()
/**
 * Orders at once. The same order placed again within `ONE_PRESS_MS` of the answer, or within `LOST_MS` without an answer, has the same key
 * and so takes effect once.
 */
export async function placeAtOnce(order: NewOrder) {
  const name = JSON.stringify(order)
  const before = pressed.get(name)
  const key = before && Date.now() < before.until ? before.key : idempotencyKey()
  pressed.set(name, { key, until: Date.now() + LOST_MS })
  const placed = await place(order, key)
  pressed.set(name, { key, until: Date.now() + ONE_PRESS_MS })
  return placed
}
