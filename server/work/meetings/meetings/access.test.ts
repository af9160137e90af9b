/** The rights of each role in executive meetings: each of the module's routes is called by each of the six roles. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { executiveNames, meetingPortal } from '../../../../test/meetings.ts'
import { assertPage } from '../../../../test/one-page.ts'
import { type Client, testPortal } from '../../../../test/portal.ts'
import { type Route, routes } from '../../../../test/running.ts'

const portal = testPortal()
const { who, whenReady } = meetingPortal(portal)
const ours = routes
  .filter(({ path }) => path.startsWith('/executive-meetings'))
  .toSorted((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : one.method < other.method ? -1 : 1))

/** Whether a call gets past authorisation: a nonsensical request is then refused with something other than 403. */
async function isAdmitted(person: Client, route: Route) {
  const nonsense = route.method === 'GET' ? undefined : '{"nonsense": ['
  const { status, body } = await person.send(route.method, `${route.address(() => 'nonsense')}?limit=nonsense`, nonsense)
  if (status === 403) assert.deepEqual([body.error, body.code], ['Forbidden', 'forbidden'], route.at)
  return status !== 403
}
const capabilities = ['canRead', 'canMutate', 'canApprove', 'canRequest', 'canViewAudit'] as const

test('the table of the six roles, their rights and the routes that they may call is up to date', async (t) => {
  await whenReady()
  const lines: [string, string[]][] = []
  const standings = await Promise.all(executiveNames.map(async (name) => (await who(name).get('/executive-meetings/me')).body))
  for (const capability of capabilities) lines.push([capability, standings.map((standing) => (standing[capability] ? 'yes' : '-'))])
  lines.push(['', []])
  for (const route of ours) {
    const cells = []
    for (const name of executiveNames) cells.push((await isAdmitted(who(name), route)) ? 'yes' : '-')
    lines.push([route.at, cells])
  }
  const columns = executiveNames.map((name) => name.replace('executive_', ''))
  const page = [['', columns] as [string, string[]], ...lines].map(([at, cells]) =>
    [at.padEnd(54), ...cells.map((cell, n) => cell.padEnd(columns[n]!.length + 2))].join('').trimEnd(),
  )
  assertPage(t, page, new URL('access.txt', import.meta.url))
})

test('every route needs an executive role, and permissions alone open none', async () => {
  await whenReady()
  assert.ok(ours.length >= 20)
  for (const name of ['at_large', 'passer-by'] as const)
    for (const route of ours) assert.equal(await isAdmitted(who(name), route), false, `${name}: ${route.at}`)
})

test('people who are not signed in get the code `unauthorized`', async () => {
  await whenReady()
  const { status, body } = await portal.stranger().get('/executive-meetings/me')
  assert.deepEqual([status, body.error, body.code], [401, 'Unauthorized', 'unauthorized'])
})

test('a person without any role is refused', async () => {
  await whenReady()
  const person = await portal.person('roleless')
  await portal.admin.delete(`/users/${person.id}/roles/user`)
  const { status, body } = await person.get('/executive-meetings/me')
  assert.deepEqual([status, body.code], [403, 'forbidden'])
})

test('callers can read their own rights', async () => {
  await whenReady()
  const viewer = who('executive_viewer')
  assert.deepEqual((await viewer.get('/executive-meetings/me')).body, {
    userId: viewer.id,
    roles: ['executive_viewer', 'user'],
    canRead: true,
    canMutate: false,
    canApprove: false,
    canRequest: false,
    canViewAudit: false,
  })
})

test('a role held through a group counts until the person loses it', async () => {
  await whenReady()
  const person = await portal.person('of.the.office')
  const roleId = (await portal.admin.get('/roles')).body.find(({ name }: { name: string }) => name === 'executive_coordinator').id
  const { body: group } = await portal.admin.post('/groups', { name: 'office', roleIds: [roleId], userIds: [person.id] })
  const { body } = await person.get('/executive-meetings/me')
  assert.deepEqual([body.canMutate, body.canApprove], [true, false])
  await portal.admin.delete(`/groups/${group.id}/users/${person.id}`)
  assert.equal((await person.get('/executive-meetings/me')).status, 403)
})

test('a custom role adds its permissions to an executive one', async () => {
  await whenReady()
  const person = await portal.person('viewer.and.more', { roles: ['executive_viewer', 'at_large'] })
  const { body } = await person.get('/executive-meetings/me')
  assert.deepEqual([body.canRead, body.canMutate, body.canApprove, body.canRequest, body.canViewAudit], [true, true, true, true, true])
})

test('the list of people has exactly the active people with access, and says whether they decide on requests', async () => {
  await whenReady()
  const outsider = await portal.person('outsider')
  const { body } = await who('executive_viewer').get('/executive-meetings/people')
  const people = new Map((body as { id: number; username: string; canApprove: boolean }[]).map((one) => [one.id, one]))
  assert.deepEqual(
    executiveNames.map((name) => people.get(who(name).id)?.canApprove),
    executiveNames.map((name) => ['admin', 'executive_ceo', 'executive_office_manager'].includes(name)),
  )
  assert.equal(people.has(outsider.id), false)
  await portal.admin.patch(`/users/${who('executive_coordinator').id}`, { isActive: false })
  const later = (await who('executive_viewer').get('/executive-meetings/people')).body as { id: number }[]
  assert.equal(
    later.some(({ id }) => id === who('executive_coordinator').id),
    false,
  )
})
