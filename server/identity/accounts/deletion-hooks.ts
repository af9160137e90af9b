import { sql } from 'kysely'
import { voidLinksOf } from '../../people/users/queries.ts'
import { deletionHook } from '../../platform/changes/deletion-hooks.ts'
import { endSessionsWhere } from '../../platform/changes/ending-sessions.ts'
import { entrust } from '../passwords/first-proof.ts'

export const accountDeletionHooks = [
  deletionHook({
    of: 'users',
    columns: ['sessions.user_id', 'password_resets.user_id', 'idempotency_keys.user_id', 'devices.user_id', 'gathered_changes.user_id'],
    leaves: (tx, id) => endSessionsWhere(tx, sql`user_id = ${id}`, 'deleted'),
    entrusts: entrust,
    async deactivates(tx, ids) {
      // Otherwise old links would let these people in once they are active again.
      await voidLinksOf(tx, ids)
      return endSessionsWhere(tx, sql`user_id = any(${ids}::int[])`, 'deactivated')
    },
  }),
]
