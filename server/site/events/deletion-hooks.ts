import { deletionHook } from '../../platform/changes/deletion-hooks.ts'

export const eventDeletionHooks = [
  deletionHook({
    of: 'users',
    columns: ['events.recipients'],
    stays: 'events are forgotten within a day, and no stream is theirs any more',
  }),
]
