import { departure } from '../platform/changes/departures.ts'

export const presenceDepartures = [departure({ of: 'users', holds: ['presences.user_id'] })]
