import { sql } from 'kysely'
import { deletionHook } from '../../platform/changes/deletion-hooks.ts'
import { isForAnother } from './for-another.ts'
import { findGone, lapseFor, lapseOfGone } from './lapses.ts'
import { passOn } from './passing-on.ts'
import { removeOrders } from './queries.ts'
import { findUnentitled, lockOrdersAround, returnForeignOrders, returnOrdersOf } from './receiving.ts'

/**
 * The orders of a deleted person are deleted, except that orders for somebody else go to the beneficiary. An order that waits for approval
 * ends if its beneficiary is deleted. Answers, approvals and other people's orders keep the person's name.
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

/** Orders in work return to pending when their receiver is deleted or may no longer receive them. */
export const claimDeletionHooks = [
  deletionHook({
    of: 'users',
    columns: ['orders.assigned_to'],
    leaves: (tx, userId) => returnOrdersOf(tx, [userId]),
    unentitled: { find: findUnentitled, handBack: returnForeignOrders },
  }),
]
