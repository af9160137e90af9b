import { readLedger } from '../../../server/site/system/queries.ts'
import type { Samples } from '../recorder.ts'

export default {
  readLedger: (db) => readLedger(db([{ sealed: 1, upToSeal: 1, since: 1 }])),
} satisfies Samples
