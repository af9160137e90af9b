import { findEntry } from '../../../server/record/history/queries.ts'
import type { Samples } from '../recorder.ts'

const entry = { action: 'group.member.remove', targetId: 1, targetType: 'group', facts: { userId: 2 }, ends: [] }

export default {
  findEntry: (db) => findEntry(db([entry]), 'audit', 1),
} satisfies Samples
