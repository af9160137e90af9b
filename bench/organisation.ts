/** An organisation of 50,000 with a year of history, created by SQL within a quarter of an hour. */
import { fillPeople } from './people.ts'
import type { BenchPortal } from './portal.ts'

const SIZES = { people: 50_000, services: 40, orders: 1_000_000, appOpens: 10_000_000, audits: 1_000_000 }
const DAYS = 366
const RECEIVERS = 50
/** The number of orders in work, which are the newest; all other orders are closed. */
const IN_WORK = 2000
const APP_OPENS_AT_ONCE = 250_000

interface Sizes {
  groups?: number
  apps?: number
  /** Scales the rows that grow with time, but not people, groups and apps. */
  share?: number
}

/** Returns the ids and the cookies of the people. */
export async function fillOrganisation(portal: BenchPortal, { groups = 300, apps = 500, share = 1 }: Sizes = {}) {
  const { sql } = portal
  const { ids, cookies } = await fillPeople(portal, SIZES.people)
  await fillGroups(portal, groups)
  await fillApps(portal, apps)
  await sql(
    `select ensure_month(parent, ((now() at time zone 'UTC') - months * interval '1 month')::date)
     from (values ('ledger'), ('app_opens')) as parents (parent), generate_series(1, 13) as months`,
  )
  await Promise.all([
    fillAppOpens(portal, ids[0]!, SIZES.appOpens * share),
    fillOrders(portal, SIZES.orders * share).then(() => fillLog(portal, SIZES.audits * share)),
  ])
  await sql('vacuum analyze')
  return { ids, cookies }
}

const fillLog = ({ sql }: BenchPortal, count: number) =>
  sql(
    `insert into ledger (at, kind, target_type, target_id, actor_id, actor_username, action, facts)
     select now() - n * (interval '${DAYS} days' / $1::int), 'bench.filled', (array['user', 'group', 'app', 'role'])[1 + n % 4], 1 + n % 5000,
       1 + n % 20, 'person' || n % 20, (array['user.update', 'group.member.add', 'app.update', 'role.update', 'user.force_delete'])[1 + n % 5],
       jsonb_build_object('changed', jsonb_build_object('nameEn', jsonb_build_object('from', 'Name ' || n, 'to', '=Name ' || n)))
     from generate_series(1, $1::int) as n`,
    [count],
  )

/** Fills a year of app opens, unevenly over people and apps. The triggers that count opens are off; the opens are counted at the end. */
async function fillAppOpens({ sql }: BenchPortal, firstPerson: number, count: number) {
  await sql('alter table app_opens disable trigger user')
  for (let filled = 0; filled < count; filled += APP_OPENS_AT_ONCE) {
    await sql(
      `insert into app_opens (app_id, user_id, created_at)
       select a.ids[1 + floor(random() ^ 2 * cardinality(a.ids))::int], $1::int + floor(random() ^ 2 * $2::int)::int,
         now() - (1 - ($3::float8 + random() * ${APP_OPENS_AT_ONCE}) / $4::float8) * interval '${DAYS} days'
       from generate_series(1, ${APP_OPENS_AT_ONCE}), (select array_agg(id) as ids from apps) as a`,
      [firstPerson, SIZES.people, filled, Math.max(count, APP_OPENS_AT_ONCE)],
    )
  }
  await sql('alter table app_opens enable trigger user')
  for (const counted of [
    'app_open_days select app_id, utc_day(created_at), count(*) from app_opens group by 1, 2',
    'app_open_months select app_id, month_of(day), sum(count) from app_open_days group by 1, 2',
    'user_open_days select user_id, utc_day(created_at), count(*) from app_opens group by 1, 2 order by 1, 2',
    'user_open_months select user_id, month_of(day), sum(count) from user_open_days group by 1, 2',
    'user_open_peaks select day, 0, max(count) from user_open_days group by 1',
    `day_counts select 'app_opens', day, 0, sum(count) from app_open_days group by 2`,
  ])
    await sql(`insert into ${counted}`)
}

/** Creates groups, with each person in two of them besides Everyone. */
const fillGroups = ({ sql }: BenchPortal, count: number) =>
  sql(
    `with added as (
       insert into groups (name, description_ar, description_en) select 'Group ' || n, 'مجموعة', 'A group' from generate_series(1, $1::int) as n returning id),
     listed as (select array_agg(id) as ids from added),
     joined as (
       insert into memberships (group_id, user_id)
       select distinct ids[1 + (users.id * part) % cardinality(ids)], users.id from users, listed, generate_series(1, 2) as part returning group_id, user_id),
     history as (
       insert into permission_history (kind, target_id, added, removed)
       select 'user.groups', user_id, '{}'::int[], '{}'::int[] from joined union all
       select distinct 'group.users', group_id, '{}'::int[], '{}'::int[] from joined)
     insert into ledger (kind, target_type, target_id, facts) select 'bench.filled', 'group', id, '{}' from added`,
    [count],
  )

/** Creates apps, some of them restricted to a permission or opened to a group. */
const fillApps = ({ sql }: BenchPortal, count: number) =>
  sql(
    `with added as (
       insert into apps (slug, name_ar, name_en, icon_name, route, color, sort_order)
       select 'app-' || n, 'التطبيق رقم ' || n, 'Application number ' || n, 'layout-grid', '/apps/app-' || n, '#1f5f8b', n
       from generate_series(1, $1::int) as n returning id, sort_order),
     restricted as (
       insert into app_permissions select added.id, permissions.id from added, permissions
       where sort_order % 2 = 0 and permissions.name = 'portal.it' returning app_id),
     granted as (
       insert into group_apps select groups.id, added.id from added, groups where sort_order % 4 = 0 and groups.name = 'Group ' || sort_order / 4
       returning group_id, app_id),
     history as (
       insert into permission_history (kind, target_id, added, removed)
       select 'app.permissions', app_id, '{}'::int[], '{}'::int[] from restricted union all
       select distinct 'group.apps', group_id, '{}'::int[], '{}'::int[] from granted)
     insert into ledger (kind, target_type, target_id, facts) select 'bench.filled', 'app', id, '{}' from added`,
    [count],
  )

async function fillOrders({ sql }: BenchPortal, count: number) {
  await sql(
    `with added as (
       insert into services (name_ar, name_en) select 'الخدمة رقم ' || n, 'Service number ' || n from generate_series(1, $1::int) as n returning id)
     insert into ledger (kind, target_type, target_id, facts) select 'bench.filled', 'service', id, '{}' from added`,
    [SIZES.services],
  )
  await sql(
    `with receiving as (
       insert into user_roles (user_id, role_id)
       select user_ids[1 + n], roles.id from roles, generate_series(1, $1::int) as n, (select array_agg(id order by id) as user_ids from users) as u
       where roles.name = 'order_receiver' on conflict do nothing returning user_id),
     history as (
       insert into permission_history (kind, target_id, added, removed) select 'user.roles', user_id, '{}'::int[], '{}'::int[] from receiving)
     insert into ledger (kind, target_type, target_id, facts) select 'bench.filled', 'user', user_id, '{}' from receiving`,
    [RECEIVERS],
  )
  await sql('alter table orders disable trigger demand_change')
  await sql(
    `insert into orders (service_id, user_id, status, assigned_to, created_at, cancelled_at)
     select s.ids[1 + n % cardinality(s.ids)], u.ids[1 + n % cardinality(u.ids)], status, u.ids[2 + n % ${RECEIVERS}], now() - n * (interval '${DAYS} days' / $1::int),
       case when status = 'cancelled' then now() end
     from generate_series(1, $1::int) as n, (select array_agg(id) as ids from services) as s, (select array_agg(id order by id) as ids from users) as u,
       lateral (select case when n <= $2::int then (array['received', 'preparing'])[1 + n % 2]
         else (array['completed', 'completed', 'cancelled'])[1 + n % 3] end as status)`,
    [count, IN_WORK],
  )
  await sql('alter table orders enable trigger demand_change')
}
