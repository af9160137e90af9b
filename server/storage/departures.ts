import { departure } from '../platform/changes/departures.ts'

/** Uploads stay: others may refer to them. */
export const storageDepartures = [departure({ of: 'users', holds: ['objects.owner_id'] })]
