import { sql } from 'kysely'
import { deletionHook } from '../../platform/changes/deletion-hooks.ts'
import { findGone, lapseFor, lapseOfGone } from './lapses.ts'
import { isForAnother, passOn } from './passing-on.ts'
import { removeOrders } from './queries.ts'
import { findUnentitled, lockOrdersAround, returnForeignOrders, returnOrdersOf } from './receiving.ts'

/**
 * A person's orders are deleted with them; those that they placed for others go to these, and those that wait for an approval end with the
 * person for whom they are. Answers, approvals and orders of others keep the name that they had.
 */
export const orderDeletionHooks = [
  deletionHook({
    of: 'users',
    columns: ['orders.user_id'],
    lock: lockOrdersAround,
    counts: { orderCount: sql<number>`(select count(*) from orders where user_id = users.id and not ${isForAnother('orders')})` },
    leaves: async (tx, userId) => [...(await passOn(tx, userId)), ...(await removeOrders(tx, { userId }))],
  }),
  deletionHook({
    of: 'users',
    columns: ['order_details.beneficiary_id'],
    stays: 'an order keeps for whom it was',
    leaves: lapseFor,
    unentitled: { find: findGone, handBack: lapseOfGone },
  }),
  deletionHook({ of: 'users', columns: ['order_details.answers'], stays: 'an answer keeps the name that the person had then' }),
  deletionHook({
    of: 'users',
    columns: ['order_steps.user_ids', 'order_approvals.approver_id'],
    stays: 'as an approver they count as nobody; what they decided keeps their name',
  }),
  deletionHook({
    of: 'groups',
    columns: ['order_steps.group_ids'],
    stays: 'its members approve no more; without others, administrators do',
  }),
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
