import type { Schemas } from '../../../platform/client.ts'

export type Order = Pick<Schemas['ServiceOrder'], 'status'>
export type Times = Schemas['OrderTimes']

/**
 * When an order is due next, and whether it is late at `now`; undefined if it has ended or has no target. Its parties are told when it is to
 * be completed, also before somebody has claimed it.
 */
export function dueOf({ status }: Order, { receiveBy, completeBy, receivedAt, completedAt, isLate }: Times, now: Date, isParty = false) {
  if (status === 'completed' || status === 'cancelled' || completedAt) return undefined
  if (isParty && completeBy) return { at: completeBy, isUnclaimed: false, isLate: Date.parse(completeBy) <= now.getTime() }
  const isUnclaimed = status === 'pending' && !receivedAt && receiveBy !== null
  const at = isUnclaimed ? receiveBy : completeBy
  if (!at) return undefined
  return { at, isUnclaimed, isLate: isLate || Date.parse(at) <= now.getTime() }
}
