import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, testPortal } from './portal.ts'

const portal = testPortal()

const slugs = async (client: Client) => (await client.get('/apps')).body.map(({ slug }: { slug: string }) => slug)
const idOf = async (path: string, name: string): Promise<number> =>
  (await portal.admin.get(path)).body.find((one: { name: string }) => one.name === name).id

test('a person registers, joins a group, sees and opens its app, and loses the app with the permission', async () => {
  const admin = portal.admin
  const permissionId = await idOf('/permissions', 'portal.it')
  const role = await admin.post('/roles', { name: 'engineer', descriptionEn: 'IT engineer' })
  await admin.put(`/roles/${role.body.id}/permissions`, { permissionIds: [permissionId] })
  const group = await admin.post('/groups', { name: 'IT', roleIds: [role.body.id] })
  const app = await admin.post('/apps', {
    slug: 'monitoring',
    nameAr: 'المراقبة',
    nameEn: 'Monitoring',
    iconName: 'activity',
    route: '/apps/monitoring',
    color: '#1a365d',
    permissionIds: [permissionId],
  })

  const huda = portal.stranger()
  const registered = await huda.post('/auth/register', { username: 'huda', email: 'huda@example.org', password: 'secret123' })
  assert.equal(registered.status, 201)
  assert.deepEqual(await slugs(huda), [])
  assert.equal((await huda.post(`/apps/${app.body.id}/open`)).status, 404)
  const stream = await huda.listen()

  await admin.post(`/groups/${group.body.id}/users`, { userId: registered.body.id })
  const appeared = await stream.next('apps_changed')
  assert.deepEqual(appeared.data, {})
  assert.deepEqual(await slugs(huda), ['monitoring'])
  assert.equal((await huda.get('/auth/me')).body.roles.includes('engineer'), true)
  assert.equal((await huda.post(`/apps/${app.body.id}/open`)).status, 204)

  await admin.put(`/roles/${role.body.id}/permissions`, { permissionIds: [] })
  await stream.next('apps_changed', () => stream.seen('apps_changed').length === 2)
  assert.deepEqual(await slugs(huda), [])
  assert.equal((await huda.get(`/apps/${app.body.id}`)).status, 404)
  assert.equal((await admin.get(`/apps/${app.body.id}`)).status, 200)
  stream.close()
})

test('a person deactivated at one instance is refused by the other on the next request', async () => {
  const other = await portal.another()
  const salem = await portal.person('salem')
  const elsewhere = portal.stranger()
  Object.assign(elsewhere, { base: other.base, cookie: salem.cookie })
  assert.equal((await elsewhere.get('/auth/me')).status, 200)

  assert.equal((await portal.admin.patch(`/users/${salem.id}`, { isActive: false })).status, 200)

  assert.equal((await elsewhere.get('/auth/me')).status, 401)
})
