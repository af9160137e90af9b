import { deletionHook } from '../platform/changes/deletion-hooks.ts'
import type { Change } from '../platform/changes/outcome.ts'
import type { Tx } from '../platform/database/db.ts'
import { findStrayExceptions, unmarkExceptions } from './queries.ts'

/** An exception is an administrator: a former one loses the mark. */
async function unmark(tx: Tx, ids: number[]): Promise<Change[]> {
  const unmarked = await unmarkExceptions(tx, ids)
  return unmarked.map(({ id, username }) => ({ kind: 'sign_in_exception.removed', targetId: id, facts: { username } }))
}

export const signInDeletionHooks = [
  deletionHook({
    of: 'users',
    columns: ['enrolment_reminders.user_id'],
    unentitled: { find: findStrayExceptions, handBack: unmark },
  }),
  deletionHook({ of: 'roles', columns: ['second_factor_roles.role_id'] }),
]
