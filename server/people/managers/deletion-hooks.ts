import { deletionHook } from '../../platform/changes/deletion-hooks.ts'

export const managerDeletionHooks = [
  deletionHook({ of: 'users', columns: ['managers.user_id'] }),
  deletionHook({ of: 'users', columns: ['managers.manager_id'], stays: 'a manager who is gone counts as none' }),
]
