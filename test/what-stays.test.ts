/** What was done stays told when those it was done to, or by, are gone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from './makers.ts'
import { testPortal } from './portal.ts'

const portal = testPortal()
const { newApp, newGroup, newPermission, newPerson, newRole } = makers(portal)
const history = async (path: string, changeKind: string) =>
  (await portal.admin.get(`${path}/audit`)).body.entries.filter((entry: { changeKind: string }) => entry.changeKind === changeKind)

test('histories keep the names of deleted people, roles, groups and permissions', async () => {
  const [person, member, role, permission] = [await newPerson(), await newPerson(), await newRole(), await newPermission()]
  const [group, app] = [await newGroup({ userIds: [member.id], roleIds: [role.id] }), await newApp({ permissionIds: [permission.id] })]
  const club = await newGroup({ userIds: [person.id] })
  await portal.admin.patch(`/groups/${group.id}`, { roleIds: [] })
  await portal.admin.delete(`/apps/${app.id}/permissions/${permission.id}`)
  await portal.admin.delete(`/users/${member.id}?force=true`)
  for (const path of [`/roles/${role.id}`, `/permissions/${permission.id}`, `/groups/${club.id}?force=true`])
    assert.equal((await portal.admin.delete(path)).status, 204, path)
  for (const [path, kind, name] of [
    [`/groups/${group.id}`, 'group.users', member.username],
    [`/groups/${group.id}`, 'group.roles', role.name],
    [`/users/${person.id}`, 'user.groups', club.name],
    [`/apps/${app.id}`, 'app.permissions', permission.name],
  ] as const) {
    const [removal, addition] = await history(path, kind)
    assert.deepEqual([removal.removedNames, removal.addedNames, addition.addedNames.includes(name)], [[name], [], true], kind)
  }
})

test('the days of an app outlive a person who opened it; its lists and counts do not', async () => {
  const [stays, goes, app] = [await newPerson(), await newPerson(), await newApp()]
  for (const who of [stays, goes, goes]) await who.post(`/apps/${app.id}/open`)
  const read = async () => {
    const { body } = await portal.admin.get('/stats/admin')
    const listed = (await portal.admin.get(`/stats/admin/app-opens/by-app/${app.id}`)).body
    const top = body.topApps.find(({ appId }: { appId: number }) => appId === app.id)?.count
    const { openCount } = (await portal.admin.get('/admin/apps')).body.find(({ id }: { id: number }) => id === app.id)
    return {
      days: [body.appOpensByDay.at(-1).count, body.appOpensInRange, top],
      lists: [listed.totalCount, listed.opens.length, openCount],
    }
  }
  assert.deepEqual(await read(), { days: [3, 3, 3], lists: [3, 3, 3] })
  await portal.admin.delete(`/users/${goes.id}?force=true`)
  assert.deepEqual(await read(), { days: [3, 3, 3], lists: [1, 1, 1] })
  await portal.admin.delete(`/apps/${app.id}?force=true`)
  const { body } = await portal.admin.get('/stats/admin')
  assert.deepEqual([body.appOpensInRange, body.topApps], [0, []])
})

for (const query of ['from=2026-01-01', 'to=2026-01-01', 'range=7d&from=2026-01-01&to=2026-01-02', 'range=90d&to=2026-01-01'])
  for (const path of ['', '/app-opens/by-app/1', '/app-opens/by-user/1'])
    test(`/stats/admin${path}?${query} is refused: days go with a custom range`, async () => {
      const { status, body } = await portal.admin.get(`/stats/admin${path}?${query}`)
      assert.deepEqual([status, body.code, body.details[0].rule], [400, 'validation_failed', 'onlyWith'])
    })

test('a system group keeps its name, and takes another description', async () => {
  const everyone = (await portal.admin.get('/groups?q=Everyone')).body[0]
  const refused = await portal.admin.patch(`/groups/${everyone.id}`, { name: 'All' })
  assert.deepEqual([refused.status, refused.body.code], [400, 'system_group'])
  const { status, body } = await portal.admin.patch(`/groups/${everyone.id}`, { name: 'Everyone', descriptionEn: 'All of us' })
  assert.deepEqual([status, body.name, body.descriptionEn], [200, 'Everyone', 'All of us'])
})

test('a refusal names the ids that do not exist, and the values a field may have', async () => {
  const { body } = await portal.admin.post('/groups', { name: 'Nobody', userIds: [2147483646, 2147483647] })
  assert.deepEqual(
    [body.error, body.messageAr],
    ['These ids do not exist: 2147483646, 2147483647.', 'المعرّفات الآتية غير موجودة: 2147483646، 2147483647.'],
  )
  const { messageEn, messageAr } = (await portal.admin.patch('/auth/me/clock-style', { clockStyle: 'round' })).body.details[0]
  assert.match(messageEn, /minimal, or null\.$/)
  assert.match(messageAr, /minimal، أو null\.$/)
})
