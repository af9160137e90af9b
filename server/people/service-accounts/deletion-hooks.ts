import { deletionHook } from '../../platform/changes/deletion-hooks.ts'

export const serviceAccountDeletionHooks = [
  deletionHook({ of: 'users', columns: ['service_accounts.user_id', 'service_accounts.contact_user_id'] }),
]
