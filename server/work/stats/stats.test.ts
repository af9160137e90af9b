import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idsIn, makers } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'
import { dayAfter, pastOf } from '../../../test/statistics.ts'

const portal = testPortal()
const { newApp, newPerson, newService, idsOfPermissions } = makers(portal)
const past = pastOf(portal)
const statsOf = async (query = '') => (await portal.admin.get(`/stats/admin${query}`)).body

test('home counts active apps that the reader sees, available services, active people and the reader’s unread notifications', async () => {
  await newApp({ permissionIds: await idsOfPermissions('portal.it') })
  await newApp({ isActive: false })
  await newApp()
  const [gone, person] = [await newPerson(), await newPerson()]
  await newService({ isAvailable: false })
  const { id: serviceId } = await newService()
  const home = async (who = person) => (await who.get('/stats/home')).body
  assert.deepEqual(await home(), {
    totalApps: idsIn(await person.get('/apps')).length,
    totalServices: 1,
    unreadNotifications: 0,
    totalUsers: 3,
  })
  assert.equal((await home(portal.admin)).totalApps, (await home()).totalApps + 1)
  await portal.admin.patch(`/users/${gone.id}`, { isActive: false })
  for (let n = 0; n < 2; n++) await person.post('/orders', { serviceId })
  const { unreadNotifications, totalUsers } = await home(portal.admin)
  assert.deepEqual([unreadNotifications, totalUsers, (await home()).unreadNotifications], [2, 2, 0])
  const [newest] = (await portal.admin.get('/notifications')).body
  await portal.admin.patch(`/notifications/${newest.id}/read`)
  assert.equal((await home(portal.admin)).unreadNotifications, 1)
  await newApp()
  assert.equal((await home()).totalApps, idsIn(await person.get('/apps')).length)
})

for (const [query, days] of [
  ['', 7],
  ['?range=7d', 7],
  ['?range=30d', 30],
  ['?range=90d', 90],
] as const)
  test(`the window of “${query}” is the last ${days} days, today included`, async () => {
    const before = await past.today()
    const { range, rangeDays, rangeFrom, rangeTo, signupsByDay, appOpensByDay, servicesCreatedByDay } = await statsOf(query)
    // Midnight may pass during the test.
    const today = rangeTo === before ? before : await past.today()
    assert.deepEqual([range, rangeDays, rangeFrom, rangeTo], [`${days}d`, days, dayAfter(today, 1 - days), today])
    const expected = Array.from({ length: days }, (_, n) => dayAfter(today, n + 1 - days))
    for (const series of [signupsByDay, appOpensByDay, servicesCreatedByDay])
      assert.deepEqual(
        series.map(({ date }: { date: string }) => date),
        expected,
      )
  })

for (const [from, to, days] of [
  ['2024-01-01', '2024-12-31', 366],
  ['2025-03-01', '2026-03-01', 366],
  ['2024-02-29', '2024-02-29', 1],
  ['0001-01-01', '0001-01-31', 31],
  ['9999-01-01', '9999-12-31', 365],
  ['9999-12-05', '9999-12-31', 27],
] as const)
  test(`a custom window from ${from} to ${to} has ${days} days`, async () => {
    const stats = await statsOf(`?range=custom&from=${from}&to=${to}`)
    assert.deepEqual([stats.range, stats.rangeDays, stats.rangeFrom, stats.rangeTo], ['custom', days, from, to])
    assert.deepEqual([stats.signupsByDay.length, stats.signupsByDay.at(-1)], [days, { date: to, count: 0 }])
    const { status, body } = await portal.admin.get(`/stats/admin/app-opens/by-user/${portal.admin.id}?range=custom&from=${from}&to=${to}`)
    assert.deepEqual([status, body.totalCount, body.rangeDays], [200, 0, days])
  })

const paths = () => ['/stats/admin', '/stats/admin/app-opens/by-app/2147483647', '/stats/admin/app-opens/by-user/2147483647']

for (const [query, path, message] of [
  ['', 'from', /required/],
  ['&to=2026-01-01', 'from', /required/],
  ['&from=2026-01-01', 'to', /required/],
  ['&from=2026-02-30&to=2026-03-01', 'from', /a date of the calendar/],
  ['&from=2026-01-01&to=2026-1-2', 'to', /a date of the calendar/],
  ['&from=&to=', 'from', /a date of the calendar/],
  ['&from=0000-12-31&to=0001-01-01', 'from', /a date of the calendar/],
  ['&from=2026-01-02&to=2026-01-01', 'from', /after the last day/],
  ['&from=2025-01-01&to=2026-01-02', 'to', /366 days/],
  ['&from=0001-01-01&to=9999-12-31', 'to', /366 days/],
] as const)
  test(`a custom window “${query}” is refused with the reason`, async () => {
    for (const at of paths()) {
      const { status, body } = await portal.admin.get(`${at}?range=custom${query}`)
      assert.deepEqual([status, body.code, body.details.length, body.details[0].path], [400, 'validation_failed', 1, path])
      assert.match(body.error, message)
      assert.match(body.error, new RegExp(`^${path}: `))
    }
  })

test('malformed ranges, pages and ids are refused, and unknown subjects are not found', async () => {
  const [, byApp, byUser] = paths() as [string, string, string]
  for (const query of ['range=1d', 'range=', 'range=7d&range=7d', 'from=1&from=2']) {
    const { status, body } = await portal.admin.get(`/stats/admin?${query}`)
    assert.deepEqual([status, body.code], [400, 'validation_failed'], query)
  }
  for (const path of [byApp, byUser]) {
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'offset=-1', 'offset=1.5', 'range=1d'])
      assert.equal((await portal.admin.get(`${path}?${query}`)).status, 400, query)
    assert.equal((await portal.admin.get(path.replace(/\d+/, '0'))).status, 400)
    assert.deepEqual([(await portal.admin.get(path)).status, (await portal.admin.get(path)).body.code], [404, 'not_found'])
  }
})

test('a new app open, person or service is counted at once, and no longer after its deletion', async () => {
  const numbers = async () => {
    const stats = await statsOf()
    return [stats.newUsersInRange, stats.appOpensInRange, stats.servicesCreatedInRange, stats.activeServices, stats.inactiveServices]
  }
  const plus = (some: number[], ...more: number[]) => some.map((count, index) => count + more[index]!)
  const start = await numbers()
  const [person, app, service] = [await newPerson(), await newApp(), await newService()]
  await person.post(`/apps/${app.id}/open`)
  assert.deepEqual(await numbers(), plus(start, 1, 1, 1, 1, 0))
  await portal.admin.patch(`/services/${service.id}`, { isAvailable: false })
  assert.deepEqual(await numbers(), plus(start, 1, 1, 1, 0, 1))
  await portal.admin.delete(`/services/${service.id}`)
  await portal.admin.delete(`/apps/${app.id}?force=true`)
  assert.deepEqual(await numbers(), plus(start, 1, 0, 0, 0, 0))
  await portal.admin.delete(`/users/${person.id}?force=true`)
  assert.deepEqual(await numbers(), start)
})

test('the top five are ordered by count and then by id, and leave out people and apps without opens', async () => {
  const query = '?range=custom&from=2020-05-01&to=2020-05-31'
  assert.deepEqual([(await statsOf(query)).topApps, (await statsOf(query)).mostActiveUsers], [[], []])
  const apps: number[] = []
  for (let n = 0; n < 7; n++) apps.push((await newApp()).id)
  const users = await past.addUsers(apps.map(() => ({ at: '2020-01-01T00:00:00Z', isActive: true })))
  const opens = [2, 1, 3, 2, 1, 1, 0]
  await past.addOpens(
    opens.flatMap((count, n) => Array.from({ length: count }, () => ({ appId: apps[n]!, userId: users[n]!, at: '2020-05-07T23:59:59Z' }))),
  )
  const { topApps, mostActiveUsers } = await statsOf(query)
  const order = [2, 0, 3, 1, 4]
  assert.deepEqual(
    topApps.map(({ appId, count }: { appId: number; count: number }) => [appId, count]),
    order.map((n) => [apps[n], opens[n]]),
  )
  assert.deepEqual(
    mostActiveUsers.map(({ userId, count }: { userId: number; count: number }) => [userId, count]),
    order.map((n) => [users[n], opens[n]]),
  )
  await portal.admin.delete(`/apps/${apps[2]}?force=true`)
  const left = await statsOf(query)
  assert.deepEqual([left.topApps[0].appId, left.mostActiveUsers[0].userId], [apps[0], users[0]])
})

test('app opens are listed in pages, newest first, and by descending id within the same moment', async () => {
  const [app, person] = [await newApp(), await newPerson({ displayNameAr: 'ريما', displayNameEn: 'Rima' })]
  const at = '2020-06-01T00:00:00Z'
  await past.addOpens(
    Array.from({ length: 101 }, (_, n) => ({ appId: app.id, userId: person.id, at: n === 50 ? '2020-06-02T00:00:00Z' : at })),
  )
  for (const path of [`by-app/${app.id}`, `by-user/${person.id}`]) {
    const page = async (query = '') =>
      (await portal.admin.get(`/stats/admin/app-opens/${path}?range=custom&from=2020-06-01&to=2020-06-02${query}`)).body
    const [first, last] = [await page(), await page('&limit=1&offset=100')]
    assert.deepEqual([first.totalCount, first.limit, first.offset, first.nextOffset, first.opens.length], [101, 100, 0, 100, 100])
    assert.deepEqual([last.totalCount, last.limit, last.offset, last.nextOffset, last.opens.length], [101, 1, 100, null, 1])
    assert.deepEqual((await page('&offset=500')).opens, [])
    const [newest, ...rest] = idsIn({ body: [...first.opens, ...last.opens] })
    assert.deepEqual(
      rest,
      rest.toSorted((one, other) => other - one),
    )
    assert.equal(first.opens[0].createdAt, '2020-06-02T00:00:00.000Z')
    assert.ok(!rest.includes(newest!))
    const { opens, totalCount, limit, offset, nextOffset, range, rangeDays, rangeFrom, rangeTo, ...owner } = first
    assert.deepEqual([range, rangeDays, rangeFrom, rangeTo], ['custom', 2, '2020-06-01', '2020-06-02'])
    const { id, createdAt, ...other } = opens[0]
    const { slug, nameAr, nameEn } = app
    const shownApp = { appId: app.id, slug, nameAr, nameEn, iconName: 'box', color: '#0af' }
    const shownUser = { userId: person.id, username: person.username, displayNameAr: 'ريما', displayNameEn: 'Rima', avatarUrl: null }
    assert.deepEqual([owner, other], path.startsWith('by-app') ? [shownApp, shownUser] : [shownUser, shownApp])
  }
})
