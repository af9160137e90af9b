import { deletionHook } from '../../platform/changes/deletion-hooks.ts'

export const presenceDeletionHooks = [deletionHook({ of: 'users', columns: ['presences.user_id'] })]
