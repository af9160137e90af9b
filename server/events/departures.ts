import { departure } from '../platform/changes/departures.ts'

export const eventDepartures = [
  departure({ of: 'users', holds: ['events.recipients'], stays: 'events are forgotten within a day, and no stream is theirs any more' }),
]
