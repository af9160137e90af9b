import { knowDevice } from '../../../../server/identity/accounts/devices.ts'
import { findProviderOf } from '../../../../server/identity/accounts/end-session.ts'
import { findSession, lockForSignIn } from '../../../../server/identity/accounts/living.ts'
import { isResetToken, readAuthUser } from '../../../../server/identity/accounts/queries.ts'
import type { Samples } from '../../recorder.ts'

export default {
  findProviderOf: (db) => findProviderOf(db(), 1),
  readAuthUser: (db) => readAuthUser(db([{ id: 1 }]), 1),
  isResetToken: (db) => isResetToken(db(), 'token'),
  knowDevice: (db) => knowDevice(db(), 1, []),
  lockForSignIn: (db) => lockForSignIn(db([{ id: 1 }]), 1),
  findSession: (db) => findSession(db(), 'a'.repeat(43)),
} satisfies Samples
