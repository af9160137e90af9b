import { sql } from 'kysely'
import { departure } from '../platform/changes/departures.ts'
import { lockOrdersAround, removeOrders, returnOrdersOf } from './queries.ts'

/** The orders that someone placed go with them. */
export const orderDepartures = [
  departure({
    of: 'users',
    holds: ['orders.user_id'],
    lock: lockOrdersAround,
    counts: { orderCount: sql<number>`(select count(*) from orders where user_id = users.id)` },
    leaves: async (tx, userId) =>
      (await removeOrders(tx, { userId })).map(({ id, ...facts }) => ({ kind: 'order.deleted', targetId: id, facts })),
  }),
]

/** Those that someone is working on return to pending. They are locked with those that they placed. */
export const claimDepartures = [departure({ of: 'users', holds: ['orders.assigned_to'], leaves: returnOrdersOf })]
