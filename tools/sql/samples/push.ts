import { handOver } from '../../../server/work/push/hand-over.ts'
import { findPush } from '../../../server/work/push/queries.ts'
import type { Samples } from '../recorder.ts'

export default {
  findPush: (db) => findPush(db(), 1, 2),
  handOver: (db) => handOver(db([{ count: 0 }])),
} satisfies Samples
