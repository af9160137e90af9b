import { deletionHook } from '../../../platform/changes/deletion-hooks.ts'
import { readMeeting } from '../meetings/queries.ts'
import { meetingParams } from '../meetings/rules.ts'
import { lockRequestsAbout, lockRequestsAround } from './queries.ts'

/** Requests stay when their requester or reviewer is deleted; they are deleted with their meeting. */
export const requestDeletionHooks = [
  deletionHook({
    of: 'users',
    columns: ['meeting_requests.requester_id', 'meeting_requests.reviewer_id'],
    lock: lockRequestsAround,
  }),
  deletionHook({
    of: 'meetings',
    columns: ['meeting_requests.meeting_id'],
    leaves: async (tx, id) => {
      const requests = await lockRequestsAbout(tx, id)
      if (requests.length === 0) return []
      const { ar, en } = meetingParams(await readMeeting(tx, id))
      const params = { ar: { meeting: ar.meeting }, en: { meeting: en.meeting } }
      return requests.map((before) => ({ kind: 'meeting_request.removed', targetId: before.id, facts: { before, params } }))
    },
  }),
]
