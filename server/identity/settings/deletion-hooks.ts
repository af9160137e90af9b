import { deletionHook } from '../../platform/changes/deletion-hooks.ts'
import { unmark } from './end-exception.ts'
import { findStrayExceptions } from './queries.ts'

export const signInDeletionHooks = [
  deletionHook({
    of: 'users',
    columns: [],
    // Only administrators can be exceptions.
    unentitled: { find: findStrayExceptions, handBack: (tx, ids) => unmark(tx, ids) },
  }),
  deletionHook({ of: 'roles', columns: ['second_factor_roles.role_id'] }),
]
