import { Type } from 'typebox'
import { CalendarDate, Count, Id, Nullable, OneOf, PageOf, pageQuery, Shape, Timestamp } from '../platform/http/shape.ts'
import { ranges } from './rules.ts'

export const HomeStats = Shape({ totalApps: Count, totalServices: Count, unreadNotifications: Count, totalUsers: Count })

const Range = OneOf(ranges)
const bound = (what: string) =>
  Type.Optional(Type.String({ maxLength: 100, description: `${what}, YYYY-MM-DD in UTC; for \`custom\`, otherwise ignored.` }))
const windowQuery = {
  range: Type.Optional(
    OneOf(ranges, { default: '7d', description: 'The last days, today (UTC) included; `custom` is at most 366 days from `from` to `to`.' }),
  ),
  from: bound('The first day'),
  to: bound('The last day'),
}
export const WindowQuery = Shape(windowQuery)
export const OpensQuery = Shape({ ...windowQuery, ...pageQuery(100) })

const bounds = { range: Range, rangeDays: Count, rangeFrom: CalendarDate, rangeTo: CalendarDate }
const Series = Type.Array(Shape({ date: CalendarDate, count: Count }))
const app = { appId: Id, slug: Type.String(), nameAr: Type.String(), nameEn: Type.String(), iconName: Type.String(), color: Type.String() }
const user = {
  userId: Id,
  username: Type.String(),
  displayNameAr: Nullable(Type.String()),
  displayNameEn: Nullable(Type.String()),
  avatarUrl: Nullable(Type.String()),
}

export const AdminStats = Shape({
  ...bounds,
  newUsersInRange: Count,
  newUsersPrevRange: Count,
  activeServices: Count,
  inactiveServices: Count,
  signupsByDay: Series,
  appOpensByDay: Series,
  servicesCreatedByDay: Series,
  appOpensInRange: Count,
  appOpensPrevRange: Count,
  servicesCreatedInRange: Count,
  topApps: Type.Array(Shape({ ...app, count: Count }), { maxItems: 5 }),
  mostActiveUsers: Type.Array(Shape({ ...user, count: Count }), { maxItems: 5 }),
})

const opening = { id: Type.Integer({ minimum: 1 }), createdAt: Timestamp }

export const AppParams = Shape({ appId: Id })
export const AppOpensByApp = Shape({ ...app, ...bounds, ...PageOf('opens', Shape({ ...opening, ...user })).properties })
export const UserParams = Shape({ userId: Id })
export const AppOpensByUser = Shape({ ...user, ...bounds, ...PageOf('opens', Shape({ ...opening, ...app })).properties })
