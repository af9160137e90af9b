import {
  countTokens,
  findProgram,
  findToken,
  findTokenOwner,
  insertToken,
  listTokens,
  noteReminders,
  pageTokens,
} from '../../../../server/identity/tokens/queries.ts'
import type { Samples } from '../../recorder.ts'

const page = { limit: 50, offset: 0 }
const token = { userId: 1, kind: 'personal', name: 'Report', scopes: ['orders:read'], days: 90, createdBy: 1 } as const

export default {
  countTokens: (db) => countTokens(db([{ count: 1 }]), 1),
  findTokenOwner: (db) => findTokenOwner(db(), 1),
  findProgram: (db) => findProgram(db(), 1),
  findToken: (db) => findToken(db(), 'text'),
  insertToken: (db) => insertToken(db([{ id: 1 }], [{ id: 2 }], [{ id: 2 }]), token),
  listTokens: (db) => listTokens(db(), 1, page),
  noteReminders: (db) => noteReminders(db(), 500),
  pageTokens: async (db) => {
    await pageTokens(db([], [{ count: 0 }]), page)
    await pageTokens(db([], [{ count: 0 }]), { ...page, userId: 1, expiresWithinDays: 14 })
  },
} satisfies Samples
