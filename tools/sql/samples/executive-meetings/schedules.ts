import { listArchives } from '../../../../server/work/meetings/schedules/queries.ts'
import type { Samples } from '../../recorder.ts'

export default {
  listArchives: {
    'of all days': (db) => listArchives(db(), {}),
    'of some days': (db) => listArchives(db(), { from: '2026-01-01', to: '2026-01-31' }),
  },
} satisfies Samples
