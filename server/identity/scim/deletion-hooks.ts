import { deletionHook } from '../../platform/changes/deletion-hooks.ts'

export const scimDeletionHooks = [
  deletionHook({ of: 'users', columns: ['provisioning_sources.user_id', 'provisioned_users.user_id', 'held_deactivations.user_id'] }),
  deletionHook({ of: 'groups', columns: ['provisioned_groups.group_id'] }),
]
