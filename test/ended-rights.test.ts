/** Calls each endpoint that demands a right, on two instances, as a person whose rights have ended before any job has run. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { ended, inDays, passDays } from './grants.ts'
import { Client, testPortal } from './portal.ts'
import { routes } from './running.ts'

const portal = testPortal()
const roles = ['admin', 'order_receiver', 'executive_ceo', 'executive_office_manager', 'executive_coord_lead', 'executive_viewer']
const asking = routes.filter(({ endpoint: { allow } }) => allow !== 'anyone' && allow !== 'signed-in')
let clients: Client[]

before(async () => {
  await portal.ready
  const person = await portal.person('former')
  const { body: all } = await portal.admin.get('/roles')
  const idOf = (name: string) => all.find((role: { name: string }) => role.name === name).id
  const [direct, through] = [roles.slice(0, 3), roles.slice(2)]
  for (const roleName of direct) await portal.admin.post(`/users/${person.id}/roles`, { roleName, expiresAt: inDays(1) })
  const { body: group } = await portal.admin.post('/groups', { name: 'Former', roleIds: through.map(idOf) })
  await portal.admin.post(`/groups/${group.id}/users`, { userId: person.id, expiresAt: inDays(1) })
  clients = [person, Object.assign(new Client((await portal.another()).base), { cookie: person.cookie })]
  // Makes both instances cache the rights.
  for (const client of clients)
    for (const path of ['/users', '/orders/incoming', '/executive-meetings/audit-logs'])
      assert.equal((await client.get(path)).status, 200, path)
  await passDays(portal, 2)
})

test('more than a hundred endpoints demand a right', () => assert.ok(asking.length > 100, String(asking.length)))

for (const { at, method, address, endpoint } of asking)
  test(`${at} is forbidden after the caller’s rights have ended`, async () => {
    const hasBody = method !== 'GET' && endpoint.body !== undefined
    for (const client of clients) {
      const { status, body } = await client.send(
        method,
        address(() => 1),
        hasBody ? {} : undefined,
      )
      assert.deepEqual([status, body?.code], [403, 'forbidden'])
    }
  })

test('the ended grants are still stored', async () => assert.equal(await ended(portal), 4))
