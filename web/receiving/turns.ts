/** In which order the orders of a list are due. */
import type { ListedDetails, Order } from '../orders/data.ts'
import { dueOf } from '../parts/due/due-of.ts'

/** An order with what it has beyond itself; undefined until that is read. */
export interface Row {
  order: Order
  details: ListedDetails | undefined
}
interface Timed {
  order: Pick<Order, 'id' | 'status'>
  details: Pick<ListedDetails, 'times' | 'progress'> | undefined
}

/** Whether nobody needs to think of an order yet. */
export const isForLater = ({ details }: Timed) => details?.progress === 'later'

/** Comes after the digits of every moment. */
const NEVER = '~'
/** The moment at which an order is due does not depend on the present. */
const ANY = new Date(0)

function turnOf(row: Timed) {
  const due = row.details && dueOf(row.order, row.details.times, ANY)
  return `${Number(isForLater(row))} ${due?.at ?? NEVER}`
}

/** What is due first comes first, then what has no target, the oldest first; what is for later comes last. */
export function inTurn<R extends Timed>(rows: readonly R[]): R[] {
  const turns = new Map(rows.map((row) => [row, turnOf(row)]))
  return rows.toSorted((one, other) => {
    const [first, second] = [turns.get(one)!, turns.get(other)!]
    return first < second ? -1 : first > second ? 1 : one.order.id - other.order.id
  })
}
