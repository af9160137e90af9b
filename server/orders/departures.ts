import { sql } from 'kysely'
import { departure } from '../platform/changes/departures.ts'
import { removeOrders } from './queries.ts'
import { findUnentitled, lockOrdersAround, returnOrdersOf } from './receiving.ts'

/** The orders that someone placed go with them. */
export const orderDepartures = [
  departure({
    of: 'users',
    holds: ['orders.user_id'],
    lock: lockOrdersAround,
    counts: { orderCount: sql<number>`(select count(*) from orders where user_id = users.id)` },
    leaves: (tx, userId) => removeOrders(tx, { userId }),
  }),
]

/** Those that someone is working on return to pending when they go, and when they may receive orders no longer. */
export const claimDepartures = [
  departure({
    of: 'users',
    holds: ['orders.assigned_to'],
    leaves: (tx, userId) => returnOrdersOf(tx, [userId]),
    unentitled: { find: findUnentitled, handBack: returnOrdersOf },
  }),
]
