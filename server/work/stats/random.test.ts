/** Every count of the statistics, compared with a simple recount over random histories. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { makers } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'
import { dayAfter, pastOf, readAll } from '../../../test/statistics.ts'
import { generated } from '../../../test/suite.ts'

const portal = testPortal()
const { newApp } = makers(portal)
const past = pastOf(portal)

/** Moments some days ago, around midnight or at noon. */
const moments = fc.record({ ago: fc.nat(70), nudge: fc.constantFrom(-1, 0, 1, 43_200_000, 86_399_999) })
const dated = fc.array(fc.record({ moment: moments, isActive: fc.boolean() }), { minLength: 1, maxLength: 5 })
const steps = fc.record({
  users: dated,
  services: dated,
  opens: fc.array(fc.record({ app: fc.nat(), user: fc.nat(), moment: moments }), { minLength: 1, maxLength: 40 }),
  windows: fc.array(fc.record({ ago: fc.nat(75), days: fc.integer({ min: 1, max: 75 }) }), { minLength: 1, maxLength: 3 }),
  pick: fc.nat(),
  action: fc.constantFrom('delete app', 'delete user', 'delete service', 'switch user', 'switch service', 'redate', 'clear day'),
})

test('every count agrees with the rows after any sequence of changes', async () => {
  let today = ''
  const timeOf = ({ ago, nudge }: { ago: number; nudge: number }) => new Date(Date.parse(dayAfter(today, -ago)) + nudge).toISOString()
  const placed = (some: { moment: { ago: number; nudge: number }; isActive: boolean }[]) =>
    some.map(({ moment, isActive }) => ({ at: timeOf(moment), isActive }))
  const one = <T>(some: T[], pick: number) => some[pick % some.length]!

  async function act(action: string, pick: number) {
    const { users, services, apps } = await readAll(portal)
    const person = one(
      users.filter(({ id }) => id !== portal.admin.id),
      pick,
    )
    const [service, app] = [one(services, pick), one(apps, pick)]
    const answers: Record<string, () => Promise<unknown>> = {
      'delete app': () => portal.admin.delete(`/apps/${app.id}?force=true`),
      'delete user': () => portal.admin.delete(`/users/${person.id}?force=true`),
      'delete service': () => portal.admin.delete(`/services/${service.id}?force=true`),
      'switch user': () => portal.admin.patch(`/users/${person.id}`, { isActive: !person['is_active'] }),
      'switch service': () => portal.admin.patch(`/services/${service.id}`, { isAvailable: !service['is_available'] }),
      redate: async () => {
        const moved = timeOf({ ago: pick % 70, nudge: -1 })
        await portal.meddle('user', person.id, `update users set created_at = '${moved}' where id = ${person.id}`)
        await portal.meddle('service', service.id, `update services set created_at = '${moved}' where id = ${service.id}`)
      },
      'clear day': () => portal.sql(`delete from app_opens where utc_day(created_at) = '${dayAfter(today, -(pick % 70))}'`),
    }
    await answers[action]!()
  }

  const property = fc.asyncProperty(steps, async ({ users, services, opens, windows, pick, action }) => {
    await newApp()
    await past.addUsers(placed(users))
    await past.addServices(placed(services))
    const known = await readAll(portal)
    await past.addOpens(
      opens.map(({ app, user, moment }) => ({ appId: one(known.apps, app).id, userId: one(known.users, user).id, at: timeOf(moment) })),
    )
    await act(action, pick)
    const all = await readAll(portal)
    const asked = windows.map(({ ago, days }) => ({ range: 'custom', from: dayAfter(today, 1 - ago - days), to: dayAfter(today, -ago) }))
    const presets = [7, 30, 90].map((days) => ({ range: `${days}d`, from: dayAfter(today, 1 - days), to: today }))
    for (const { range, from, to } of [...presets, ...asked]) {
      const window = range === 'custom' ? `range=custom&from=${from}&to=${to}` : `range=${range}`
      assert.deepEqual((await portal.admin.get(`/stats/admin?${window}`)).body, all.statsOf(range, from, to))
      for (const [path, opens] of [
        [`by-app/${one(all.apps, pick)?.id}`, all.opensOfApp(one(all.apps, pick)?.id, from, to)],
        [`by-user/${one(all.users, pick).id}`, all.opensOfUser(one(all.users, pick).id, from, to)],
      ] as const) {
        if (path.endsWith('undefined')) continue
        const { status, body } = await portal.admin.get(`/stats/admin/app-opens/${path}?${window}&limit=7&offset=2`)
        assert.deepEqual([status, body.totalCount, body.opens], [200, opens.length, opens.slice(2, 9)], path)
      }
    }
    const { body } = await portal.admin.get('/stats/home')
    assert.deepEqual(body, {
      totalApps: all.apps.length,
      totalServices: all.services.filter((service) => service['is_available']).length,
      unreadNotifications: 0,
      totalUsers: all.users.filter((user) => user['is_active']).length,
    })
  })
  const check = async () => {
    today = await past.today()
    await fc.assert(property, { ...generated(4, 30), endOnFailure: true })
  }
  // Checks again if midnight has passed in the meantime.
  await check().catch(async (failure) => {
    if ((await past.today()) === today) throw failure
    await check()
  })
})
