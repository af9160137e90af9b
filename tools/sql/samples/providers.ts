import { findByEmail, findByIdentity } from '../../../server/accounts/providers/finding.ts'
import { movesByClaims } from '../../../server/accounts/providers/groups-from-claims.ts'
import { listIdentities, unlink } from '../../../server/accounts/providers/identities.ts'
import { findStranded } from '../../../server/accounts/providers/leaving.ts'
import { findById, findBySlug, listActive } from '../../../server/accounts/providers/queries.ts'
import { forgetGroup } from '../../../server/accounts/providers/saving.ts'
import { findOwner } from '../../../server/accounts/providers/sessions.ts'
import { hashToken, newToken } from '../../../server/platform/auth/tokens.ts'
import type { Samples } from '../recorder.ts'

const token = newToken()

export default {
  findBySlug: (db) => findBySlug(db(), 'entra'),
  findById: (db) => findById(db([{ id: 1 }]), 1),
  listActive: (db) => listActive(db()),
  findByIdentity: (db) => findByIdentity(db(), 1, 'subject'),
  findByEmail: (db) => findByEmail(db(), 1, 'sara@example.org'),
  movesByClaims: (db) => movesByClaims(db(), 1, 2, ['finance']),
  listIdentities: (db) => listIdentities(db(), 1),
  unlink: (db) => unlink(db([{ slug: 'entra', hasOther: true }]), 1, 2),
  findStranded: (db) => findStranded(db(), 1),
  findOwner: (db) => findOwner(db(), token, hashToken(token)),
  forgetGroup: (db) => forgetGroup(db(), 1),
} satisfies Samples
