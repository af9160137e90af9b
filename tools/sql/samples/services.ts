import { emptyCategory, pageOrdersOf } from '../../../server/work/services/queries.ts'
import type { Samples } from '../recorder.ts'

export default {
  pageOrdersOf: (db) => pageOrdersOf(db([{ orderCount: 1 }]), 1, { limit: 50, offset: 0 }),
  emptyCategory: (db) => emptyCategory(db(), 1),
} satisfies Samples
