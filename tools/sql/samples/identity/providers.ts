import { findByEmail, findByIdentity } from '../../../../server/identity/providers/finding.ts'
import { movesByClaims } from '../../../../server/identity/providers/groups-from-claims.ts'
import { listIdentities, unlink } from '../../../../server/identity/providers/identities.ts'
import { findStranded } from '../../../../server/identity/providers/leaving.ts'
import { findById, findBySlug, listActive } from '../../../../server/identity/providers/queries.ts'
import { forgetGroup } from '../../../../server/identity/providers/saving.ts'
import { findOwner } from '../../../../server/identity/providers/sessions.ts'
import { hashToken, newToken } from '../../../../server/platform/auth/tokens.ts'
import type { Samples } from '../../recorder.ts'

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
