import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ascending, idsIn, makers, silence } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'
import { oneOf, randomWorlds, someOf } from '../../../test/random-access.ts'
import { scale } from '../../../test/suite.ts'
import { inOwnOrder, sees } from './rules.ts'

const portal = testPortal()
const { newApp, newGroup, newPermission, newPerson, newRole, idsOfPermissions } = makers(portal)
const inRandomWorlds = randomWorlds(portal)
let edits = 0

interface Viewer {
  roles?: string[]
  permissions?: string[]
  groupIds?: number[]
}
const viewer = ({ roles = [], permissions = [], groupIds = [] }: Viewer) => ({
  isAdmin: roles.includes('admin'),
  can: (permission: string) => permissions.includes(permission),
  access: { groupIds: new Set(groupIds) } as never,
})
const open = { isActive: true, permissions: [], groups: [] }
const guarded = { isActive: true, permissions: ['portal.it', 'portal.hr'], groups: [5] }

for (const [app, person, expected, why] of [
  [open, {}, true, 'an app that asks for nothing is everyone’s'],
  [{ ...open, groups: [5] }, {}, true, 'a grant to a group does not hide an app that asks for nothing'],
  [guarded, {}, false, 'an app that asks for a permission is not shown without'],
  [guarded, { permissions: ['portal.hr'] }, true, 'one permission of several is enough'],
  [guarded, { permissions: ['portal.finance'] }, false, 'another permission does not help'],
  [guarded, { groupIds: [4, 5] }, true, 'a member of a granted group needs no permission'],
  [guarded, { groupIds: [4] }, false, 'another group does not help'],
  [guarded, { roles: ['admin'] }, true, 'an administrator sees every active app'],
  [{ ...guarded, isActive: false }, { roles: ['admin'], permissions: ['portal.hr'], groupIds: [5] }, false, 'nobody sees an inactive app'],
] as const) {
  test(why, () => assert.equal(sees(app, viewer(person as Viewer)), expected))
}

test('a person’s own order comes first, skips deleted apps, and keeps the order of the rest', () => {
  const apps = [1, 2, 3, 4].map((id) => ({ id }))
  const order = (ids: number[]) => inOwnOrder(apps, ids).map(({ id }) => id)
  assert.deepEqual(
    [order([]), order([3, 9, 1]), order([4, 3, 2, 1])],
    [
      [1, 2, 3, 4],
      [3, 1, 2, 4],
      [4, 3, 2, 1],
    ],
  )
})

test('a launcher shows an app exactly while the launcher’s owner may see the app', async () => {
  const [hr] = await idsOfPermissions('portal.hr')
  const [role, person, group] = [await newRole(['portal.hr']), await newPerson(), await newGroup()]
  const [everyone, asking, inactive] = [await newApp(), await newApp({ permissionIds: [hr] }), await newApp({ isActive: false })]
  const launcher = async () => idsIn(await person.get('/apps')).filter((id) => [everyone.id, asking.id, inactive.id].includes(id))
  const both = [everyone.id, asking.id]

  assert.deepEqual(await launcher(), [everyone.id])
  for (const [give, take] of [
    [
      () => portal.admin.post(`/users/${person.id}/roles`, { roleName: role.name }),
      () => portal.admin.delete(`/users/${person.id}/roles/${role.name}`),
    ],
    [
      () => portal.admin.patch(`/groups/${group.id}`, { userIds: [person.id], roleIds: [role.id] }),
      () => portal.admin.patch(`/groups/${group.id}`, { roleIds: [] }),
    ],
    [
      () => portal.admin.post(`/groups/${group.id}/apps`, { appId: asking.id }),
      () => portal.admin.delete(`/groups/${group.id}/users/${person.id}`),
    ],
    [
      () => portal.admin.delete(`/apps/${asking.id}/permissions/${hr}`),
      () => portal.admin.post(`/apps/${asking.id}/permissions`, { permissionId: hr }),
    ],
  ]) {
    await give!()
    assert.deepEqual(await launcher(), both)
    assert.equal((await person.get(`/apps/${asking.id}`)).status, 200)
    await take!()
    assert.deepEqual(await launcher(), [everyone.id])
    assert.equal((await person.get(`/apps/${asking.id}`)).status, 404)
  }
  assert.equal((await person.get(`/apps/${inactive.id}`)).status, 404)
  assert.equal((await portal.admin.get(`/apps/${inactive.id}`)).body.isActive, false)
  await portal.admin.patch(`/apps/${inactive.id}`, { isActive: true })
  assert.deepEqual(await launcher(), [...both.slice(0, 1), inactive.id])
})

test('neither of two instances answers with a state older than an acknowledged change', async () => {
  const other = await portal.another()
  const person = await newPerson()
  for (let round = 0; round < scale(2, 10); round++) {
    const { id } = await newApp()
    const answers = await Promise.all(
      [portal.base, other.base].map((base) => fetch(`${base}/api/apps`, { headers: { cookie: person.cookie } })),
    )
    for (const answer of answers) assert.ok(((await answer.json()) as { id: number }[]).some((app) => app.id === id))
  }
})

/** The number of active people who are not administrators, without these people. They see an app for everyone as well. */
async function countOthers(users: number[]) {
  const [others] = await portal.sql<{ count: number }>(
    `select count(*)::int as count from users u where is_active and id <> all($1::int[])
       and not exists (select from effective_roles er join roles r on r.id = er.role_id where er.user_id = u.id and r.name = 'admin')`,
    [users],
  )
  return others!.count
}

test('the preview of an app’s permissions agrees with a simple recount', () =>
  inRandomWorlds(fc.tuple(oneOf('apps'), someOf('permissions', 3)), async (stage, world, [app, candidate]) => {
    const expected = world.appImpact(app, candidate)
    const others = world.isOpen(app) && !world.isInactiveApp(app) ? await countOthers(stage.users) : 0
    const ids = candidate.map((permission) => stage.permissions[permission]!)
    const { body } = await portal.admin.post(`/apps/${stage.apps[app]}/permissions/impact-preview`, { permissionIds: [...ids, ...ids] })
    assert.deepEqual(
      { ...body, groups: ascending(idsIn({ body: body.groups })) },
      {
        currentlyVisibleUserCount: expected.currentlyVisibleUserCount + others,
        affectedUserCount: expected.affectedUserCount + (candidate.length ? others : 0),
        groups: ascending(expected.groups.map((group) => stage.groups[group]!)),
        noChange: expected.noChange,
      },
    )
  }))

test('the preview of a role’s permissions agrees with a simple recount', () =>
  inRandomWorlds(fc.tuple(oneOf('roles'), someOf('permissions', 3)), async (stage, world, [role, candidate]) => {
    const expected = world.roleImpact(role, candidate)
    const ids = [...candidate.map((permission) => stage.permissions[permission]!), 2147483647]
    const { body } = await portal.admin.post(`/roles/${stage.roles[role]}/permissions/impact-preview`, { permissionIds: ids })
    const groups = ascending(expected.groups.map((group) => stage.groups[group]!))
    assert.equal(body.totalAffectedUsers, expected.totalAffectedUsers)
    assert.equal(body.removed.length, expected.removed.length)
    for (const { permission, userCount } of expected.removed) {
      const item = body.removed.find(({ permissionId }: { permissionId: number }) => permissionId === stage.permissions[permission])
      assert.deepEqual([item.userCount, item.groupCount, ascending(idsIn({ body: item.groups }))], [userCount, groups.length, groups])
    }
  }))

test('launchers and the recipients of an edit agree with a simple recount', () =>
  inRandomWorlds(oneOf('apps'), async (stage, world, app) => {
    for (const [user, client] of stage.watchers.entries()) {
      const answer = await client.get('/apps')
      if (world.isInactive(user)) assert.equal(answer.status, 401)
      else {
        const shown = idsIn(answer).filter((id) => stage.apps.includes(id))
        assert.deepEqual(
          shown,
          stage.apps.filter((_, one) => world.sees(user, one)),
        )
      }
    }
    const { events } = await portal.traces(() => portal.admin.patch(`/apps/${stage.apps[app]}`, { iconName: `star-${edits++}` }))
    const viewers = ascending([portal.admin.id, ...world.users.filter((user) => world.sees(user, app)).map((user) => stage.users[user]!)])
    const reached = events.map(({ to }) => to)
    assert.deepEqual(reached, world.isInactiveApp(app) ? [] : [world.isOpen(app) ? null : viewers])
  }))

for (const [permissionIds, status] of [
  [[0], 400],
  [[-3], 400],
  [[1.5], 400],
  [['1'], 400],
  [undefined, 400],
  [[1, 2147483647], 404],
  [[1, 1], 200],
  [[], 200],
] as const) {
  test(`a preview with ${JSON.stringify(permissionIds)} answers ${status}`, async () => {
    const { id } = await newApp()
    assert.equal((await portal.admin.post(`/apps/${id}/permissions/impact-preview`, { permissionIds })).status, status)
  })
}

test('permissions and groups of an app are replaced together, recorded once, and announced to all who see it before or after', async () => {
  const [first, second] = [await newPermission(), await newPermission()]
  const [before, after, both] = [await newPerson(), await newPerson(), await newPerson({ roles: [(await newRole([first.name])).name] })]
  const [old, next] = [await newGroup({ userIds: [before.id] }), await newGroup({ userIds: [after.id] })]
  const app = await newApp({ permissionIds: [first.id] })
  await portal.admin.post(`/groups/${old.id}/apps`, { appId: app.id })
  const path = `/apps/${app.id}/access`
  assert.deepEqual((await portal.admin.get(path)).body, { permissionIds: [first.id], groupIds: [old.id] })

  const wanted = { permissionIds: [second.id, first.id], groupIds: [next.id, next.id] }
  const now = { permissionIds: ascending([first.id, second.id]), groupIds: [next.id] }
  const { audit, histories, events } = await portal.traces(async () => {
    const answer = await portal.admin.put(path, wanted)
    assert.deepEqual([answer.status, answer.body], [200, now])
  })
  const changed = {
    permissionIds: { from: [], to: [second.id] },
    groupIds: { from: [old.id], to: [next.id] },
  }
  assert.deepEqual(audit, [{ action: 'app.access.replace', type: 'app', target: app.id, metadata: { changed } }])
  assert.deepEqual(histories, [
    { kind: 'app.permissions', target: app.id, added: [second.id], removed: [] },
    { kind: 'group.apps', target: next.id, added: [app.id], removed: [] },
    { kind: 'group.apps', target: old.id, added: [], removed: [app.id] },
  ])
  // The administrators of the random worlds get the events as well.
  const concerned = ascending([portal.admin.id, before.id, after.id, both.id])
  assert.deepEqual(
    events.map(({ event, to }) => [event, to!.filter((id) => concerned.includes(id))]),
    [['apps_changed', concerned]],
  )
  assert.deepEqual(await portal.traces(() => portal.admin.put(path, wanted)), silence)

  for (const [body, status, code, unknownIds] of [
    [{ ...now, permissionIds: [2147483647, 2147483646] }, 404, 'not_found', [2147483646, 2147483647]],
    [{ ...now, groupIds: [2147483647] }, 400, 'unknown_ids', [2147483647]],
    [{ permissionIds: [] }, 400, 'validation_failed', undefined],
  ] as const) {
    const answer = await portal.admin.put(path, body)
    assert.deepEqual([answer.status, answer.body.code, answer.body.unknownIds], [status, code, unknownIds])
  }
  assert.deepEqual((await portal.admin.get(path)).body, now)
  for (const send of [portal.admin.get('/apps/2147483647/access'), portal.admin.put('/apps/2147483647/access', now)])
    assert.equal((await send).status, 404)
})
