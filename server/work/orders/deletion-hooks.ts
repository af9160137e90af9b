import { sql } from 'kysely'
import { deletionHook } from '../../platform/changes/deletion-hooks.ts'
import { removeOrders } from './queries.ts'
import { findUnentitled, lockOrdersAround, returnForeignOrders, returnOrdersOf } from './receiving.ts'

/** A person's orders are deleted with them. Answers of others keep the name that they had. */
export const orderDeletionHooks = [
  deletionHook({
    of: 'users',
    columns: ['orders.user_id'],
    lock: lockOrdersAround,
    counts: { orderCount: sql<number>`(select count(*) from orders where user_id = users.id)` },
    leaves: (tx, userId) => removeOrders(tx, { userId }),
  }),
  deletionHook({ of: 'users', columns: ['order_details.answers'], stays: 'an answer keeps the name that the person had then' }),
]

/** The orders in work return to pending when their receiver is deleted, or may no longer receive them. */
export const claimDeletionHooks = [
  deletionHook({
    of: 'users',
    columns: ['orders.assigned_to'],
    leaves: (tx, userId) => returnOrdersOf(tx, [userId]),
    unentitled: { find: findUnentitled, handBack: returnForeignOrders },
  }),
]
