/** Unforced deletions can be undone within half a minute, with everything that was deleted with the record. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inDays } from '../../../test/grants.ts'
import { appsChangedForAll, idsIn, makers, servicesChanged, silence } from '../../../test/makers.ts'
import { testPortal, until } from '../../../test/portal.ts'
import { addProgram } from '../../../test/service-accounts.ts'

const portal = testPortal()
const { newApp, newCategory, newGroup, newPermission, newPerson, newRole, newService } = makers(portal)

const deletionOf = async (targetType: string, id: number) => {
  const { entries } = (await portal.admin.get(`/admin/audit-logs?targetType=${targetType}&targetId=${id}&limit=1`)).body
  return entries[0].id as number
}
/** Deletes a record; returns the entry of its deletion. */
async function remove(targetType: string, path: string) {
  assert.equal((await portal.admin.delete(path)).status, 204)
  return deletionOf(targetType, Number(path.split('?')[0]!.split('/').at(-1)))
}
const undo = (auditId: number) => portal.admin.post(`/admin/undo/${auditId}`)
const refusalOf = async (answering: ReturnType<typeof undo>) => {
  const { status, body } = await answering
  return [status, body.code]
}
const EXPIRED = [409, 'undo_window_expired']

const kinds = [
  ['app', '/apps', newApp, ['slug', 'nameAr', 'nameEn'], [appsChangedForAll]],
  ['service', '/services', newService, ['nameAr', 'nameEn'], [servicesChanged]],
  ['service_category', '/service-categories', newCategory, ['nameAr', 'nameEn'], [servicesChanged]],
  ['group', '/groups', () => newGroup({ descriptionEn: 'Those of the night' }), ['name'], []],
  ['permission', '/permissions', newPermission, ['name'], []],
] as const
for (const [type, path, make, names, events] of kinds)
  test(`a deleted ${type} is restored completely, and the undo is recorded`, async () => {
    const { id } = await make()
    const before = await portal.admin.get(`${path}/${id}`)
    const undoes = await remove(type, `${path}/${id}`)
    const traces = await portal.traces(async () => {
      const { status, body } = await undo(undoes)
      assert.deepEqual([status, body], [200, { targetType: type, targetId: id }])
    })
    const named = Object.fromEntries(names.map((name) => [name, before.body[name]]))
    const audit = [{ action: `${type}.restore`, type, target: id, metadata: { ...named, undoes } }]
    assert.deepEqual(traces, { ...silence, audit, events })
    const after = await portal.admin.get(`${path}/${id}`)
    assert.deepEqual([after.body, after.headers.get('etag')], [before.body, before.headers.get('etag')])
    assert.deepEqual(await portal.traces(async () => assert.deepEqual(await refusalOf(undo(undoes)), EXPIRED)), silence)
  })

test('a restored role grants its permissions again, except deleted ones', async () => {
  const [stays, goes] = [await newPermission(), await newPermission()]
  const role = await newRole([stays.name, goes.name])
  const undoes = await remove('role', `/roles/${role.id}`)
  await portal.admin.delete(`/permissions/${goes.id}`)
  const traces = await portal.traces(async () => assert.equal((await undo(undoes)).status, 200))
  const metadata = { name: role.name, permissionIds: [stays.id], undoes }
  assert.deepEqual(traces, {
    ...silence,
    audit: [{ action: 'role.restore', type: 'role', target: role.id, metadata }],
    histories: [{ kind: 'role.permissions', target: role.id, added: [stays.id], removed: [] }],
  })
  assert.deepEqual(idsIn(await portal.admin.get(`/roles/${role.id}/permissions`)), [stays.id])
  const { entries } = (await portal.admin.get(`/roles/${role.id}/audit`)).body
  assert.deepEqual(entries[0].newPermissionIds, [stays.id])
})

test('service accounts get a restored role or group back with the end of their grant, unless that end has passed or the account is gone', async () => {
  const [role, group] = [await newRole(), await newGroup()]
  const [stays, ending, over, goes] = [
    await addProgram(portal, 'stays', { roles: [role.name], groupIds: [group.id] }),
    await addProgram(portal, 'ending'),
    await addProgram(portal, 'over'),
    await addProgram(portal, 'goes', { roles: [role.name], groupIds: [group.id] }),
  ]
  const expiresAt = inDays(3)
  for (const { id } of [ending, over])
    assert.equal((await portal.admin.post(`/groups/${group.id}/users`, { userId: id, expiresAt })).status, 201)
  const [ofRole, ofGroup] = [await remove('role', `/roles/${role.id}`), await remove('group', `/groups/${group.id}`)]
  assert.equal((await portal.admin.delete(`/service-accounts/${goes.id}`)).status, 204)
  await portal.sql(
    `update deletions set rows = jsonb_set(rows, '{memberships}', (
       select jsonb_agg(case when (one ->> 'user_id')::int = $1 then one || '{"expires_at": "2026-01-01T00:00:00Z"}' else one end)
       from jsonb_array_elements(rows -> 'memberships') as one)) where target_type = 'group' and target_id = $2`,
    [over.id, group.id],
  )
  const traces = await portal.traces(async () => {
    for (const undoes of [ofRole, ofGroup]) assert.equal((await undo(undoes)).status, 200)
  })
  const roleMetadata = { roleId: role.id, roleName: role.name }
  assert.deepEqual(
    traces.audit.filter(({ action }) => !action.endsWith('.restore')),
    [
      { action: 'user.role.add', type: 'user', target: stays.id, metadata: roleMetadata },
      { action: 'group.member.add', type: 'group', target: group.id, metadata: { userId: stays.id } },
      { action: 'group.member.add', type: 'group', target: group.id, metadata: { userId: ending.id, expiresAt } },
    ],
  )
  assert.deepEqual(
    traces.histories.map(({ kind, target, added }) => [kind, target, added]),
    [
      ['user.roles', stays.id, [role.id]],
      ['group.users', group.id, [stays.id]],
      ['user.groups', stays.id, [group.id]],
      ['group.users', group.id, [ending.id]],
      ['user.groups', ending.id, [group.id]],
    ],
  )
  assert.deepEqual((await portal.admin.get(`/service-accounts/${stays.id}`)).body.roleNames, [role.name])
  assert.deepEqual(idsIn(await portal.admin.get(`/users?kind=service&groupId=${group.id}`)).toSorted(), [stays.id, ending.id])
})

test('a restored category has its services again, except those that have a new category', async () => {
  const [category, other] = [await newCategory(), await newCategory()]
  const [stays, moves, goes] = [
    await newService({ categoryId: category.id }),
    await newService({ categoryId: category.id }),
    await newService({ categoryId: category.id }),
  ]
  const undoes = await remove('service_category', `/service-categories/${category.id}`)
  await portal.admin.patch(`/services/${moves.id}`, { categoryId: other.id })
  await portal.admin.delete(`/services/${goes.id}`)
  const { audit } = await portal.traces(async () => assert.equal((await undo(undoes)).status, 200))
  assert.deepEqual(
    audit.map(({ action, target }) => [action, target]),
    [
      ['service_category.restore', category.id],
      ['service.update', stays.id],
    ],
  )
  const categoryOf = async ({ id }: { id: number }) => (await portal.admin.get(`/services/${id}`)).body.categoryId
  assert.deepEqual([await categoryOf(stays), await categoryOf(moves)], [category.id, other.id])
})

test('a restored service whose category is gone has no category', async () => {
  const category = await newCategory()
  const service = await newService({ categoryId: category.id })
  const undoes = await remove('service', `/services/${service.id}`)
  const ofCategory = await remove('service_category', `/service-categories/${category.id}`)
  await undo(undoes)
  assert.equal((await portal.admin.get(`/services/${service.id}`)).body.categoryId, null)
  await undo(ofCategory)
  assert.equal((await portal.admin.get(`/services/${service.id}`)).body.categoryId, null)
})

test('a restored app has its place in each launcher and its daily opens again, including those by deleted people', async () => {
  const [app, other, goes] = [await newApp({ sortOrder: -2 }), await newApp({ sortOrder: -1 }), await newPerson()]
  const person = await newPerson()
  await person.put('/me/app-order', { order: [other.id, app.id] })
  await goes.post(`/apps/${app.id}/open`)
  await portal.admin.delete(`/users/${goes.id}`)
  const launcher = async () => idsIn(await person.get('/apps')).slice(0, 2)
  const stats = async () => {
    const { appOpensByDay, topApps } = (await portal.admin.get('/stats/admin')).body
    return [appOpensByDay.at(-1).count, topApps.find(({ appId }: { appId: number }) => appId === app.id)?.count]
  }
  assert.deepEqual(
    [await launcher(), await stats()],
    [
      [other.id, app.id],
      [1, 1],
    ],
  )
  const undoes = await remove('app', `/apps/${app.id}`)
  assert.deepEqual([(await launcher())[0], await stats()], [other.id, [0, undefined]])
  await undo(undoes)
  assert.deepEqual(
    [await launcher(), await stats()],
    [
      [other.id, app.id],
      [1, 1],
    ],
  )
})

test('an undo is refused while a new record has the name, and works once the name is free', async () => {
  const role = await newRole()
  const undoes = await remove('role', `/roles/${role.id}`)
  const next = await newRole([], role.name.toUpperCase())
  assert.deepEqual(await refusalOf(undo(undoes)), [409, 'name_taken'])
  await portal.admin.delete(`/roles/${next.id}`)
  assert.equal((await undo(undoes)).status, 200)

  const app = await newApp()
  const ofApp = await remove('app', `/apps/${app.id}`)
  await newApp({ slug: app.slug })
  assert.deepEqual(await refusalOf(undo(ofApp)), [409, 'slug_taken'])
  for (const [type, path, make] of [
    ['group', '/groups', newGroup],
    ['permission', '/permissions', newPermission],
  ] as const) {
    const { id, name } = await make()
    const deletion = await remove(type, `${path}/${id}`)
    await portal.admin.post(path, { name })
    assert.deepEqual(await refusalOf(undo(deletion)), [409, 'name_taken'])
  }
})

test('after half a minute the undo is refused, and the stored rows are deleted', async () => {
  const undoes = await remove('group', `/groups/${(await newGroup()).id}`)
  await portal.sql(`update deletions set deleted_at = deleted_at - interval '31 seconds'`)
  assert.deepEqual(await portal.traces(async () => assert.deepEqual(await refusalOf(undo(undoes)), EXPIRED)), silence)
  const { id } = await newGroup()
  const fresh = await remove('group', `/groups/${id}`)
  await portal.sql(`select graphile_worker.add_job('clean_up')`)
  await until('it is forgotten', async () => (await portal.sql('select from deletions')).length === 1)
  assert.equal((await undo(fresh)).status, 200)
})

test('the undo of a forced deletion, of any other entry and of a missing entry is refused as not found', async () => {
  const group = await newGroup({ userIds: [portal.admin.id] })
  const created = await deletionOf('group', group.id)
  const forced = await remove('group', `/groups/${group.id}?force=true`)
  const person = await newPerson()
  const ofPerson = await remove('user', `/users/${person.id}`)
  for (const id of [created, forced, ofPerson, 999_999_999_999_999])
    assert.deepEqual(await portal.traces(async () => assert.deepEqual(await refusalOf(undo(id)), [404, 'not_found'])), silence)
  assert.equal((await undo(0)).status, 400)
})

test('of many simultaneous undos of one deletion, one succeeds', async () => {
  const { id } = await newGroup()
  const undoes = await remove('group', `/groups/${id}`)
  const answers = await Promise.all(Array.from({ length: 6 }, () => undo(undoes)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409, 409, 409])
  assert.equal((await portal.admin.get(`/groups/${id}`)).status, 200)
})
