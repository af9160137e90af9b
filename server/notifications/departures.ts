import { departure } from '../platform/changes/departures.ts'

export const notificationDepartures = [departure({ of: 'users', holds: ['notifications.user_id'] })]
