import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { duties, SIGN_IN_SETTINGS } from '../../../test/duties.ts'
import { inDays, passDays } from '../../../test/grants.ts'
import { runJob } from '../../../test/jobs.ts'
import { makers } from '../../../test/makers.ts'
import { type Client, testPortal, until } from '../../../test/portal.ts'
import { isPublic, type Route, routes } from '../../../test/running.ts'

const portal = testPortal()
const make = makers(portal)
const { giveFactor, takeFactor, raise, set, begunAgo, dutyOf } = duties(portal)
const ROLE = 'guarded'

const stateOf = async (one: Client) => {
  const { status, body } = await one.get('/apps')
  return status === 200 ? 'open' : body.code
}

before(async () => {
  await portal.ready
  await portal.admin.post('/roles', { name: ROLE })
  await giveFactor(portal.admin)
  await raise(portal.admin)
  assert.equal((await set({ secondFactorRoles: [ROLE] })).status, 200)
})

test('a role that demands a second factor gives its holders fourteen days, in which everything is open', async () => {
  const holder = await portal.person('holder', { roles: [ROLE] })
  const { since, until: end } = await dutyOf(holder)
  assert.equal(Date.parse(end) - Date.parse(since), 14 * 86_400_000)
  assert.equal(await stateOf(holder), 'open')
  assert.equal(await dutyOf(await portal.person('other')), null)
})

test('after the grace, calls are refused with the address at which to set up a factor', async () => {
  const holder = await portal.person('late', { roles: [ROLE] })
  await begunAgo(holder, '14 days')
  const { status, body } = await holder.get('/apps')
  assert.deepEqual([status, body.code, body.enrolUrl], [403, 'enrolment_required', '/account/security'])
  await begunAgo(holder, '13 days 23 hours')
  assert.equal(await stateOf(holder), 'open')
})

test('a changed grace applies at once to duties that have already begun', async () => {
  const holder = await portal.person('graced', { roles: [ROLE] })
  await begunAgo(holder, '10 days')
  for (const [graceDays, state] of [
    [10, 'enrolment_required'],
    [11, 'open'],
    [0, 'enrolment_required'],
    [90, 'open'],
    [14, 'open'],
  ] as const) {
    await set({ graceDays })
    assert.equal(await stateOf(holder), state, `${graceDays} days`)
  }
})

test('a duty begins and ends with its role, held directly or through a group', async () => {
  const person = await portal.person('moving')
  const { id: roleId } = await make.roleNamed(ROLE)
  const { body: group } = await portal.admin.post('/groups', { name: 'guards', roleIds: [roleId] })
  const steps: [what: string, act: () => Promise<unknown>, hasDuty: boolean][] = [
    ['the role', () => portal.admin.post(`/users/${person.id}/roles`, { roleName: ROLE }), true],
    ['without the role', () => portal.admin.delete(`/users/${person.id}/roles/${ROLE}`), false],
    ['the group', () => portal.admin.post(`/groups/${group.id}/users`, { userId: person.id }), true],
    ['the group without the role', () => portal.admin.patch(`/groups/${group.id}`, { roleIds: [] }), false],
    ['the group with the role', () => portal.admin.patch(`/groups/${group.id}`, { roleIds: [roleId] }), true],
    ['without the group', () => portal.admin.delete(`/groups/${group.id}?force=true`), false],
    ['the role again', () => portal.admin.post(`/users/${person.id}/roles`, { roleName: ROLE }), true],
    ['no role demands it', () => set({ secondFactorRoles: [] }), false],
    ['the role demands it again', () => set({ secondFactorRoles: [ROLE, 'admin'] }), true],
    ['another role demands it', () => set({ secondFactorRoles: ['admin'] }), false],
    ['as at first', () => set({ secondFactorRoles: [ROLE] }), true],
  ]
  for (const [what, act, hasDuty] of steps) {
    await act()
    assert.equal((await dutyOf(person)) !== null, hasDuty, what)
  }
})

test('holding the role a second time, through a group, does not restart the duty', async () => {
  const person = await portal.person('twice', { roles: [ROLE] })
  await begunAgo(person, '5 days')
  const { since } = await dutyOf(person)
  const { id: roleId } = await make.roleNamed(ROLE)
  await portal.admin.post('/groups', { name: 'second guards', roleIds: [roleId], userIds: [person.id] })
  assert.equal((await dutyOf(person)).since, since)
})

test('a role that has ended demands nothing, even before a job has removed it', async () => {
  const person = await portal.person('ending')
  await portal.admin.post(`/users/${person.id}/roles`, { roleName: ROLE, expiresAt: inDays(1) })
  await begunAgo(person, '20 days')
  assert.equal(await stateOf(person), 'enrolment_required')
  await passDays(portal, 2)
  assert.deepEqual([await stateOf(person), await dutyOf(person)], ['open', null])
})

test('undoing the deletion of a role restores its demand for a second factor', async () => {
  const role = await make.newRole()
  await set({ secondFactorRoles: [ROLE, role.name] })
  await portal.admin.delete(`/roles/${role.id}`)
  assert.deepEqual((await portal.admin.get(SIGN_IN_SETTINGS)).body.secondFactorRoles, [ROLE])
  const { entries } = (await portal.admin.get(`/admin/audit-logs?targetType=role&targetId=${role.id}&limit=1`)).body
  assert.equal((await portal.admin.post(`/admin/undo/${entries[0].id}`)).status, 200)
  assert.deepEqual((await portal.admin.get(SIGN_IN_SETTINGS)).body.secondFactorRoles, [ROLE, role.name].toSorted())
  await set({ secondFactorRoles: [ROLE] })
})

test('somebody with a factor must show it in a session that began without it, even within the grace', async () => {
  const person = await portal.person('factored', { roles: [ROLE] })
  await giveFactor(person)
  const { status, body } = await person.get('/apps')
  assert.deepEqual([status, body.code, Array.isArray(body.methods)], [403, 'confirmation_required', true])
  assert.equal((await person.get('/auth/me')).status, 200)
  await raise(person)
  await begunAgo(person, '20 days')
  assert.equal(await stateOf(person), 'open')
  await takeFactor(person)
})

test('people without a duty need no factor, and are not asked for one they have', async () => {
  const person = await portal.person('free')
  await giveFactor(person)
  assert.equal(await stateOf(person), 'open')
  await takeFactor(person)
})

test('an open stream closes when the grace ends, without an event that says the session has ended', async () => {
  const person = await portal.person('listening', { roles: [ROLE] })
  const stream = await person.listen()
  await begunAgo(person, '15 days')
  await until('the stream is closed', () => !stream.isOpen)
  assert.deepEqual(stream.seen('session_ended'), [])
  assert.equal((await person.listen()).status, 403)
})

const OPEN = /^\/auth\/(logout|me(\/.*)?)$/
const isOpen = (route: Route) => isPublic(route) || (OPEN.test(route.path) && !/^\/auth\/me\/(tokens|calendar)/.test(route.path))

for (const [what, owes] of [
  ['is over the time', 'enrolment_required'],
  ['has not shown their factor', 'confirmation_required'],
] as const)
  test(`someone who ${what} reaches only their own account and public endpoints`, async () => {
    // An administrator, so that nothing else closes an endpoint to them.
    const person = await portal.person(`sweeping.${owes}`, { roles: [ROLE, 'admin', 'executive_ceo', 'order_receiver'] })
    await begunAgo(person, '20 days')
    if (owes === 'confirmation_required') await giveFactor(person)
    // Endpoints for directories refuse every person. Signing out is tried last.
    const some = routes.filter(({ endpoint }) => endpoint.allow !== 'source')
    for (const route of some.toSorted((one, other) => Number(one.path === '/auth/logout') - Number(other.path === '/auth/logout'))) {
      const { method, address } = route
      const path = `${address(() => 'nonsense')}?limit=nonsense`
      const answer = await person.send(method, path, method === 'GET' ? undefined : '{"nonsense": [')
      // Endpoints that always need a confirmation ask for it, too.
      const asks = isOpen(route) && route.endpoint.confirm === 'person' && owes === 'confirmation_required'
      assert.equal(answer.body?.code === owes, !isOpen(route) || asks === true, `${route.at}: ${answer.status} ${answer.body?.code}`)
    }
  })

test('people are reminded 7, 3 and 1 days before the grace ends, once each', async () => {
  const person = await portal.person('reminded', { roles: [ROLE] })
  const noticesAt = async (ago: string) => {
    await begunAgo(person, ago)
    const { notices } = await portal.traces(async () => {
      await runJob(portal, 'remind')
      await runJob(portal, 'remind')
    })
    return notices.filter(({ user }) => user === person.id).map(({ titleEn }) => titleEn)
  }
  const once = ['Set up a second factor']
  assert.deepEqual(await noticesAt('1 day'), [])
  assert.deepEqual(await noticesAt('6 days 23 hours'), [])
  assert.deepEqual(await noticesAt('7 days 1 hour'), once)
  assert.deepEqual(await noticesAt('11 days 1 hour'), once)
  assert.deepEqual(await noticesAt('13 days 1 hour'), once)
  assert.deepEqual(await noticesAt('14 days 1 hour'), [])
  await giveFactor(person)
  assert.deepEqual(await noticesAt('7 days 2 hours'), [])
  await takeFactor(person)
})
