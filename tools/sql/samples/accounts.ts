import { knowDevice } from '../../../server/accounts/devices.ts'
import { isResetToken, readAuthUser } from '../../../server/accounts/queries.ts'
import type { Samples } from '../recorder.ts'

export default {
  readAuthUser: (db) => readAuthUser(db([{ id: 1 }]), 1),
  isResetToken: (db) => isResetToken(db(), 'token'),
  knowDevice: (db) => knowDevice(db(), 1, undefined),
} satisfies Samples
