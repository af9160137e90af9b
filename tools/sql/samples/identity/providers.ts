import { findByEmail, findProvisioned } from '../../../../server/identity/providers/account-for-claims.ts'
import { forgetGroup } from '../../../../server/identity/providers/administration.ts'
import { findStarter } from '../../../../server/identity/providers/attempts.ts'
import { movesByClaims } from '../../../../server/identity/providers/groups-by-claims.ts'
import { findByIdentity, findStranded, listIdentities, unlink } from '../../../../server/identity/providers/identities.ts'
import { findById, findBySlug, listActive } from '../../../../server/identity/providers/queries.ts'
import { hashToken, newToken } from '../../../../server/platform/auth/tokens.ts'
import type { Samples } from '../../recorder.ts'

const token = newToken()

export default {
  findBySlug: (db) => findBySlug(db(), 'entra'),
  findById: (db) => findById(db([{ id: 1 }]), 1),
  listActive: (db) => listActive(db()),
  findByIdentity: (db) => findByIdentity(db(), 1, 'subject'),
  findByEmail: (db) => findByEmail(db(), 1, 'sara@example.org'),
  findProvisioned: (db) => findProvisioned(db(), { id: 1, sourceId: 2 }, { external: '8a6f' }),
  movesByClaims: {
    'by values': (db) => movesByClaims(db(), 1, 2, { groups: ['finance'] }),
    'by groups': (db) => movesByClaims(db(), 1, 2, { groups: [3] }),
  },
  listIdentities: (db) => listIdentities(db(), 1),
  unlink: (db) => unlink(db([{ slug: 'entra', hasOther: true }]), 1, 2),
  findStranded: (db) => findStranded(db(), 1),
  findStarter: (db) => findStarter(db(), { sessionToken: token }, { session: hashToken(token) }),
  forgetGroup: (db) => forgetGroup(db(), 1),
} satisfies Samples
