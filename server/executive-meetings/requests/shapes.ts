import { type Static, Type } from 'typebox'
import { CalendarDate, Id, Nullable, OneOf, PageOf, PartialShape, pageQuery, Shape, Text, Timestamp } from '../../platform/http/shape.ts'
import { MeetingPatch } from '../meetings/shapes.ts'
import { actions, asks, decisions, statuses, types } from './rules.ts'

const RequestType = OneOf(types)
const RequestStatus = OneOf(statuses)

/** Each type takes its own of these, and leaves the others. */
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
const Proposal = Type.Object(Details.properties, { additionalProperties: false, description: aboutDetails })

export const NewRequestAbout = Shape({ type: RequestType, details: Proposal })
export const NewRequest = Shape({
  ...NewRequestAbout.properties,
  meetingId: Type.Optional(Nullable(Type.Integer({ ...Id, description: 'The meeting it is about; of `create`, none' }))),
})

export const Step = Shape({
  status: Type.Optional(OneOf(decisions, { description: 'What a reviewer decides' })),
  reviewNotes: Type.Optional(Nullable(Text({ max: 2000 }))),
  action: Type.Optional(OneOf(actions, { description: 'What the requester does' })),
  details: Type.Optional(Proposal),
})

export const RequestFilter = Shape({
  ...pageQuery(50),
  status: Type.Optional(RequestStatus),
  mine: Type.Optional(Type.Boolean({ description: 'true: those the caller made' })),
  meetingId: Type.Optional(Id),
})

const person = {
  id: Id,
  username: Type.String(),
  displayNameAr: Nullable(Type.String()),
  displayNameEn: Nullable(Type.String()),
  avatarUrl: Nullable(Type.String()),
}
export interface Person {
  id: number
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
  avatarUrl: string | null
}
const PersonOrNull = Type.Unsafe<Person | null>({ ...Shape(person), type: ['object', 'null'] })

const time = Nullable(Type.String())
export const Conflict = Shape({
  id: Id,
  date: CalendarDate,
  startTime: time,
  endTime: time,
  titleAr: Nullable(Type.String()),
  titleEn: Nullable(Type.String()),
})

export const MeetingRequest = Shape({
  id: Id,
  meetingId: Nullable(Id),
  type: RequestType,
  details: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description: aboutDetails }),
  status: RequestStatus,
  reviewNotes: Nullable(Type.String()),
  requester: PersonOrNull,
  reviewer: PersonOrNull,
  reviewedAt: Nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  conflicts: Type.Array(Conflict, { description: 'The meetings it would overlap with if it were applied now' }),
  next: Type.Array(OneOf(asks), { description: 'What the caller may do with it now' }),
})
export const MeetingRequests = PageOf('items', MeetingRequest)
