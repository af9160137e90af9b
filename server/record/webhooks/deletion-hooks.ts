import { deletionHook } from '../../platform/changes/deletion-hooks.ts'

/** A webhook keeps working when its maker is deleted, because it belongs to the portal. */
export const webhookDeletionHooks = [deletionHook({ of: 'users', columns: ['webhooks.created_by'] })]
