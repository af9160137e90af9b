import { followManagers } from '../../../server/identity/scim/managers.ts'
import type { PersonState } from '../../../server/identity/scim/person.ts'
import type { CallingSource } from '../../../server/identity/scim/queries.ts'
import { findManager, findManagerIds, findNamedElsewhere, setManagers } from '../../../server/people/managers/queries.ts'
import type { Samples } from '../recorder.ts'

const manager = { 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { manager: { value: 'B2' } } }
const sent = { userName: 'sara@example.org', externalId: 'A1', attributes: manager } as unknown as PersonState

export default {
  followManagers: (db) => followManagers(db(), { id: 4 } as CallingSource, 1, { before: null, after: sent }),
  findManager: (db) => findManager(db(), 1),
  findManagerIds: (db) => findManagerIds(db(), [1]),
  findNamedElsewhere: (db) => findNamedElsewhere(db(), [1]),
  setManagers: (db) => setManagers(db(), [{ userId: 1, managerId: 2 }]),
} satisfies Samples
