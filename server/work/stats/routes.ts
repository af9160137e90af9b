import { inSnapshot } from '../../platform/database/db.ts'
import { query } from '../../platform/http/endpoint.ts'
import { visibleApps } from '../apps/queries.ts'
import { listTops } from './activity.ts'
import { countServices, readHome, readOpensOfApp, readOpensOfUser, readSeries, readToday } from './queries.ts'
import { boundsOf, windowOf } from './rules.ts'
import { AdminStats, AppOpensByApp, AppOpensByUser, AppParams, HomeStats, OpensQuery, UserParams, WindowQuery } from './shapes.ts'

const MOST_LISTED = 5

export const readHomeStats = query('GET /stats/home', {
  summary: 'The counts of the caller’s home page',
  description: 'The numbers of apps and services that the caller may use, of their unread notifications, and of active people.',
  allow: 'signed-in',
  reply: HomeStats,
  run: async ({ db, actor }) => {
    const countApps = async () => (await visibleApps(db, actor)).length
    const [totalApps, rest] = await Promise.all([actor.remember('stats.totalApps', countApps), readHome(db, actor)])
    return { totalApps, ...rest }
  },
})

export const readAdminStats = query('GET /stats/admin', {
  summary: 'Statistics of a window of days, compared with the previous window of the same length',
  description:
    'Days are UTC. A custom window needs `from` and `to`, and has at most 366 days; a series has every day, with 0 if nothing happened.',
  allow: 'admin',
  scope: 'admin:read',
  query: WindowQuery,
  reply: AdminStats,
  run: async ({ db, query }) => {
    const window = windowOf(query, await readToday(db))
    return inSnapshot(db, async (snapshot) => {
      const seriesOf = await readSeries(snapshot, window)
      const [signups, opens, services] = [seriesOf('signups'), seriesOf('app_opens'), seriesOf('services_created')]
      return {
        ...boundsOf(window),
        newUsersInRange: signups.inRange,
        newUsersPrevRange: signups.prevRange,
        ...(await countServices(snapshot)),
        signupsByDay: signups.byDay,
        appOpensByDay: opens.byDay,
        servicesCreatedByDay: services.byDay,
        appOpensInRange: opens.inRange,
        appOpensPrevRange: opens.prevRange,
        servicesCreatedInRange: services.inRange,
        ...(await listTops(db, snapshot, window, MOST_LISTED)),
      }
    })
  },
})

export const readAppOpensByApp = query('GET /stats/admin/app-opens/by-app/:appId', {
  summary: 'Who opened an app in a window of days, newest first',
  description: 'Days are UTC; the window works as in `GET /stats/admin`.',
  allow: 'admin',
  scope: 'admin:read',
  params: AppParams,
  query: OpensQuery,
  reply: AppOpensByApp,
  refuses: ['not_found'],
  run: async ({ db, params: { appId }, query }) => {
    const window = windowOf(query, await readToday(db))
    return { ...boundsOf(window), ...(await readOpensOfApp(db, appId, window, query)) }
  },
})

export const readAppOpensByUser = query('GET /stats/admin/app-opens/by-user/:userId', {
  summary: 'Which apps a person opened in a window of days, newest first',
  description: 'Days are UTC; the window works as in `GET /stats/admin`.',
  allow: 'admin',
  scope: 'admin:read',
  params: UserParams,
  query: OpensQuery,
  reply: AppOpensByUser,
  refuses: ['not_found'],
  run: async ({ db, params: { userId }, query }) => {
    const window = windowOf(query, await readToday(db))
    return { ...boundsOf(window), ...(await readOpensOfUser(db, userId, window, query)) }
  },
})
