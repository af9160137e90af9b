import { type Static, Type } from 'typebox'
import { kind, type Notice } from '../../../platform/changes/change-kind.ts'
import { OneOf } from '../../../platform/http/shape.ts'
import { approversBut, daysChanged, withAccess } from '../meetings/queries.ts'
import type { RequestRecord } from './queries.ts'
import { asks, noticeFor, stepOf } from './rules.ts'

const Request = Type.Unsafe<RequestRecord>({ type: 'object' })
/** The parameters of the texts about a request: its meeting, the actor, and the actor's reason or notes. */
const Params = Type.Object({ meeting: Type.String(), person: Type.String(), notes: Type.String() })
const Announcement = Type.Object({
  params: Type.Object({ ar: Params, en: Params }),
  /** The days whose pages show the request, except those announced by a change of its meeting. */
  dates: Type.Array(Type.String()),
})
const Made = Type.Object({ after: Request, ...Announcement.properties })
const Moved = Type.Object({ asked: OneOf(asks), before: Request, after: Request, ...Announcement.properties })
const Titles = Type.Object({ meeting: Type.String() })
const Removed = Type.Object({ before: Request, params: Type.Object({ ar: Titles, en: Titles }) })

const notice = (id: number) => ({ type: 'meeting', relatedType: 'meeting_request', relatedId: id }) as const

/** A decision notifies the requester if they still have access, a new proposal the reviewers, and a withdrawal nobody. */
function noticesOfMove(id: number, { asked, after, params }: Static<typeof Moved>): Notice[] {
  if (asked === 'withdraw') return []
  if (asked === 'resubmit')
    return [{ ...notice(id), recipients: approversBut(after.requesterId), template: 'meeting_request_resubmitted', params }]
  return after.requesterId === null
    ? []
    : [{ ...notice(id), recipients: withAccess([after.requesterId]), template: noticeFor[asked], params }]
}

export const meetingRequestChanges = {
  'meeting_request.made': kind({
    targetType: 'meeting_request',
    facts: Made,
    audits: ({ facts: { after } }) => ({ action: 'meeting_request.create', metadata: { before: null, after } }),
    notifies: (_tx, { targetId, facts: { after, params } }) => [
      { ...notice(targetId), recipients: approversBut(after.requesterId), template: 'meeting_request_made', params },
    ],
    emits: (_tx, { facts }) => daysChanged(facts.dates),
  }),
  /** The request was decided, withdrawn or resubmitted; an approval also records the change of the meeting. */
  'meeting_request.moved': kind({
    targetType: 'meeting_request',
    facts: Moved,
    audits: ({ facts: { asked, before, after } }) => ({ action: `meeting_request.${stepOf(asked).action}`, metadata: { before, after } }),
    notifies: (_tx, { targetId, facts }) => noticesOfMove(targetId, facts),
    emits: (_tx, { facts }) => daysChanged(facts.dates),
  }),
  /** The request was deleted with its meeting, whose change announces the day. A requester who was waiting for a decision is notified. */
  'meeting_request.removed': kind({
    targetType: 'meeting_request',
    facts: Removed,
    audits: ({ facts: { before } }) => ({ action: 'meeting_request.delete', metadata: { before, after: null } }),
    notifies: (_tx, { facts: { before, params }, author }) => {
      const isOpen = before.status === 'pending' || before.status === 'needs_edit'
      if (!isOpen || before.requesterId === null || before.requesterId === author?.id) return []
      return [{ ...notice(before.id), recipients: withAccess([before.requesterId]), template: 'meeting_request_removed', params }]
    },
    emits: 'nothing',
    settles: ({ targetId }) => [{ relatedType: 'meeting_request', relatedId: targetId }],
  }),
}
