import { departure } from '../platform/changes/departures.ts'

/** Uploads stay, because others may refer to them. They then count towards nobody's share. */
export const storageDepartures = [departure({ of: 'users', holds: ['objects.owner_id', 'object_shares.user_id'] })]
