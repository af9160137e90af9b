import { hasWorkingTime, layOutMoved, rehearseTimes } from '../../../server/work/calendars/queries.ts'
import type { Samples } from '../recorder.ts'

const time = { weekly: [[{ from: '08:00', to: '16:00' }], [], [], [], [], [], []], periods: [], daysOff: [] }

export default {
  rehearseTimes: (db) => rehearseTimes(db([], [], [{ id: 1 }]), 1, async () => time),
  layOutMoved: (db) => layOutMoved(db()),
  hasWorkingTime: (db) => hasWorkingTime(db([{ isUsual: true }]), time),
} satisfies Samples
