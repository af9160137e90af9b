import { departure } from '../platform/changes/departures.ts'

export const statsDepartures = [departure({ of: 'users', holds: ['user_open_days.user_id', 'user_open_months.user_id'] })]
