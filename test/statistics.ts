/** Computes the statistics from all rows, as plainly as possible. */
import type { TestPortal } from './portal.ts'

const DAY_MS = 24 * 3600 * 1000
export const dayOf = (moment: Date | number) => new Date(moment).toISOString().slice(0, 10)
export const dayAfter = (day: string, count: number) => dayOf(Date.parse(day) + count * DAY_MS)

interface Dated {
  id: number
  created_at: Date
}
interface AppOpen extends Dated {
  app_id: number
  user_id: number
}
const appFields = (app: Record<string, unknown>) => ({
  appId: app['id'],
  slug: app['slug'],
  nameAr: app['name_ar'],
  nameEn: app['name_en'],
  iconName: app['icon_name'],
  color: app['color'],
})
const userFields = (user: Record<string, unknown>) => ({
  userId: user['id'],
  username: user['username'],
  displayNameAr: user['display_name_ar'],
  displayNameEn: user['display_name_en'],
  avatarUrl: user['avatar_url'],
})

/** Reads all rows; returns functions for the expected statistics of a span of days. */
export async function readAll(portal: TestPortal) {
  const rows = <T extends Dated>(table: string) => portal.sql<T & Record<string, unknown>>(`select * from ${table} order by id`)
  const [users, services] = [await rows('users'), await rows('services')]
  const [apps, opens] = [await rows('apps'), await rows<AppOpen>('app_opens')]
  // App opens by people who are now deleted stay in the app's counts by day.
  const gone = await portal.sql<{ app_id: number; day: string }>(
    'select app_id, day::text as day from app_open_days, generate_series(1, forgotten)',
  )
  const all: AppOpen[] = [...opens, ...gone.map(({ app_id, day }) => ({ id: 0, app_id, user_id: 0, created_at: new Date(day) }))]
  const within = <T extends Dated>(some: T[], from: string, to: string) =>
    some.filter((one) => dayOf(one.created_at) >= from && dayOf(one.created_at) <= to)

  function top<F>(
    of: (Dated & Record<string, unknown>)[],
    owner: 'app_id' | 'user_id',
    some: AppOpen[],
    fields: (one: Record<string, unknown>) => F,
  ) {
    return of
      .map((one) => ({ ...fields(one), count: some.filter((open) => open[owner] === one.id).length }))
      .filter(({ count }) => count > 0)
      .toSorted((one, other) => other.count - one.count)
      .slice(0, 5)
  }
  const newestFirst = (some: (AppOpen & Record<string, unknown>)[]) =>
    some.toSorted((one, other) => other.created_at.getTime() - one.created_at.getTime() || other.id - one.id)
  const shown = ({ id, created_at }: Dated) => ({ id, createdAt: created_at.toISOString() })

  return {
    users,
    apps,
    services,
    statsOf(range: string, from: string, to: string) {
      const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
      const before = [dayAfter(from, -days), dayAfter(from, -1)] as const
      const series = (some: Dated[]) =>
        Array.from({ length: days }, (_, n) => dayAfter(from, n)).map((date) => ({ date, count: within(some, date, date).length }))
      const seen = within(all, from, to)
      return {
        range,
        rangeDays: days,
        rangeFrom: from,
        rangeTo: to,
        newUsersInRange: within(users, from, to).length,
        newUsersPrevRange: within(users, ...before).length,
        activeServices: services.filter((service) => service['is_available']).length,
        inactiveServices: services.filter((service) => !service['is_available']).length,
        signupsByDay: series(users),
        appOpensByDay: series(all),
        servicesCreatedByDay: series(services),
        appOpensInRange: seen.length,
        appOpensPrevRange: within(all, ...before).length,
        servicesCreatedInRange: within(services, from, to).length,
        topApps: top(apps, 'app_id', seen, appFields),
        mostActiveUsers: top(users, 'user_id', seen, userFields),
      }
    },
    /** All opens of the app in these days, newest first. */
    opensOfApp: (id: number, from: string, to: string) =>
      newestFirst(within(opens, from, to).filter((open) => open.app_id === id)).map((open) => ({
        ...shown(open),
        ...userFields(users.find((user) => user.id === open.user_id)!),
      })),
    opensOfUser: (id: number, from: string, to: string) =>
      newestFirst(within(opens, from, to).filter((open) => open.user_id === id)).map((open) => ({
        ...shown(open),
        ...appFields(apps.find((app) => app.id === open.app_id)!),
      })),
    appFields: (id: number) => appFields(apps.find((app) => app.id === id)!),
    userFields: (id: number) => userFields(users.find((user) => user.id === id)!),
  }
}

const listed = (values: readonly (number | string | boolean)[], type: string) =>
  `array[${values.map((value) => `'${value}'`).join()}]::${type}[]`

/** Functions that insert people, apps, services and app opens with past dates, and the recorded changes that the database requires. */
export function pastOf(portal: TestPortal) {
  let made = 0
  const recorded = async (targetType: string, insert: string) =>
    (
      await portal.sql<{ targetId: number }>(
        `with made as (${insert} returning id)
         insert into ledger (kind, target_type, target_id, facts) select 'test.meddled', '${targetType}', id, '{}' from made returning target_id as "targetId"`,
      )
    ).map(({ targetId }) => targetId)
  const names = (word: string, some: unknown[]) =>
    listed(
      some.map(() => `${word}-${++made}`),
      'text',
    )

  return {
    today: async () => (await portal.sql<{ day: string }>("select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as day"))[0]!.day,
    addUsers: (some: { at: string; isActive: boolean }[]) =>
      recorded(
        'user',
        `insert into users (username, email, password_hash, created_at, is_active)
         select name, name || '@example.org', '', at, is_active
         from unnest(${names('past', some)}, ${listed(
           some.map(({ at }) => at),
           'timestamptz',
         )},
           ${listed(
             some.map(({ isActive }) => isActive),
             'bool',
           )}) as past (name, at, is_active)`,
      ),
    addServices: (some: { at: string; isActive: boolean }[]) =>
      recorded(
        'service',
        `insert into services (name_ar, name_en, created_at, is_available)
         select 'قهوة', 'Coffee', at, is_available
         from unnest(${listed(
           some.map(({ at }) => at),
           'timestamptz',
         )},
           ${listed(
             some.map(({ isActive }) => isActive),
             'bool',
           )}) as past (at, is_available)`,
      ),
    addOpens: (some: { appId: number; userId: number; at: string }[]) =>
      portal.sql(
        `insert into app_opens (app_id, user_id, created_at)
         select * from unnest(${listed(
           some.map(({ appId }) => appId),
           'int',
         )}, ${listed(
           some.map(({ userId }) => userId),
           'int',
         )},
           ${listed(
             some.map(({ at }) => at),
             'timestamptz',
           )})`,
      ),
  }
}
