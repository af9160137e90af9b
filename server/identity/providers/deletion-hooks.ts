import { deletionHook } from '../../platform/changes/deletion-hooks.ts'
import { forgetGroup } from './administration.ts'

export const providerDeletionHooks = [
  deletionHook({ of: 'users', columns: ['identities.user_id'] }),
  deletionHook({ of: 'groups', columns: ['provider_group_rules.group_id'], leaves: forgetGroup }),
]
