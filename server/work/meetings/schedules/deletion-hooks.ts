import { deletionHook } from '../../../platform/changes/deletion-hooks.ts'

/** A deleted person's own settings are deleted; the archives they made stay. */
export const scheduleDeletionHooks = [deletionHook({ of: 'users', columns: ['font_settings.user_id', 'pdf_archives.created_by'] })]
