import { deletionHook } from '../../platform/changes/deletion-hooks.ts'

export const pushDeletionHooks = [deletionHook({ of: 'users', columns: ['push_subscriptions.user_id'] })]
