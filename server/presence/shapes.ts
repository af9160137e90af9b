import { type Static, Type } from 'typebox'
import { CalendarDate, Id, Named, Nullable, OneOf, Shape, Timestamp } from '../platform/http/shape.ts'
import { PersonSummary } from '../users/shapes.ts'

/** The records that administrators edit. */
export const recordTypes = ['user', 'group', 'role', 'permission', 'app', 'service', 'service_category', 'order', 'settings'] as const

/** How many people a list has at most. */
export const MOST_LISTED = 50

const editing = Type.Boolean({ description: 'Whether something is being changed, and not only read' })

export const AtRecord = Named(
  'RecordPresence',
  Shape({ targetType: OneOf(recordTypes), targetId: Type.Integer({ ...Id, description: '1 of the settings' }), editing }),
  { targetType: 'group', targetId: 7, editing: true },
)
export const AtMeetings = Named('MeetingPresence', Shape({ meetingId: Type.Optional(Id), date: Type.Optional(CalendarDate), editing }), {
  date: '2026-03-01',
  editing: false,
})

const Present = Named('PersonPresent', Shape({ user: PersonSummary, editing, since: Timestamp }))
export const Others = Type.Array(Present, { description: `The others, those who came first first; ${MOST_LISTED} at most` })

export const presenceEvents = {
  /** Who else has something open that the recipient has open, too. */
  presence_changed: Shape({
    targetType: OneOf([...recordTypes, 'meeting', 'meeting_day']),
    targetId: Nullable(Id),
    date: Nullable(CalendarDate),
    people: Others,
  }),
}

/** What people are present at. */
export type Place = Omit<Static<typeof presenceEvents.presence_changed>, 'people'>
export type Person = Static<typeof Present>
