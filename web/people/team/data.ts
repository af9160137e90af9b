/** The orders of a team, for its leads. */
import { invalidate, resource } from '../../platform/cache.ts'
import { me, myTeams } from '../../platform/session.ts'

export const ledTeams = () => myTeams.data?.filter(({ leadUserIds }) => leadUserIds.includes(me.value?.id ?? 0))

export type Filter = { status: 'pending' | 'received' | 'preparing' } | { state: 'late' | 'waiting' | 'later' }
export const ordersOf = (teamId: number, filter: Filter) => (offset: number) =>
  resource('/orders/details', { query: { view: 'team', teamId, ...filter, limit: 50, offset } })

/** Reads the orders again, and the numbers of the teams. */
export const readAgain = () => invalidate('/orders/details', '/service-teams')
