import { Type } from 'typebox'
import { CalendarDate, Count, Id, Named, Nullable, Shape } from '../../platform/http/shape.ts'

const OfficeDay = Type.String({ ...CalendarDate, description: 'YYYY-MM-DD, a day of the office' })
const span = { from: OfficeDay, to: OfficeDay }
const teamId = Type.Optional(Id)
export const ReportQuery = Shape({ ...span, teamId, serviceId: Type.Optional(Id) })
export const ExportQuery = Shape({ ...span, teamId, serviceId: Id })

const InTime = Named(
  'OrdersInTime',
  Shape({
    count: Count,
    base: Type.Integer({ minimum: 0, description: 'Those that had a target and have come to it, in time or not' }),
  }),
  { count: 18, base: 20 },
)
const Minutes = (description: string) => Nullable(Type.Number({ minimum: 0, description }))
const figures = {
  placed: Count,
  completed: Type.Integer({ minimum: 0, description: 'Those that were completed once and are not cancelled, even if they were reopened' }),
  cancelled: Type.Integer({ minimum: 0, description: 'Without those that were denied or have lapsed' }),
  denied: Count,
  lapsed: Count,
  reopened: Type.Integer({ minimum: 0, description: 'Those that were reopened at least once' }),
  open: Type.Integer({ minimum: 0, description: 'Those that were never completed and are not cancelled' }),
  late: Type.Integer({ minimum: 0, description: 'Those of the open ones that have missed their next target' }),
  receivedInTime: InTime,
  completedInTime: InTime,
  medianMinutesToReceive: Minutes('Working minutes from the placing, or the release after approvals, to the first claim'),
  p90MinutesToReceive: Minutes('The same for 90 of 100 orders'),
  medianMinutesToComplete: Minutes(
    'Working minutes from the placing, or the release after approvals, to the first completion, without pauses',
  ),
  p90MinutesToComplete: Minutes('The same for 90 of 100 orders'),
  byDay: Type.Array(
    Named('OrdersOfDay', Shape({ day: OfficeDay, placed: Count, completed: Count, open: Count, late: Count }), {
      ...{ day: '2026-03-01', placed: 4, completed: 3, open: 1, late: 0 },
    }),
    { description: 'The orders that were placed on each day, as they stand now; no day is left out' },
  ),
}
const example = {
  ...{ placed: 24, completed: 20, cancelled: 2, denied: 0, lapsed: 0, reopened: 1, open: 2, late: 1 },
  ...{ medianMinutesToReceive: 6, p90MinutesToReceive: 14.5, medianMinutesToComplete: 31, p90MinutesToComplete: 58 },
}
export const ServiceReport = Named(
  'ServiceReport',
  Shape({
    total: Named('OrderFigures', Shape(figures), example),
    services: Type.Array(
      Named('ServiceFigures', Shape({ serviceId: Id, serviceNameAr: Type.String(), serviceNameEn: Type.String(), ...figures }), {
        ...example,
        ...{ serviceId: 3, serviceNameAr: 'قهوة', serviceNameEn: 'Coffee' },
      }),
      { description: 'Services that were ordered in the period, in the order of the catalogue' },
    ),
  }),
)
