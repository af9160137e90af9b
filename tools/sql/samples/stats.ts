import { readOpensOfApp, readOpensOfUser } from '../../../server/work/stats/queries.ts'
import { recount } from '../../../server/work/stats/recount.ts'
import type { Samples } from '../recorder.ts'

const january = { range: 'custom', days: 31, from: '2026-01-01', to: '2026-01-31' } as const
const page = { limit: 50, offset: 0 }

export default {
  recount: (db) => recount(db()),
  readOpensOfApp: (db) => readOpensOfApp(db([{ appId: 1 }], [{ count: 1 }]), 1, january, page),
  readOpensOfUser: (db) => readOpensOfUser(db([{ userId: 1 }], [{ count: 1 }]), 1, january, page),
} satisfies Samples
