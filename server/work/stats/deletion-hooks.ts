import { deletionHook } from '../../platform/changes/deletion-hooks.ts'

export const statsDeletionHooks = [deletionHook({ of: 'users', columns: ['user_open_days.user_id', 'user_open_months.user_id'] })]
