import { deletionHook } from '../platform/changes/deletion-hooks.ts'
import type { Change } from '../platform/changes/outcome.ts'
import type { Tx } from '../platform/database/db.ts'
import { endSessionsOf, voidLinksOf } from './queries.ts'

/** Ends every session of these people; their streams give the reason and close. */
async function signOut(tx: Tx, userIds: readonly number[], reason: 'deactivated' | 'deleted') {
  const ended = await endSessionsOf(tx, userIds)
  return Array.from(ended, ([targetId, sessionIds]): Change => ({ kind: 'session.ended', targetId, facts: { reason, sessionIds } }))
}

export const accountDeletionHooks = [
  deletionHook({
    of: 'users',
    columns: ['sessions.user_id', 'password_resets.user_id', 'idempotency_keys.user_id', 'devices.user_id', 'gathered_changes.user_id'],
    leaves: (tx, id) => signOut(tx, [id], 'deleted'),
    async deactivates(tx, ids) {
      // Otherwise a link would let them in again once they are active.
      await voidLinksOf(tx, ids)
      return signOut(tx, ids, 'deactivated')
    },
  }),
]
