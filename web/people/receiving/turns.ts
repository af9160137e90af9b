/** Sorts the orders of a list by when they are due. */

import { dueOf } from '../../parts/show/due/due-of.ts'
import type { ListedDetails, Order } from '../orders/data.ts'

/** An order with its details, which are undefined until they are read. */
export interface Row {
  order: Order
  details: ListedDetails | undefined
}
interface Timed {
  order: Pick<Order, 'id' | 'status'>
  details: Pick<ListedDetails, 'times' | 'progress'> | undefined
}

interface Aged {
  order: Pick<Order, 'status' | 'createdAt'>
  details: { times: Pick<ListedDetails['times'], 'receiveBy' | 'completeBy'> } | undefined
}

/** Whether an order is wanted so late that nobody needs to act on it yet. */
export const isForLater = ({ details }: Timed) => details?.progress === 'later'

/** The first order that is not folded away: a key must not act on one that is out of sight. */
export const firstNow = <R extends Timed>(rows: readonly R[]) => rows.find((row) => !isForLater(row))

/** After how many minutes a waiting order without a target is late, and far too late. */
const LATE = 15
const TOO_LATE = 30
/** How late a waiting order without a target is; undefined also until its targets are known. */
export function lateness({ order, details }: Aged, now: Date) {
  const minutes = (now.getTime() - Date.parse(order.createdAt)) / 60_000
  if (order.status !== 'pending' || !details || details.times.receiveBy || details.times.completeBy || minutes < LATE) return undefined
  return minutes < TOO_LATE ? ('warn' as const) : ('danger' as const)
}

/** Sorts after every moment, because a moment begins with a digit. */
const NEVER = '~'
/** Any moment will do: when an order is due does not depend on the present. */
const ANY = new Date(0)

function turnOf(row: Timed) {
  const due = row.details && dueOf(row.order, row.details.times, ANY)
  return `${Number(isForLater(row))} ${due?.at ?? NEVER}`
}

/** Sorts orders: those due first come first, then those without a target, the oldest first; those for later come last. */
export function inTurn<R extends Timed>(rows: readonly R[]): R[] {
  const turns = new Map(rows.map((row) => [row, turnOf(row)]))
  return rows.toSorted((one, other) => {
    const [first, second] = [turns.get(one)!, turns.get(other)!]
    return first < second ? -1 : first > second ? 1 : one.order.id - other.order.id
  })
}
