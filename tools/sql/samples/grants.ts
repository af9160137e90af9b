import { give, giveFirst, removeEnds, removeSomeEnded } from '../../../server/access/grants/queries.ts'
import { grantReminders } from '../../../server/access/grants/reminders.ts'
import { noteDue } from '../../../server/platform/jobs/reminders.ts'
import type { Samples } from '../recorder.ts'

export default {
  removeSomeEnded: (db) => removeSomeEnded(db(), 500),
  give: (db) => give(db(), 'group', { userIds: [1, 2], ids: [3] }),
  removeEnds: (db) => removeEnds(db(), [3]),
  giveFirst: (db) => giveFirst(db([{ roleId: 1, everyoneId: 1 }]), 1, [3]),
  noteDue: {
    'of groups': (db) => noteDue(db(), grantReminders[0]!),
    'of roles': (db) => noteDue(db(), grantReminders[1]!),
  },
} satisfies Samples
