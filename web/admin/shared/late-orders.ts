/** Orders that nobody has taken in time, as the side list and the overview tell of them. */
import { resource } from '../../platform/cache.ts'

/** Minutes after which an order that nobody has taken is late. */
const LATE = 15
const lateFrom = (offset: number) => resource('/orders', { query: { waitingMinutes: LATE, limit: 1, offset } })
const late = lateFrom(0)

/** How many orders are late. */
export const lateCount = () => late.data?.totalCount ?? 0
/** The one that has waited longest: the list begins with the newest. */
export const longestLate = () => (lateCount() > 0 ? lateFrom(lateCount() - 1).data?.items[0] : undefined)

/** Orders become late without any event. */
export const recount = () => void late.refresh()
