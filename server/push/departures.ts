import { departure } from '../platform/changes/departures.ts'

export const pushDepartures = [departure({ of: 'users', holds: ['push_subscriptions.user_id'] })]
