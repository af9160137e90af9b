import { deletionHook } from '../../platform/changes/deletion-hooks.ts'

export const factorDeletionHooks = [deletionHook({ of: 'users', columns: ['passkeys.user_id', 'totp.user_id', 'recovery_codes.user_id'] })]
