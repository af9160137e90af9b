import { deletionHook } from '../../../platform/changes/deletion-hooks.ts'
import { lockMeetingsAround } from './queries.ts'

/** Meetings and the names of their attendees stay. */
export const meetingDeletionHooks = [
  deletionHook({ of: 'users', columns: ['meetings.created_by', 'meeting_attendees.user_id'], lock: lockMeetingsAround }),
  deletionHook({ of: 'meetings', columns: ['meeting_attendees.meeting_id'] }),
]
