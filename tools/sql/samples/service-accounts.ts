import { listPrograms, readProgram, readRightsOf, roleIdsNamed } from '../../../server/people/service-accounts/queries.ts'
import type { Samples } from '../recorder.ts'

export default {
  listPrograms: (db) => listPrograms(db(), {}),
  readProgram: (db) => readProgram(db([{}]), 1),
  readRightsOf: (db) => readRightsOf(db([{ roles: [], permissions: [] }]), { id: 1, username: 'robot' }),
  roleIdsNamed: (db) => roleIdsNamed(db([]), ['directory']),
} satisfies Samples
