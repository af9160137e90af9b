import { type Static, Type } from 'typebox'
import { CountsOf, Id, Named, Nullable, OneOf, PageOf, PartialShape, pageQuery, Shape, Text, Timestamp } from '../../platform/http/shape.ts'
import { PersonSummary } from '../../users/shapes.ts'
import { BriefMeeting, Conflict, MeetingPatch, MOST_CONFLICTS } from '../meetings/shapes.ts'
import { actions, asks, decisions, statuses, types } from './rules.ts'

const RequestType = Named('MeetingRequestType', OneOf(types))
const RequestStatus = Named('MeetingRequestStatus', OneOf(statuses))

/** Each type takes some of these fields and ignores the others. */
export const Details = PartialShape({
  ...MeetingPatch.properties,
  text: Nullable(Text({ max: 5000, description: 'Of a `note`, what is added to the notes of the meeting; of a `cancel`, why.' })),
})
export type Details = Static<typeof Details>

const aboutDetails =
  `What is proposed: of \`create\`, the fields of a meeting; of \`reschedule\`, any of \`date\`, \`startTime\` and \`endTime\`; of \`edit\`,
any fields of a meeting; of \`attendees\`, the whole new list; of \`note\`, a \`text\`; of \`cancel\`, a \`text\` or nothing.`.replace(
    '\n',
    ' ',
  )
const Proposal = Named('MeetingProposal', Type.Object(Details.properties, { additionalProperties: false, description: aboutDetails }), {
  startTime: '11:00',
  endTime: '12:00',
})

const Reason = (description: string) => Type.Optional(Nullable(Text({ max: 1000, description })))
export const NewRequestAbout = Named(
  'NewRequestForMeeting',
  Shape({ type: RequestType, details: Proposal, reason: Reason('Why, for those who decide') }),
  { type: 'reschedule', reason: 'The minister arrives at 10:30.' },
)
export const NewRequest = Named(
  'NewMeetingRequest',
  Shape({
    ...NewRequestAbout.properties,
    meetingId: Type.Optional(Nullable(Type.Integer({ ...Id, description: 'The meeting it is about; of `create`, none' }))),
  }),
  { type: 'reschedule', meetingId: 7, reason: 'The minister arrives at 10:30.' },
)

export const Step = Named(
  'MeetingRequestStep',
  Shape({
    status: Type.Optional(OneOf(decisions, { description: 'What a reviewer decides' })),
    reviewNotes: Type.Optional(Nullable(Text({ max: 2000 }))),
    action: Type.Optional(OneOf(actions, { description: 'What the requester does' })),
    details: Type.Optional(Proposal),
    reason: Reason('Of `resubmit`; where it is not sent, the former one stays'),
  }),
  { status: 'approved', reviewNotes: 'See you there.' },
)

export const RequestFilter = Shape({
  ...pageQuery(50),
  status: Type.Optional(RequestStatus),
  mine: Type.Optional(Type.Boolean({ description: 'true: those the caller made' })),
  meetingId: Type.Optional(Id),
})

export type Person = Static<typeof PersonSummary>
const PersonOrNull = Nullable(PersonSummary)

export const MeetingRequest = Named(
  'MeetingRequest',
  Shape({
    id: Id,
    meetingId: Nullable(Id),
    meeting: Nullable(BriefMeeting),
    type: RequestType,
    details: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description: aboutDetails }),
    reason: Nullable(Type.String({ description: 'Why, in the words of the requester' })),
    status: RequestStatus,
    reviewNotes: Nullable(Type.String()),
    requester: PersonOrNull,
    reviewer: PersonOrNull,
    reviewedAt: Nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    conflicts: Type.Array(Conflict, {
      maxItems: MOST_CONFLICTS,
      description: 'The meetings it would overlap with if it were applied now, by their start; the first 20 of more',
    }),
    next: Type.Array(Named('MeetingRequestMove', OneOf(asks)), { description: 'What the caller may do with it now' }),
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
