import { hasWorkingTime } from '../../../server/work/calendars/queries.ts'
import type { Samples } from '../recorder.ts'

const time = { weekly: [[{ from: '08:00', to: '16:00' }], [], [], [], [], [], []], periods: [], daysOff: [] }

export default {
  hasWorkingTime: (db) => hasWorkingTime(db([{ isUsual: true }]), time),
} satisfies Samples
