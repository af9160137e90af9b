/** The number of records in each place of the administration; undefined while it is unknown. */
import { type Resource, resource } from '../../platform/cache.ts'
import type { Place } from './places.ts'
import { lateCount } from './shared/late-orders.ts'

/** Reading `data` makes the list load; `total` alone does not. */
const totalOf = (list: Resource<unknown>) => (list.data ? list.total : undefined)
const one = { query: { limit: 1 } } as const
const sizes: Partial<Record<Place['name'], () => number | undefined>> = {
  users: () => totalOf(resource('/users', one)),
  groups: () => totalOf(resource('/groups', one)),
  roles: () => totalOf(resource('/roles', one)),
  apps: () => totalOf(resource('/admin/apps', one)),
}

/** The number of records in a place. Reading it in a component loads it. */
export const countOf = ({ name }: Place) => sizes[name]?.()

const waits: Partial<Record<Place['name'], () => number | undefined>> = {
  orders: lateCount,
  webhooks: () =>
    resource('/webhooks').data?.filter(
      ({ state, pausedBecause }) => state === 'failing' || (pausedBecause ?? 'administrator') !== 'administrator',
    ).length,
  requests: () => resource('/access-requests', { query: { view: 'review', limit: 1 } }).data?.totalCount,
}
/** The number of records that wait for an administrator; undefined instead of 0. */
export const waitingIn = ({ name }: Place) => waits[name]?.() || undefined
