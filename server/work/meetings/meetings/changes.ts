import { Type } from 'typebox'
import { type AuthoredChange, kind, type Notice } from '../../../platform/changes/change-kind.ts'
import type { Tx } from '../../../platform/database/db.ts'
import { daysChanged, withAccess, withoutAccess } from './queries.ts'
import { daysAround, meetingTexts } from './rules.ts'
import { Around, Meeting, type MeetingView } from './shapes.ts'

const Place = Type.Object({ date: Type.String(), sortOrder: Type.Integer() })

interface Facts<R> {
  before: R | null
  after: R | null
}
/** For people who cannot open the meeting, the notification has all the details and no link. */
function meetingNotices(targetId: number, facts: Facts<MeetingView>, authorId: number | undefined): Notice[] {
  const about = { type: 'meeting', relatedType: 'meeting', relatedId: targetId } as const
  return meetingTexts(facts, authorId).flatMap(({ template, people, params, paramsForGuests }): Notice[] => [
    { ...about, recipients: withAccess(people), template, params },
    { ...about, recipients: withoutAccess(people), template, params: paramsForGuests },
  ])
}

const common = {
  targetType: 'meeting',
  emits: (_tx: Tx, { facts }: AuthoredChange<Facts<{ date: string }>>) => daysChanged(daysAround(facts)),
} as const
/** For changes that are recorded with the whole meeting and that attendees are notified of. */
const ofMeeting = {
  ...common,
  facts: Around(Meeting),
  notifies: (_tx: Tx, { targetId, facts, author }: AuthoredChange<Facts<MeetingView>>) => meetingNotices(targetId, facts, author?.id),
} as const

export const meetingChanges = {
  'meeting.created': kind({ ...ofMeeting, audits: () => ({ action: 'meeting.create' }) }),
  'meeting.updated': kind({ ...ofMeeting, audits: () => ({ action: 'meeting.update' }) }),
  'meeting.deleted': kind({
    ...ofMeeting,
    audits: () => ({ action: 'meeting.delete' }),
    settles: ({ targetId }) => [{ relatedType: 'meeting', relatedId: targetId }],
  }),
  'meeting.duplicated': kind({ ...ofMeeting, audits: () => ({ action: 'meeting.duplicate' }) }),
  /** Recorded for each meeting whose place in its day changed. */
  'meeting.reordered': kind({
    ...common,
    facts: Type.Object({ before: Place, after: Place }),
    audits: () => ({ action: 'meeting.reorder' }),
  }),
}
