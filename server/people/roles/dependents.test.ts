/** Single roles, and the dependents of a role or a permission. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idsIn, makers, silence } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { newApp, newGroup, newPermission, newPerson, newRole } = makers(portal)
const page = async (path: string) => {
  const { status, body, text } = await portal.admin.get(path)
  assert.equal(status, 200, text)
  return body as { items: { id: number }[]; totalCount: number; limit: number; nextOffset: number | null }
}

test('a role is read in the form in which it was created', async () => {
  const { body: role } = await portal.admin.post('/roles', { name: 'readers', descriptionEn: 'Read' })
  assert.deepEqual((await portal.admin.get(`/roles/${role.id}`)).body, role)
  assert.equal((await portal.admin.get('/roles/2147483647')).body.code, 'not_found')
})

test('a refused deletion of a role counts the direct holders and the groups that its lists show', async () => {
  const role = await newRole()
  const [salem, huda, badr] = [await newPerson(), await newPerson(), await newPerson()]
  for (const { id } of [salem, huda]) await portal.admin.post(`/users/${id}/roles`, { roleName: role.name })
  await portal.admin.patch(`/users/${huda.id}`, { isActive: false })
  const group = await newGroup({ roleIds: [role.id], userIds: [badr.id] })
  await newGroup({ userIds: [salem.id] })
  const { body } = await portal.admin.delete(`/roles/${role.id}`)
  assert.deepEqual([body.userCount, body.groupCount], [2, 1])
  const users = await page(`/roles/${role.id}/dependents/users`)
  const nameless = { displayNameAr: null, displayNameEn: null, avatarUrl: null }
  assert.deepEqual(
    [users.totalCount, users.items],
    [
      2,
      [
        { id: salem.id, username: salem.username, ...nameless, isActive: true },
        { id: huda.id, username: huda.username, ...nameless, isActive: false },
      ].toSorted((one, other) => (one.username < other.username ? -1 : 1)),
    ],
  )
  const groups = await page(`/roles/${role.id}/dependents/groups`)
  assert.deepEqual([groups.totalCount, groups.items], [1, [{ id: group.id, name: group.name, descriptionAr: null, descriptionEn: null }]])
})

test('a refused deletion of a permission counts the roles and apps that its lists show, inactive apps included', async () => {
  const permission = await newPermission()
  const role = await newRole([permission.name])
  await newRole()
  const [seen, hidden] = [
    await newApp({ permissionIds: [permission.id] }),
    await newApp({ permissionIds: [permission.id], isActive: false }),
  ]
  await newApp()
  const { body } = await portal.admin.delete(`/permissions/${permission.id}`)
  assert.deepEqual([body.roleCount, body.appCount], [1, 2])
  const listed = (await portal.admin.get(`/permissions?q=${permission.name}`)).body
  const { id, name } = permission
  assert.deepEqual(listed, [{ id, name, descriptionAr: null, descriptionEn: null, isSystem: false, roleCount: 1, appCount: 2 }])
  const roles = await page(`/permissions/${permission.id}/dependents/roles`)
  const described = { descriptionAr: null, descriptionEn: null, isSystem: false }
  assert.deepEqual([roles.totalCount, roles.items], [1, [{ id: role.id, name: role.name, ...described }]])
  const apps = await page(`/permissions/${permission.id}/dependents/apps`)
  assert.deepEqual([apps.totalCount, idsIn({ body: apps.items })], [2, [seen.id, hidden.id]])
})

test('each list is paged, and is 404 for an unknown role or permission', async () => {
  const [permission, role] = [await newPermission(), await newRole()]
  for (const kind of ['roles', 'permissions'] as const) {
    const [lists, id] = kind === 'roles' ? [['users', 'groups'], role.id] : [['roles', 'apps'], permission.id]
    for (const list of lists) {
      const empty = { items: [], totalCount: 0, limit: 50, offset: 0, nextOffset: null }
      assert.deepEqual(await page(`/${kind}/${id}/dependents/${list}`), empty)
      assert.equal((await portal.admin.get(`/${kind}/2147483647/dependents/${list}`)).body.code, 'not_found')
    }
  }
  for (let n = 0; n < 3; n++) await newGroup({ roleIds: [role.id] })
  const first = await page(`/roles/${role.id}/dependents/groups?limit=2`)
  assert.deepEqual([first.items.length, first.totalCount, first.nextOffset], [2, 3, 2])
})

test('the descriptions of a permission can be changed, even if it is built in, but not its name', async () => {
  const permission = await newPermission()
  const texts = { descriptionAr: 'قراءة', descriptionEn: 'Read' }
  const patch = (body: object) => portal.admin.patch(`/permissions/${permission.id}`, body)
  const { audit, ...rest } = await portal.traces(async () => {
    const { status, body } = await patch({ ...texts, name: 'other.name' })
    assert.deepEqual([status, body], [200, { ...permission, ...texts }])
  })
  const changed = { descriptionAr: { from: null, to: 'قراءة' }, descriptionEn: { from: null, to: 'Read' } }
  assert.deepEqual(
    { audit, ...rest },
    { ...silence, audit: [{ action: 'permission.update', type: 'permission', target: permission.id, metadata: { changed } }] },
  )
  assert.deepEqual(await portal.traces(async () => assert.equal((await patch(texts)).status, 200)), silence)
  assert.equal((await portal.admin.patch('/permissions/1', { descriptionEn: 'Receives orders' })).body.descriptionEn, 'Receives orders')
  assert.equal((await portal.admin.patch('/permissions/2147483647', texts)).body.code, 'not_found')
  assert.equal((await portal.admin.get('/permissions/2147483647')).body.code, 'not_found')
})
