import { type Static, type TSchema, Type } from 'typebox'
import { PersonSummary } from '../../../people/users/shapes.ts'
import {
  AFTER_SCHEME,
  CalendarDate,
  Count,
  Id,
  Int,
  Line,
  Name,
  Named,
  Nullable,
  OneOf,
  PageOf,
  PartialShape,
  pageQuery,
  partQuery,
  Shape,
  Text,
  Timestamp,
} from '../../../platform/http/shape.ts'
import { actorOrNull, Refs, revertOf } from '../../../record/audit/shapes.ts'

const meetingStatuses = ['scheduled', 'completed', 'postponed', 'cancelled'] as const
const MeetingStatus = Named('MeetingStatus', OneOf(meetingStatuses))
const AttendeeKind = Named('AttendeeKind', OneOf(['internal', 'external', 'virtual']))

/** A time of day, to the minute. */
const ClockTime = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', form: 'clockTime', description: 'HH:MM', examples: ['09:30'] })

const Attendee = Named(
  'Attendee',
  Shape({ id: Id, name: Type.String(), title: Nullable(Type.String()), kind: AttendeeKind, userId: Nullable(Id) }),
  { name: 'Sara Ahmed', userId: 12 },
)

export const Meeting = Named(
  'Meeting',
  Shape({
    id: Id,
    date: CalendarDate,
    startTime: Nullable(ClockTime),
    endTime: Nullable(ClockTime),
    titleAr: Nullable(Type.String()),
    titleEn: Nullable(Type.String()),
    locationAr: Nullable(Type.String()),
    locationEn: Nullable(Type.String()),
    meetingUrl: Nullable(Type.String()),
    notes: Nullable(Type.String()),
    status: MeetingStatus,
    isHighlighted: Type.Boolean(),
    sortOrder: Int,
    attendees: Type.Array(Attendee),
    createdBy: Nullable(Id),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
  { titleAr: 'مراجعة الميزانية', titleEn: 'Budget review', startTime: '09:30', endTime: '10:30', isHighlighted: false, sortOrder: 1 },
)
export const Meetings = Type.Array(Meeting)

const time = Nullable(ClockTime)
const title = Nullable(Type.String())
const brief = Shape({ id: Id, date: CalendarDate, startTime: time, endTime: time, titleAr: title, titleEn: title })
/** The time and the titles of a meeting. */
export const BriefMeeting = Named('BriefMeeting', brief, {
  ...{ startTime: '09:30', endTime: '10:30', titleAr: 'مراجعة الميزانية', titleEn: 'Budget review' },
})
export type BriefMeeting = Static<typeof BriefMeeting>
/** A meeting that overlaps another. */
export const Conflict = Named('MeetingConflict', brief, {
  ...{ id: 8, startTime: '11:30', endTime: '12:30', titleAr: 'لقاء المدراء', titleEn: 'Heads of departments' },
})
export type Conflict = Static<typeof Conflict>
/** The most conflicts that an answer lists. */
export const MOST_CONFLICTS = 20
/** A meeting with its conflicts. */
export const PlacedMeeting = Named(
  'PlacedMeeting',
  Shape({
    ...Meeting.properties,
    conflicts: Type.Array(Conflict, {
      maxItems: MOST_CONFLICTS,
      description: 'The scheduled meetings that it overlaps with, by their start; the first 20',
    }),
  }),
  { titleAr: 'مراجعة الميزانية', titleEn: 'Budget review', startTime: '09:30', endTime: '10:30', isHighlighted: false, sortOrder: 1 },
)

const AttendeeFields = Named(
  'AttendeeInput',
  Shape({
    name: Name({ min: 1, max: 200 }),
    title: Type.Optional(Nullable(Name({ max: 200 }))),
    kind: Type.Optional(Type.Unsafe<Static<typeof AttendeeKind>>({ ...AttendeeKind, default: 'internal' })),
    userId: Type.Optional(Nullable(Id)),
  }),
  { name: 'Sara Ahmed', userId: 12 },
)

/** `checkMeeting` decides which fields are required together. */
export const MeetingPatch = Named(
  'MeetingChanges',
  PartialShape({
    date: CalendarDate,
    startTime: Nullable(ClockTime),
    endTime: Nullable(ClockTime),
    titleAr: Nullable(Name({ max: 300 })),
    titleEn: Nullable(Name({ max: 300 })),
    locationAr: Nullable(Line({ max: 300 })),
    locationEn: Nullable(Line({ max: 300 })),
    meetingUrl: Nullable(Line({ max: 2000, pattern: `^([hH][tT][tT][pP][sS]?${AFTER_SCHEME})?$`, form: 'url' })),
    notes: Nullable(Text({ max: 5000 })),
    status: MeetingStatus,
    isHighlighted: Type.Boolean(),
    sortOrder: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description: 'The place in the day; meetings with the same place are sorted by time',
    }),
    attendees: Type.Array(AttendeeFields, { maxItems: 200 }),
  }),
  { startTime: '11:00', endTime: '12:00', status: 'postponed' },
)
export const MeetingFields = Named('NewMeeting', Shape({ ...MeetingPatch.properties, date: CalendarDate }), {
  titleAr: 'مراجعة الميزانية',
  titleEn: 'Budget review',
  startTime: '09:30',
  endTime: '10:30',
  attendees: [{ name: 'Sara Ahmed', userId: 12 }],
})

export type MeetingView = Static<typeof Meeting>
export type NewMeeting = Static<typeof MeetingFields>
export type MeetingChanges = Static<typeof MeetingPatch>

/** A whole record before and after a change; null before its creation and after its deletion. */
export const Around = <S extends TSchema>(_record: S) => {
  const whole = Type.Unsafe<Static<S> | null>({ type: ['object', 'null'] })
  return Type.Object({ before: whole, after: whole })
}

export const Standing = Named(
  'ExecutiveStanding',
  Shape({
    userId: Id,
    roles: Type.Array(Type.String()),
    canRead: Type.Boolean(),
    canMutate: Type.Boolean(),
    canApprove: Type.Boolean(),
    canRequest: Type.Boolean(),
    canViewAudit: Type.Boolean(),
  }),
  { roles: ['executive_coordinator'], canApprove: false, canViewAudit: false },
)
export const Executives = Type.Array(
  Named('Executive', Shape({ ...PersonSummary.properties, canApprove: Type.Boolean({ description: 'Whether they decide on requests' }) }), {
    username: 'sara.ahmed',
    displayNameAr: 'سارة أحمد',
    displayNameEn: 'Sara Ahmed',
    avatarUrl: null,
  }),
)
export type Executive = Static<typeof Executives>[number]
export const Days = Type.Array(Named('MeetingDay', Shape({ date: CalendarDate, meetingCount: Count }), { meetingCount: 3 }))
const days = { from: Type.Optional(CalendarDate), to: Type.Optional(CalendarDate) }
export const DaysQuery = Shape({ ...days, ...partQuery })
export const MeetingsQuery = Shape({ date: Type.Optional(CalendarDate), ...days, ...partQuery })
export const DayOrder = Named('MeetingOrder', Shape({ date: CalendarDate, ids: Type.Array(Id, { maxItems: 1000, uniqueItems: true }) }))
export const Copying = Named('MeetingCopy', Shape({ date: CalendarDate }))

/** The kinds of records: their names in the module's own log, and their target types in the ledger. */
export const entityKinds = {
  meeting: 'meeting',
  request: 'meeting_request',
  task: 'meeting_task',
  font_settings: 'font_settings',
  pdf_archive: 'pdf_archive',
} as const
export type EntityKind = keyof typeof entityKinds
const EntityKindName = Named('MeetingEntityKind', OneOf(Object.keys(entityKinds) as EntityKind[]))

const Record = Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'], additionalProperties: true })
export const AuditEntries = Named(
  'MeetingAuditList',
  PageOf(
    'entries',
    Named(
      'MeetingAuditEntry',
      Shape({
        id: Id,
        entityKind: EntityKindName,
        entityId: Id,
        action: Type.String(),
        before: Record,
        after: Record,
        createdAt: Timestamp,
        actor: actorOrNull,
        revertOf,
        refs: Refs,
      }),
      { action: 'update', before: { status: 'scheduled' }, after: { status: 'postponed' } },
    ),
  ),
)
export const AuditQuery = Shape({
  ...pageQuery(50),
  entityKind: Type.Optional(EntityKindName),
  entityId: Type.Optional(Id),
  action: Type.Optional(Type.String({ maxLength: 100, description: 'Exactly this action, such as `update`' })),
  actorUserId: Type.Optional(Id),
  ...days,
})

export const meetingEvents = {
  /** Something on the page of this day changed; null stands for a task without a day. */
  meetings_changed: Shape({ date: Nullable(CalendarDate) }),
}
