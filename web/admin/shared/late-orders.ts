/** Orders that nobody has claimed in time, for the side list and the overview. */
import { resource } from '../../platform/cache.ts'

/** Minutes after which an unclaimed order is late. */
const LATE = 15
const lateFrom = (offset: number) => resource('/orders', { query: { waitingMinutes: LATE, limit: 1, offset } })
const late = lateFrom(0)

/** How many orders are late. */
export const lateCount = () => late.data?.totalCount ?? 0
/** The order that has waited longest. The list begins with the newest, so it is the last. */
export const longestLate = () => (lateCount() > 0 ? lateFrom(lateCount() - 1).data?.items[0] : undefined)

/** Call it regularly: no event says that an order has become late. */
export const recount = () => void late.refresh()
