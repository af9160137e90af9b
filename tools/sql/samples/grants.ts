import { give, noteReminders, removeSomeEnded } from '../../../server/grants/queries.ts'
import type { Samples } from '../recorder.ts'

export default {
  removeSomeEnded: (db) => removeSomeEnded(db(), 500),
  give: (db) => give(db(), 'group', { userIds: [1, 2], ids: [3] }),
  noteReminders: (db) => noteReminders(db(), 500),
} satisfies Samples
