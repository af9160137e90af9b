/** Orders that were not claimed in time, for the side list and the overview. */
import { resource } from '../../../platform/cache.ts'

/** Minutes after which an unclaimed order is late. */
const LATE = 15
const lateFrom = (offset: number) => resource('/orders', { query: { waitingMinutes: LATE, limit: 1, offset } })
const late = lateFrom(0)

/** The number of late orders. */
export const lateCount = () => late.data?.totalCount ?? 0
/** The order that has waited longest. It is the last of the list, which begins with the newest. */
export const longestLate = () => (lateCount() > 0 ? lateFrom(lateCount() - 1).data?.items[0] : undefined)

/** Counts the late orders again. Call it regularly, because no event says that an order has become late. */
export const recount = () => void late.refresh()
