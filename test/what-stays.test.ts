/** Histories, the audit log and counts outlive the people and things that they are about. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { makers } from './makers.ts'
import { testPortal } from './portal.ts'

const portal = testPortal()
const { newApp, newGroup, newPermission, newPerson, newRole } = makers(portal)
const history = async (path: string, changeKind: string) =>
  (await portal.admin.get(`${path}/audit`)).body.entries.filter((entry: { changeKind: string }) => entry.changeKind === changeKind)

test('histories store the names of deleted people, roles, groups and permissions', async () => {
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

test('histories and the audit log use the names at the time of the change', async () => {
  const texts = { descriptionAr: 'المحاسبون', descriptionEn: 'Accountants' }
  const person = await newPerson({ displayNameEn: 'Dana' })
  const [role, app] = [await newRole(), await newApp({ nameEn: 'Budget' })]
  await portal.admin.patch(`/roles/${role.id}`, texts)
  const group = await newGroup({ userIds: [person.id], roleIds: [role.id], appIds: [app.id] })
  await portal.admin.patch(`/users/${person.id}`, { displayNameEn: 'Dana Saleh' })
  await portal.admin.patch(`/users/${person.id}`, { displayNameEn: 'Dana Omar' })
  await portal.admin.patch(`/roles/${role.id}`, { name: `${role.name}.new`, descriptionEn: null })
  await portal.admin.patch(`/apps/${app.id}`, { nameEn: 'Money' })
  await portal.admin.patch(`/groups/${group.id}`, { userIds: [], roleIds: [], appIds: [] })
  await portal.admin.delete(`/roles/${role.id}`)
  const inHistory = (await portal.admin.get(`/groups/${group.id}/audit`)).body.entries.map(({ refs }: { refs: object }) => refs)
  const named = (displayNameEn: string) => ({ users: { [person.id]: { username: person.username, displayNameAr: null, displayNameEn } } })
  const called = (nameEn: string) => ({ apps: { [app.id]: { slug: app.slug, nameAr: app.nameAr, nameEn } } })
  const described = (name: string, descriptionEn: string | null) => ({
    roles: { [role.id]: { name, descriptionAr: texts.descriptionAr, descriptionEn } },
  })
  const [before, after] = [described(role.name, 'Accountants'), described(`${role.name}.new`, null)]
  assert.deepEqual(inHistory, [called('Money'), after, named('Dana Omar'), called('Budget'), before, named('Dana')])

  const inLog = async (query: string) =>
    (await portal.admin.get(`/admin/audit-logs?${query}`)).body.entries.map(({ refs }: { refs: object }) => refs)
  const ofGroup = { groups: { [group.id]: { name: group.name, descriptionAr: null, descriptionEn: null } } }
  assert.deepEqual(await inLog(`targetType=group&targetId=${group.id}`), [
    { ...ofGroup, ...named('Dana Omar'), ...after, ...called('Money') },
    { ...ofGroup, ...named('Dana'), ...before, ...called('Budget') },
  ])
  assert.deepEqual(await inLog(`targetType=role&targetId=${role.id}&action=role.delete`), [after])
})

test('the histories of people, groups and apps are exported with the names of all added and removed members', async () => {
  const csv = async (path: string, query = '') => {
    const { status, headers, text } = await portal.admin.get(`${path}/audit.csv${query}`)
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/csv; charset=utf-8'])
    const [kind, id] = path.slice(1).split('/')
    const day = new Date().toISOString().slice(0, 10)
    assert.equal(headers.get('content-disposition'), `attachment; filename="${kind!.slice(0, -1)}-${id}-audit-${day}.csv"`)
    const rows = parse(text, { bom: true, columns: true }) as Record<string, string>[]
    assert.ok(rows.every(({ timestamp }) => new Date(timestamp!).toISOString() === timestamp))
    return rows.map(({ timestamp: _, ...row }) => row)
  }
  const [one, other] = [await newPerson(), await newPerson()]
  const [role, permission] = [await newRole(), await newPermission()]
  const app = await newApp({ nameEn: '=Sum', permissionIds: [permission.id] })
  const group = await newGroup({ userIds: [one.id, other.id], appIds: [app.id] })
  await portal.admin.patch(`/groups/${group.id}`, { userIds: [other.id], roleIds: [role.id] })
  const by = { actor_username: 'admin' }
  assert.deepEqual(await csv(`/groups/${group.id}`), [
    { ...by, added: role.name, removed: '' },
    { ...by, added: '', removed: one.username },
    { ...by, added: "'=Sum", removed: '' },
    { ...by, added: `${one.username}; ${other.username}`, removed: '' },
  ])
  assert.deepEqual(await csv(`/apps/${app.id}`), [{ ...by, added: permission.name, removed: '' }])
  await portal.admin.delete(`/groups/${group.id}?force=true`)
  assert.deepEqual((await csv(`/users/${other.id}`))[0], { ...by, added: '', removed: group.name })
  assert.deepEqual(await csv(`/users/${other.id}`, '?to=2020-01-01'), [])
  for (const kind of ['users', 'groups', 'apps']) {
    assert.equal((await portal.admin.get(`/${kind}/2147483647/audit.csv`)).status, 404)
    assert.equal((await portal.admin.get(`/${kind}/2147483647/audit.csv?from=2026-02-30`)).status, 400)
  }
})

test('an app’s counts by day outlive the people who opened it; its lists and total do not', async () => {
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
    test(`/stats/admin${path}?${query} is refused: only a custom range takes days`, async () => {
      const { status, body } = await portal.admin.get(`/stats/admin${path}?${query}`)
      assert.deepEqual([status, body.code, body.details[0].rule], [400, 'validation_failed', 'onlyWith'])
    })

test('a system group keeps its name, but its description may change', async () => {
  const everyone = (await portal.admin.get('/groups?q=Everyone')).body[0]
  const refused = await portal.admin.patch(`/groups/${everyone.id}`, { name: 'All' })
  assert.deepEqual([refused.status, refused.body.code], [400, 'system_group'])
  const { status, body } = await portal.admin.patch(`/groups/${everyone.id}`, { name: 'Everyone', descriptionEn: 'All of us' })
  assert.deepEqual([status, body.name, body.descriptionEn], [200, 'Everyone', 'All of us'])
})

test('a refusal names the unknown ids, and the values that a field may have', async () => {
  const { body } = await portal.admin.post('/groups', { name: 'Nobody', userIds: [2147483646, 2147483647] })
  assert.deepEqual(
    [body.error, body.messageAr],
    ['These ids do not exist: 2147483646, 2147483647.', 'المعرّفات الآتية غير موجودة: 2147483646، 2147483647.'],
  )
  const { messageEn, messageAr } = (await portal.admin.patch('/auth/me/clock-style', { clockStyle: 'round' })).body.details[0]
  assert.match(messageEn, /minimal, or null\.$/)
  assert.match(messageAr, /minimal، أو null\.$/)
})
