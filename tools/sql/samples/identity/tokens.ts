import {
  countTokens,
  findEnding,
  findProgram,
  findToken,
  findTokenOwner,
  insertToken,
  listTokens,
  pageTokens,
} from '../../../../server/identity/tokens/queries.ts'
import { tokenReminders } from '../../../../server/identity/tokens/reminders.ts'
import { noteDue } from '../../../../server/platform/jobs/reminders.ts'
import type { Samples } from '../../recorder.ts'

const page = { limit: 50, offset: 0 }
const token = { userId: 1, kind: 'personal', name: 'Report', scopes: ['orders:read'], days: 90, createdBy: 1 } as const

export default {
  countTokens: (db) => countTokens(db([{ count: 1 }]), 1),
  findEnding: (db) => findEnding(db(), [1]),
  findTokenOwner: (db) => findTokenOwner(db(), 1),
  findProgram: (db) => findProgram(db(), 1),
  findToken: (db) => findToken(db(), 'text'),
  insertToken: (db) => insertToken(db([{ id: 1 }], [{ id: 2 }], [{ id: 2 }]), token),
  listTokens: (db) => listTokens(db(), 1, page),
  noteDue: (db) => noteDue(db(), tokenReminders),
  pageTokens: async (db) => {
    await pageTokens(db([], [{ count: 0 }]), page)
    await pageTokens(db([], [{ count: 0 }]), { ...page, userId: 1, expiresWithinDays: 14 })
  },
} satisfies Samples
