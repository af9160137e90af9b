import { noteDue } from '../../../server/platform/jobs/reminders.ts'
import { pageLacking } from '../../../server/sign-in/lacking-queries.ts'
import { readReadiness, readSignInSettings } from '../../../server/sign-in/queries.ts'
import { enrolmentReminders } from '../../../server/sign-in/reminders.ts'
import type { Samples } from '../recorder.ts'

export default {
  readReadiness: (db) => readReadiness(db([], [{ isProven: false }]), 1),
  pageLacking: (db) => pageLacking(db([], [{ count: 0 }]), { roleIds: [1], graceDays: 14, limit: 50, offset: 0 }, 'en'),
  readSignInSettings: (db) => readSignInSettings(db([{}])),
  noteDue: (db) => noteDue(db(), enrolmentReminders),
} satisfies Samples
