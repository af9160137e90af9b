import { noteFailure, readEntries } from '../../../server/record/audit-stream/queries.ts'
import type { Samples } from '../recorder.ts'

export default {
  readEntries: (db) => readEntries(db(), 0, 500),
  noteFailure: (db) => noteFailure(db([{ isFirst: true }]) as never, { error: 'status', status: 503, refused: null }),
} satisfies Samples
