/** Statistics, read from counts that triggers maintain. Each reply comes from one snapshot, so that its numbers agree. */
import { sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import { inSnapshot, type Reads } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { partIn } from '../../platform/http/lists.ts'
import { type Page, pageOf } from '../../platform/http/page.ts'
import { isKnownTo } from '../services/queries.ts'
import { fillDays, type Window } from './rules.ts'

const appColumns = ['apps.id as appId', 'slug', 'nameAr', 'nameEn', 'iconName', 'color'] as const
const userColumns = ['users.id as userId', 'username', 'displayNameAr', 'displayNameEn', 'avatarUrl'] as const

/** Today in UTC, on the database's clock. */
export async function readToday(db: Reads) {
  const { rows } = await sql<{ today: string }>`select utc_day(clock_timestamp()) as today`.execute(db)
  return rows[0]!.today
}

type State = 'active_users' | 'available_services' | 'unavailable_services'
const stateCount = (what: State) => sql<number>`(select coalesce(sum(count), 0)::bigint from state_counts where what = ${what})`

const RESTRICTED = sql`array(select service_id from service_handlings where audience = 'groups')`

/** Subtracts the services that the caller cannot see from the stored total: they are few, because most services are for everyone. */
export async function readHome(db: Reads, actor: Actor) {
  const { rows } = await sql<{ totalServices: number; unreadNotifications: number; totalUsers: number }>`
    select ${stateCount('available_services')} - (
        select count(*) from services where is_available and id = any(${RESTRICTED}) and not ${isKnownTo(actor)}) as total_services, ${stateCount('active_users')} as total_users,
      (select count(*) from notifications where user_id = ${actor.id} and read_at is null) as unread_notifications`.execute(db)
  return rows[0]!
}

export async function countServices(db: Reads) {
  const { rows } = await sql<{ activeServices: number; inactiveServices: number }>`
    select ${stateCount('available_services')} as active_services, ${stateCount('unavailable_services')} as inactive_services`.execute(db)
  return rows[0]!
}

/** Counts for each day of a window, and the totals of the window and of the equally long window before it. */
export async function readSeries(db: Reads, window: Window) {
  const { rows } = await sql<{ what: string; day: string; count: number; isBefore: boolean }>`
    select what, day, sum(count) as count, day < ${window.from}::date as is_before from day_counts
    where what in ('signups', 'services_created', 'app_opens') and day between ${window.from}::date - ${window.days}::int and ${window.to}::date
    group by what, day`.execute(db)
  return (what: 'signups' | 'services_created' | 'app_opens') => {
    const [within, before] = [false, true].map((side) => rows.filter((row) => row.what === what && row.isBefore === side))
    const sum = (some: typeof rows) => some.reduce((all, { count }) => all + count, 0)
    return {
      byDay: fillDays(window, new Map(within!.map(({ day, count }) => [day, count]))),
      inRange: sum(within!),
      prevRange: sum(before!),
    }
  }
}

export const findApps = (db: Reads, ids: number[]) =>
  db.selectFrom('apps').select(appColumns).where(sql<boolean>`apps.id = any(${ids}::int[])`).execute()
export const findUsers = (db: Reads, ids: number[]) =>
  db.selectFrom('users').select(userColumns).where('kind', '=', 'person').where(sql<boolean>`users.id = any(${ids}::int[])`).execute()

/** The app opens of a window, newest first, for the caller to join with people or apps. */
const opensIn = (db: Reads, { from, to }: Window, page: Page) =>
  partIn(
    db
      .selectFrom('appOpens')
      .select(['appOpens.id', 'appOpens.createdAt'])
      .where(sql<boolean>`app_opens.created_at >= ${from}::date::timestamp at time zone 'UTC'`)
      .where(sql<boolean>`app_opens.created_at < (${to}::date + 1)::timestamp at time zone 'UTC'`)
      .orderBy('appOpens.createdAt', 'desc')
      .orderBy('appOpens.id', 'desc'),
    page,
  )

const countIn = async (
  db: Reads,
  table: 'app_open_days' | 'user_open_days',
  owner: 'app_id' | 'user_id',
  id: number,
  { from, to }: Window,
) => {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(${table === 'app_open_days' ? sql`count - forgotten` : sql`count`}), 0)::bigint as count from ${sql.table(table)} where ${sql.ref(owner)} = ${id} and day between ${from} and ${to}`.execute(
    db,
  )
  return rows[0]!.count
}

/** An app with one page of its opens. Refuses `not_found`. */
export const readOpensOfApp = (db: Reads, appId: number, window: Window, page: Page) =>
  inSnapshot(db, async (snapshot) => {
    const [app] = await findApps(snapshot, [appId])
    if (!app) return refuse('not_found')
    const count = await countIn(snapshot, 'app_open_days', 'app_id', appId, window)
    const opens = await opensIn(snapshot, window, page)
      .innerJoin('users', 'users.id', 'appOpens.userId')
      .select(userColumns)
      .where('appOpens.appId', '=', appId)
      .execute()
    return { ...app, ...pageOf('opens', opens, count, page) }
  })

/** A person with one page of their app opens. Refuses `not_found`. */
export const readOpensOfUser = (db: Reads, userId: number, window: Window, page: Page) =>
  inSnapshot(db, async (snapshot) => {
    const [user] = await findUsers(snapshot, [userId])
    if (!user) return refuse('not_found')
    const count = await countIn(snapshot, 'user_open_days', 'user_id', userId, window)
    const opens = await opensIn(snapshot, window, page)
      .innerJoin('apps', 'apps.id', 'appOpens.appId')
      .select(appColumns)
      .where('appOpens.userId', '=', userId)
      .execute()
    return { ...user, ...pageOf('opens', opens, count, page) }
  })
