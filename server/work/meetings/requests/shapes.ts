import { type Static, Type } from 'typebox'
import { PersonSummary } from '../../../people/users/shapes.ts'
import {
  CountsOf,
  Id,
  Named,
  Nullable,
  OneOf,
  PageOf,
  PartialShape,
  pageQuery,
  Shape,
  Text,
  Timestamp,
} from '../../../platform/http/shape.ts'
import { BriefMeeting, Conflict, MeetingPatch, MOST_CONFLICTS } from '../meetings/shapes.ts'
import { actions, asks, decisions, statuses, types } from './rules.ts'

const RequestType = Named('MeetingRequestType', OneOf(types))
const RequestStatus = Named('MeetingRequestStatus', OneOf(statuses))

/** Each type takes some of these fields and ignores the rest. */
export const Details = PartialShape({
  ...MeetingPatch.properties,
  text: Nullable(
    Text({ max: 5000, description: 'For a `note`, the text to add to the notes of the meeting; for a `cancel`, the reason.' }),
  ),
})
export type Details = Static<typeof Details>

const aboutDetails =
  `The proposal: for \`create\`, the fields of a meeting; for \`reschedule\`, any of \`date\`, \`startTime\` and \`endTime\`; for \`edit\`,
any fields of a meeting; for \`attendees\`, the complete new list; for \`note\`, a \`text\`; for \`cancel\`, a \`text\` or nothing.
Only a \`cancel\` may be sent without it.`.replaceAll('\n', ' ')
const Proposal = Named('MeetingProposal', Type.Object(Details.properties, { additionalProperties: false, description: aboutDetails }), {
  startTime: '11:00',
  endTime: '12:00',
})

const Reason = (description: string) => Type.Optional(Nullable(Text({ max: 1000, description })))
export const NewRequestAbout = Named(
  'NewRequestForMeeting',
  Shape({ type: RequestType, details: Type.Optional(Proposal), reason: Reason('The reason, for the people who decide') }),
  { type: 'reschedule', details: { startTime: '11:00', endTime: '12:00' }, reason: 'The minister arrives at 10:30.' },
)
export const NewRequest = Named(
  'NewMeetingRequest',
  Shape({
    ...NewRequestAbout.properties,
    meetingId: Type.Optional(Nullable(Type.Integer({ ...Id, description: 'The meeting that it is about; none for `create`' }))),
  }),
  { type: 'reschedule', meetingId: 7, details: { startTime: '11:00', endTime: '12:00' }, reason: 'The minister arrives at 10:30.' },
)

export const Step = Named(
  'MeetingRequestStep',
  Shape({
    status: Type.Optional(OneOf(decisions, { description: 'The decision of a reviewer' })),
    reviewNotes: Type.Optional(Nullable(Text({ max: 2000 }))),
    action: Type.Optional(OneOf(actions, { description: 'The action of the requester' })),
    details: Type.Optional(Proposal),
    reason: Reason('For `resubmit`; if it is omitted, the former reason stays'),
  }),
  { status: 'approved', reviewNotes: 'See you there.' },
)

export const RequestFilter = Shape({
  ...pageQuery(50),
  status: Type.Optional(RequestStatus),
  mine: Type.Optional(Type.Boolean({ description: 'true: only requests that the caller made' })),
  meetingId: Type.Optional(Id),
})

export type Person = Static<typeof PersonSummary>
const PersonOrNull = { ...Nullable(PersonSummary), isUntagged: true }

export const MeetingRequest = Named(
  'MeetingRequest',
  Shape({
    id: Id,
    meetingId: Nullable(Id),
    meeting: { ...Nullable(BriefMeeting), isUntagged: true },
    type: RequestType,
    details: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description: aboutDetails }),
    reason: Nullable(Type.String({ description: 'The reason, in the words of the requester' })),
    status: RequestStatus,
    reviewNotes: Nullable(Type.String()),
    requester: PersonOrNull,
    reviewer: PersonOrNull,
    reviewedAt: Nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    conflicts: Type.Array(Conflict, {
      isUntagged: true,
      maxItems: MOST_CONFLICTS,
      description: 'The meetings that it would overlap with if it were applied now, by their start; the first 20',
    }),
    next: Type.Array(Named('MeetingRequestMove', OneOf(asks)), { isUntagged: true, description: 'The steps that the caller may take now' }),
  }),
  {
    type: 'reschedule',
    details: { startTime: '11:00', endTime: '12:00' },
    reason: 'The minister arrives at 10:30.',
    status: 'pending',
    reviewer: null,
    reviewedAt: null,
  },
)
export const MeetingRequests = Named(
  'MeetingRequestsPage',
  Shape({ ...PageOf('items', MeetingRequest).properties, counts: CountsOf('MeetingRequestCounts', statuses) }),
)
