import { pageWithoutFactor, readReadiness, readSignInSettings } from '../../../../server/identity/settings/queries.ts'
import { enrolmentReminders } from '../../../../server/identity/settings/reminders.ts'
import { noteDue } from '../../../../server/platform/jobs/reminders.ts'
import type { Samples } from '../../recorder.ts'

export default {
  readReadiness: (db) => readReadiness(db([], [{ isProven: false }]), 1),
  pageWithoutFactor: (db) => pageWithoutFactor(db([], [{ count: 0 }]), { roleIds: [1], graceDays: 14, limit: 50, offset: 0 }, 'en'),
  readSignInSettings: (db) => readSignInSettings(db([{}])),
  noteDue: (db) => noteDue(db(), enrolmentReminders),
} satisfies Samples
