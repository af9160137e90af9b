import { departure } from '../../platform/changes/departures.ts'
import { lockMeetingsAround } from './queries.ts'

/** Meetings and the names of their attendees stay. */
export const meetingDepartures = [
  departure({ of: 'users', holds: ['meetings.created_by', 'meeting_attendees.user_id'], lock: lockMeetingsAround }),
  departure({ of: 'meetings', holds: ['meeting_attendees.meeting_id'] }),
]
