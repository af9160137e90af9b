import { listAttended } from '../../../../server/work/meetings/feed/queries.ts'
import type { Samples } from '../../recorder.ts'

export default {
  listAttended: (db) => listAttended(db(), 1),
} satisfies Samples
