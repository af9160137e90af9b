import { administrators } from '../../../server/platform/auth/held.ts'
import { appear, listPresent } from '../../../server/work/presence/queries.ts'
import type { Samples } from '../recorder.ts'

const place = { targetType: 'order', targetId: 1, date: null } as const

export default {
  appear: (db) => appear(db([], [{ isSame: true }]), 1, place, true),
  listPresent: (db) => listPresent(db(), place, administrators),
} satisfies Samples
