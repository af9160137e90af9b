import { findBeingApplied } from '../../../server/people/imports/applying.ts'
import { findAccounts, findGroups, findKnown } from '../../../server/people/imports/facts.ts'
import { issueLinks } from '../../../server/people/imports/links.ts'
import { findMissing, insertMissing, readImport } from '../../../server/people/imports/queries.ts'
import type { Config } from '../../../server/platform/config.ts'
import type { Samples } from '../recorder.ts'

const config = { publicUrl: 'https://portal.example.org' } as Config

export default {
  readImport: (db) => readImport(db([{ id: 1 }]), 1),
  insertMissing: (db) => insertMissing(db([]) as never, 1, 1),
  findMissing: (db) => findMissing(db(), 1, 1, [2]),
  findBeingApplied: (db) => findBeingApplied(db(), 1),
  findAccounts: (db) => findAccounts(db(), ['sara'], ['sara@example.org']),
  findKnown: (db) => findKnown(db(), [1]),
  findGroups: (db) => findGroups(db()),
  issueLinks: (db) => issueLinks(db([{ id: 1, line: 2 }], [{ moment: new Date(0) }]) as never, 1, config),
} satisfies Samples
