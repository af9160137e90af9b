import { deletionHook } from '../../platform/changes/deletion-hooks.ts'

export const notificationDeletionHooks = [deletionHook({ of: 'users', columns: ['notifications.user_id'] })]
