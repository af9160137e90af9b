/** How much there is of what has a place in the administration, as far as it is known. */
import { type Resource, resource } from '../platform/cache.ts'
import type { Place } from './places.ts'
import { lateCount } from './shared/late-orders.ts'

/** Only its data asks for a list. */
const totalOf = (list: Resource<unknown>) => (list.data ? list.total : undefined)
const one = { query: { limit: 1 } } as const
const sizes: Partial<Record<Place['name'], () => number | undefined>> = {
  users: () => totalOf(resource('/users', one)),
  groups: () => totalOf(resource('/groups', one)),
  roles: () => totalOf(resource('/roles', one)),
  apps: () => totalOf(resource('/admin/apps', one)),
}

/** Reading it in a component asks for it. */
export const countOf = ({ name }: Place) => sizes[name]?.()

/** How much of it waits for someone, if anything. */
export const waitingIn = ({ name }: Place) => (name === 'orders' && lateCount()) || undefined
