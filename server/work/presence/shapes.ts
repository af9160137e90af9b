import { type Static, Type } from 'typebox'
import { PersonSummary } from '../../people/users/shapes.ts'
import { CalendarDate, Id, Named, Nullable, OneOf, Shape, Timestamp } from '../../platform/http/shape.ts'

/** The records that administrators edit. */
export const recordTypes = ['user', 'group', 'role', 'permission', 'app', 'service', 'service_category', 'order', 'settings'] as const

export const MOST_LISTED = 50

const editing = Type.Boolean({ description: 'Whether the person is editing, not only reading' })

export const AtRecord = Named(
  'RecordPresence',
  Shape({ targetType: OneOf(recordTypes), targetId: Type.Integer({ ...Id, description: '1 for the settings' }), editing }),
  { targetType: 'group', targetId: 7, editing: true },
)
export const AtMeetings = Named('MeetingPresence', Shape({ meetingId: Type.Optional(Id), date: Type.Optional(CalendarDate), editing }), {
  date: '2026-03-01',
  editing: false,
})

const Present = Named('PersonPresent', Shape({ user: PersonSummary, editing, since: Timestamp }))
export const Others = Type.Array(Present, { description: `The others, in the order in which they came; at most ${MOST_LISTED}` })

export const presenceEvents = {
  /** Sent to people with a record open: the other people who have it open. */
  presence_changed: Shape({
    targetType: OneOf([...recordTypes, 'meeting', 'meeting_day']),
    targetId: Nullable(Id),
    date: Nullable(CalendarDate),
    people: Others,
  }),
}

/** The places where people can be present. */
export type Place = Omit<Static<typeof presenceEvents.presence_changed>, 'people'>
export type Person = Static<typeof Present>
