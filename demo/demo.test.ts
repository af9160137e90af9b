/** The filled portal of the demo: the pages of its apps, and the times of its records. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ADMIN_PASSWORD, until } from '../test/portal.ts'
import { sealLedger } from '../test/sealing.ts'
import { portalRole } from '../test/setup.ts'
import { portalWithPages } from '../web/testing/portal.ts'
import { fill } from './fill.ts'
import { servePages } from './pages/serve.ts'

const portal = portalWithPages()

let pages: Awaited<ReturnType<typeof servePages>>
const pagesUrl = () => `http://127.0.0.1:${pages.port}`
const fillFrom = (pagesUrl: string) =>
  fill({
    base: portal.base,
    pagesUrl,
    admin: { username: 'admin', password: ADMIN_PASSWORD },
    connection: { ...portal.connection, ...portalRole() },
    say: () => {},
  })

before(async () => {
  await portal.ready
  pages = await servePages({ portal: portal.base, host: '127.0.0.1', port: 0 })
  await fillFrom(pagesUrl())
})
after(() => pages?.close())

interface App {
  slug: string
  openMode: string
  route: string
  externalUrl: string | null
}
const readApps = async () => (await portal.admin.get('/admin/apps')).body as App[]

test('every app of the demo leads to a page that answers', async () => {
  const apps = await readApps()
  assert.equal(apps.length, 25)
  for (const { slug, openMode, route, externalUrl } of apps) {
    assert.equal(openMode === 'internal', externalUrl === null, slug)
    assert.notEqual(openMode === 'internal' && route, `/apps/${slug}`)
    assert.equal((await fetch(externalUrl ?? portal.base + route)).status, 200, slug)
  }
})

test('orders are spread over three weeks, some are from today, and their numbers follow their times', async () => {
  const [spread] = await portal.sql(
    `select count(distinct created_at::date)::int >= 15 as daily, min(created_at) < now() - interval '18 days' as early,
       max(created_at) > now() - interval '30 minutes' as late,
       bool_and(created_at >= before) as ordered
     from (select created_at, coalesce(lag(created_at) over (order by id), created_at) as before from orders) as dated`,
  )
  assert.deepEqual(spread, { daily: true, early: true, late: true, ordered: true })
})

test('two years of orders before the story have their figures, and most were done in time', async () => {
  const [past] = await portal.sql(
    `select count(*) > 3000 as many, max(day) - min(day) > 600 as years, avg(completed_in_time::int) between 0.7 and 0.99 as "inTime"
     from order_figures where day < current_date - 21`,
  )
  assert.deepEqual(past, { many: true, years: true, inTime: true })
})

test('the steps of an order come after its placing, and their notifications have the same times', async () => {
  const wrong = await portal.sql(
    `select o.id from orders o where updated_at < o.created_at or abs(extract(epoch from cancelled_at - updated_at)) > 1
     union all select o.id from orders o join notifications n on related_type = 'order' and related_id = o.id
     where n.created_at < o.created_at or n.read_at < n.created_at or n.created_at > interval '1 second' +
       greatest(o.updated_at, (select max(at) from order_approvals where order_id = o.id))`,
  )
  assert.deepEqual(wrong, [])
})

test('every time of a record is in the past, except expiry times, ends of grants, wanted times and the hours of calendars', async () => {
  const columns = await portal.sql<{ name: string; column: string }>(
    `select table_name as name, column_name as column from information_schema.columns
     where table_schema = 'public' and data_type = 'timestamp with time zone' and column_name not in ('expires_at', 'grant_ends_at', 'wanted_at')
       and table_name <> 'working_spans'`,
  )
  assert.ok(columns.length > 50, `${columns.length} columns`)
  for (const { name, column } of columns)
    assert.deepEqual(
      await portal.sql(`select 1 from ${name} where ${column} > clock_timestamp() and ${column} < 'infinity'`),
      [],
      `${name}.${column}`,
    )
})

test('notes, notifications, meetings, sessions and app opens go back at least ten days', async () => {
  for (const table of [
    'notes',
    'note_replies',
    'notifications',
    'meetings',
    'sessions',
    'app_opens',
    'users',
    'groups',
    'apps',
    'services',
  ])
    assert.deepEqual(await portal.sql(`select min(created_at) < now() - interval '10 days' as old from ${table}`), [{ old: true }], table)
})

test('some orders wait for an approval, one was denied, and one is for somebody else', async () => {
  const noura = await portal.stranger().signIn('noura', 'bawaba-demo')
  const { items } = (await noura.get('/orders/details?view=approve')).body
  assert.deepEqual(
    items.map(({ details }: { details: { approval: { step: string } } }) => details.approval.step),
    ['budget', 'manager'],
  )
  const { body } = await portal.admin.get('/orders/details?view=all&state=held')
  assert.equal(body.totalCount, 4)
  const [found] = await portal.sql(
    `select (select count(*)::int from order_approvals where is_denial) as denied,
       (select count(*)::int from order_details where beneficiary_id is not null) as "forOthers"`,
  )
  assert.deepEqual(found, { denied: 1, forOthers: 1 })
})

test('the statistics count every app open, and show activity on many days', async () => {
  const { body } = await portal.admin.get('/stats/admin?range=30d')
  const daysOf = (series: { count: number }[]) => series.filter(({ count }) => count > 0).length
  const [{ opens }] = (await portal.sql<{ opens: number }>('select count(*)::int as opens from app_opens')) as [{ opens: number }]
  assert.equal(body.appOpensInRange, opens)
  assert.ok(daysOf(body.appOpensByDay) >= 15)
  assert.ok(daysOf(body.signupsByDay) >= 4)
  assert.ok(daysOf(body.servicesCreatedByDay) >= 3)
  assert.ok(new Set(body.topApps.map(({ count }: { count: number }) => count)).size > 1)
})

test('every dated order has a row in the ledger, and the seals of the ledger still fit', async () => {
  await sealLedger(portal)
  const { body } = await portal.admin.get('/admin/audit-logs/verify')
  assert.deepEqual([body.valid, body.checked > 500], [true, true])
  const missing = await portal.sql(
    `select id from orders where not exists (select from ledger where kind = 'demo.dated' and target_type = 'order' and target_id = orders.id)`,
  )
  assert.deepEqual(missing, [])
})

test('the administrator has a name in both languages', async () => {
  const { displayNameAr, displayNameEn, preferredLanguage } = (await portal.admin.get('/auth/me')).body
  assert.deepEqual([displayNameAr, displayNameEn, preferredLanguage], ['عبدالعزيز الصالح', 'Abdulaziz Al-Saleh', 'ar'])
})

test('a person’s sessions were used after they began, and end a week after their last use', async () => {
  const [sessions] = await portal.sql(
    `select bool_and(last_used_at >= s.created_at) as used, bool_and(expires_at - last_used_at between '6 days' and '8 days') as weekly
     from sessions s join users on users.id = user_id where username <> 'admin'`,
  )
  assert.deepEqual(sessions, { used: true, weekly: true })
  const [seen] = await portal.sql(
    `select bool_and(l.at = date_trunc('hour', used)) as agree from last_seen l
     join (select user_id, max(last_used_at) as used from sessions group by 1) as s using (user_id)
     join users on users.id = user_id where username <> 'admin'`,
  )
  assert.deepEqual(seen, { agree: true })
})

test('a page uses the requested language, else the language of the person in the portal, else that of the browser', async () => {
  const layla = await portal.stranger().signIn('layla', 'bawaba-demo')
  await layla.patch('/auth/me/language', { language: 'ar' })
  const languageOf = async (address: string, headers: Record<string, string>) =>
    /<html lang="(..)" dir="(...)"/
      .exec(await (await fetch(pagesUrl() + address, { headers })).text())
      ?.slice(1)
      .join()
  const english = { 'accept-language': 'en-GB,en;q=0.9' }
  assert.equal(await languageOf('/news?lang=en', { cookie: layla.cookie }), 'en,ltr')
  // The page does not wait long for a busy portal, so the request may have to be repeated.
  await until('the page is Arabic', async () => (await languageOf('/news', { ...english, cookie: layla.cookie })) === 'ar,rtl')
  assert.equal(await languageOf('/news', english), 'en,ltr')
  assert.equal(await languageOf('/news', { ...english, cookie: 'portal_session=none' }), 'en,ltr')
  assert.equal(await languageOf('/news', {}), 'ar,rtl')
})

test('a restart with the pages on another port changes only the URLs of apps', async () => {
  const [moved, counts] = [
    'http://127.0.0.1:65000',
    'select (select count(*) from orders) as orders, (select count(*) from users) as users',
  ]
  const before = await portal.sql(counts)
  await fillFrom(moved)
  const apps = await readApps()
  assert.ok(apps.every(({ slug, externalUrl }) => externalUrl === null || externalUrl === `${moved}/${slug}`))
  assert.deepEqual(await portal.sql(counts), before)
  await fillFrom(pagesUrl())
})
