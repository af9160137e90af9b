import { Type } from 'typebox'
import { CalendarDate, Count, Id, Named, Nullable, OneOf, PageOf, pageQuery, Shape, Timestamp } from '../../platform/http/shape.ts'
import { ranges } from './rules.ts'

export const HomeStats = Named(
  'HomeStats',
  Shape({ totalApps: Count, totalServices: Count, unreadNotifications: Count, totalUsers: Count }),
  { totalApps: 12, totalServices: 9, unreadNotifications: 2, totalUsers: 140 },
)

const Range = Named('StatsRange', OneOf(ranges))
const bound = (what: string) =>
  Type.Optional(Type.String({ maxLength: 100, description: `${what}, YYYY-MM-DD in UTC; only with \`range=custom\`.` }))
const windowQuery = {
  range: Type.Optional(
    Type.Unsafe<(typeof ranges)[number]>({
      ...Range,
      default: '7d',
      description: 'The last days, today (UTC) included; `custom` is at most 366 days from `from` to `to`.',
    }),
  ),
  from: bound('The first day'),
  to: bound('The last day'),
}
export const WindowQuery = Shape(windowQuery)
export const OpensQuery = Shape({ ...windowQuery, ...pageQuery(100) })

const bounds = { range: Range, rangeDays: Count, rangeFrom: CalendarDate, rangeTo: CalendarDate }
const Series = Type.Array(Named('DayCount', Shape({ date: CalendarDate, count: Count }), { count: 17 }))
const app = { appId: Id, slug: Type.String(), nameAr: Type.String(), nameEn: Type.String(), iconName: Type.String(), color: Type.String() }
const user = {
  userId: Id,
  username: Type.String(),
  displayNameAr: Nullable(Type.String()),
  displayNameEn: Nullable(Type.String()),
  avatarUrl: Nullable(Type.String()),
}

const exampleApp = { slug: 'travel', nameAr: 'السفر', nameEn: 'Travel', iconName: 'plane', color: '#0a7' }
const exampleUser = { userId: 12, username: 'sara.ahmed', displayNameAr: 'سارة أحمد', displayNameEn: 'Sara Ahmed' }

export const AdminStats = Named(
  'AdminStats',
  Shape({
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
    topApps: Type.Array(Named('TopAppItem', Shape({ ...app, count: Count }), { ...exampleApp, count: 340 }), { maxItems: 5 }),
    mostActiveUsers: Type.Array(Named('TopUserItem', Shape({ ...user, count: Count }), { ...exampleUser, count: 51 }), { maxItems: 5 }),
  }),
  { rangeDays: 7, newUsersInRange: 3, appOpensInRange: 910 },
)

const opening = { id: Type.Integer({ minimum: 1 }), createdAt: Timestamp }

export const AppParams = Shape({ appId: Id })
export const AppOpensByApp = Named(
  'AdminAppOpensByApp',
  Shape({ ...app, ...bounds, ...PageOf('opens', Named('AppOpenByAppEntry', Shape({ ...opening, ...user }), exampleUser)).properties }),
  { ...exampleApp, rangeDays: 7 },
)
export const UserParams = Shape({ userId: Id })
export const AppOpensByUser = Named(
  'AdminAppOpensByUser',
  Shape({ ...user, ...bounds, ...PageOf('opens', Named('AppOpenByUserEntry', Shape({ ...opening, ...app }), exampleApp)).properties }),
  { ...exampleUser, rangeDays: 7 },
)
