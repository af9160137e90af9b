import { deletionHook } from '../../platform/changes/deletion-hooks.ts'

/** A webhook is the portal's: it goes on without its maker. */
export const webhookDeletionHooks = [deletionHook({ of: 'users', columns: ['webhooks.created_by'] })]
