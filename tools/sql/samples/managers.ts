import { findManager, findNamedElsewhere, setManagers } from '../../../server/people/managers/queries.ts'
import type { Samples } from '../recorder.ts'

export default {
  findManager: (db) => findManager(db(), 1),
  findNamedElsewhere: (db) => findNamedElsewhere(db(), [1]),
  setManagers: (db) => setManagers(db(), [{ userId: 1, managerId: 2 }]),
} satisfies Samples
