import { deletionHook } from '../../platform/changes/deletion-hooks.ts'

export const importDeletionHooks = [
  deletionHook({ of: 'users', columns: ['user_imports.created_by'] }),
  deletionHook({ of: 'users', columns: ['user_import_rows.user_id'], stays: 'the report says what became of each row' }),
]
