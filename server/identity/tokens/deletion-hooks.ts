import { deletionHook } from '../../platform/changes/deletion-hooks.ts'

export const tokenDeletionHooks = [deletionHook({ of: 'users', columns: ['api_tokens.user_id', 'api_tokens.created_by'] })]
