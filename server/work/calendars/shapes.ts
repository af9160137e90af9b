import { Type } from 'typebox'
import { CalendarDate, Count, Id, Name, Named, Nullable, PartialShape, Shape, Timestamp } from '../../platform/http/shape.ts'

const ClockTime = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', form: 'clockTime', description: 'HH:MM', examples: ['08:00'] })
const EndTime = Type.String({
  pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$',
  form: 'clockTime',
  description: 'HH:MM, or 24:00 for the end of the day',
  examples: ['16:00'],
})
const Hours = Named('WorkingHours', Shape({ from: ClockTime, to: EndTime }), { from: '08:00', to: '16:00' })
const Weekly = Type.Array(Type.Array(Hours, { maxItems: 4 }), {
  minItems: 7,
  maxItems: 7,
  description: 'The hours of each day of the week, Sunday first, by the clock of the office',
})
const day = [{ from: '08:00', to: '16:00' }]
const exampleWeek = [day, day, day, day, day, [], []]

const OfficeDay = Type.String({ ...CalendarDate, description: 'YYYY-MM-DD, a day of the office' })
const optionalNames = {
  nameAr: Type.Optional(Nullable(Name({ max: 200, clears: true }))),
  nameEn: Type.Optional(Nullable(Name({ max: 200, clears: true }))),
}
const names = { nameAr: Nullable(Type.String()), nameEn: Nullable(Type.String()) }
const examplePeriod = { from: '2027-02-08', to: '2027-03-09', nameAr: 'رمضان', nameEn: 'Ramadan' }
const period = { from: OfficeDay, to: OfficeDay, weekly: Weekly }
const NewPeriod = Named('NewWorkingPeriod', Shape({ ...period, ...optionalNames }), examplePeriod)
const Period = Named('WorkingPeriod', Shape({ ...period, ...names }), examplePeriod)
const exampleDay = { date: '2027-02-22', nameAr: 'يوم التأسيس', nameEn: 'Founding Day' }
const NewDayOff = Named('NewDayOff', Shape({ date: OfficeDay, ...optionalNames }), exampleDay)
const DayOff = Named('DayOff', Shape({ date: OfficeDay, ...names }), exampleDay)

const calendarNames = { nameAr: Name({ min: 1, max: 200 }), nameEn: Name({ min: 1, max: 200 }) }
const exampleNames = { nameAr: 'ساعات الدوام', nameEn: 'Office hours' }
const IsDefault = Type.Boolean({ description: 'It is the calendar of teams that have no other, and of services without a team. One is.' })

export const WorkingCalendar = Named(
  'WorkingCalendar',
  Shape({
    id: Id,
    nameAr: Type.String(),
    nameEn: Type.String(),
    isDefault: IsDefault,
    weekly: Weekly,
    periods: Type.Array(Period),
    daysOff: Type.Array(DayOff),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
  { ...exampleNames, isDefault: true, weekly: exampleWeek, periods: [], daysOff: [exampleDay] },
)
const editable = {
  ...calendarNames,
  isDefault: IsDefault,
  weekly: Weekly,
  periods: Type.Array(NewPeriod, { maxItems: 50, description: 'Other hours between two days, both included' }),
  daysOff: Type.Array(NewDayOff, { maxItems: 500 }),
}
export const WorkingCalendarEdit = Named('WorkingCalendarChanges', PartialShape(editable), { daysOff: [exampleDay] })
export const NewWorkingCalendar = Named(
  'NewWorkingCalendar',
  Shape({ ...WorkingCalendarEdit.properties, ...calendarNames, weekly: Weekly }),
  { ...exampleNames, weekly: exampleWeek },
)
/** The counts in a refused deletion of a calendar. */
export const CalendarDeletionConflict = Named('WorkingCalendarDeletionConflict', Shape({ teamCount: Count, openOrderCount: Count }), {
  teamCount: 2,
  openOrderCount: 5,
})

export const SpansQuery = Shape({ from: OfficeDay, to: OfficeDay })
export const WorkingSpans = Type.Array(
  Named('WorkingSpan', Shape({ startsAt: Timestamp, endsAt: Timestamp }), {
    startsAt: '2026-03-01T05:00:00.000Z',
    endsAt: '2026-03-01T13:00:00.000Z',
  }),
)

const Due = Nullable(Timestamp)
export const CalendarPreview = Named(
  'WorkingCalendarPreview',
  Shape({
    earlier: Count,
    later: Count,
    unchanged: Count,
    firstOrders: Type.Array(
      Named('MovedTarget', Shape({ orderId: Id, dueAt: Due, newDueAt: Due }), { orderId: 31, dueAt: '2026-03-01T08:30:00.000Z' }),
      { description: 'The first five that move, by when they are due now; null: later than what is laid out.' },
    ),
  }),
  { earlier: 0, later: 12, unchanged: 3 },
)
