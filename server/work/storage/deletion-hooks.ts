import { deletionHook } from '../../platform/changes/deletion-hooks.ts'

/** Uploads stay, because others may refer to them. They then count towards nobody's share. */
export const storageDeletionHooks = [deletionHook({ of: 'users', columns: ['objects.owner_id', 'object_shares.user_id'] })]
