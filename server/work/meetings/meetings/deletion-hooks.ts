import { deletionHook } from '../../../platform/changes/deletion-hooks.ts'
import { lockMeetingsAround } from './queries.ts'

/** If a person is deleted, their meetings stay, and so do the names of attendees. */
export const meetingDeletionHooks = [
  deletionHook({ of: 'users', columns: ['meetings.created_by', 'meeting_attendees.user_id'], lock: lockMeetingsAround }),
  deletionHook({ of: 'meetings', columns: ['meeting_attendees.meeting_id'] }),
]
