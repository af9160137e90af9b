import { deletionHook } from '../../platform/changes/deletion-hooks.ts'

/** The uploads of a deleted person stay, because other records may refer to them. They no longer count towards anybody's share. */
export const storageDeletionHooks = [deletionHook({ of: 'users', columns: ['objects.owner_id', 'object_shares.user_id'] })]
