import { addMeeting, writeMeetings } from '../../../../server/work/meetings/meetings/queries.ts'
import type { Samples } from '../../recorder.ts'

const january = { from: '2026-01-01', to: '2026-01-31' }

export default {
  writeMeetings: {
    'of few meetings, twice': async (db) => {
      const same = db([{ version: '1', id: null }], [{ version: '1' }])
      await writeMeetings(same, january, {})
      return writeMeetings(same, january, {})
    },
    'of too many to be cached': (db) => writeMeetings(db([{ version: null, id: null }]), january, {}),
  },
  addMeeting: (db) =>
    addMeeting(
      db([], [{ id: 1 }], [{ attendees: [] }]),
      { date: '2026-01-01', titleEn: 'Budget review', attendees: [{ name: 'Sara Ahmed' }] },
      1,
    ),
} satisfies Samples
