import { deletionHook } from '../../platform/changes/deletion-hooks.ts'
import { findPointless, keepName, lapseOf, lapsePointless, lockRequestsOf } from './lapses.ts'

const stays = 'who asked for what, and who decided it, stays readable'

/** Requests are kept. Pending ones lapse when their person or their group is deleted, or when nothing else is left to decide on them. */
export const accessRequestDeletionHooks = [
  deletionHook({
    of: 'users',
    columns: ['access_requests.requester_id'],
    stays,
    lock: lockRequestsOf,
    leaves: lapseOf,
    unentitled: { find: findPointless, handBack: lapsePointless },
  }),
  deletionHook({ of: 'users', columns: ['access_requests.decided_by', 'access_approvals.approver_id'], stays }),
  deletionHook({
    of: 'groups',
    columns: ['access_requests.group_id', 'former_groups.group_id'],
    stays,
    async leaves(tx, id) {
      await keepName(tx, id)
      return []
    },
  }),
]
