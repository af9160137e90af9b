import { isResetToken } from '../../../../server/identity/passwords/queries.ts'
import { findSession, lockForSignIn } from '../../../../server/identity/sessions/active-users.ts'
import { knowDevice } from '../../../../server/identity/sessions/devices.ts'
import { findProviderOf } from '../../../../server/identity/sessions/provider-logout.ts'
import { readAuthUser } from '../../../../server/identity/sessions/queries.ts'
import type { Samples } from '../../recorder.ts'

export default {
  findProviderOf: (db) => findProviderOf(db(), 1),
  readAuthUser: (db) => readAuthUser(db([{ id: 1 }]), 1),
  isResetToken: (db) => isResetToken(db(), 'token'),
  knowDevice: (db) => knowDevice(db(), 1, []),
  lockForSignIn: (db) => lockForSignIn(db([{ id: 1 }]), 1),
  findSession: (db) => findSession(db(), 'a'.repeat(43)),
} satisfies Samples
