import { departure } from '../platform/changes/departures.ts'

/** Uploads stay: others may refer to them. They count for nobody then. */
export const storageDepartures = [departure({ of: 'users', holds: ['objects.owner_id', 'object_shares.user_id'] })]
