import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { idsIn, makers } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'
import { oneOf, randomWorlds } from '../../../test/random-access.ts'

const portal = testPortal()
const { newApp, newGroup, newPerson, newPermission, newRole, idsOfPermissions, roleNamed } = makers(portal)
const inRandomWorlds = randomWorlds(portal)
const explained = async (user: { id: number }, app: { id: number }) =>
  (await portal.admin.get(`/admin/access?userId=${user.id}&appId=${app.id}`)).body
const accessOf = async (user: { id: number }) => (await portal.admin.get(`/users/${user.id}/effective-access`)).body
interface Ref {
  id: number
  name: string
}
const ofRole = ({ id, name }: Ref) => ({ roleId: id, roleName: name })
const inGroup = ({ id, name }: Ref) => ({ groupId: id, groupName: name })
/** No grant in these tests has an end. */
const expiresAt = null
const byPermission = ({ id, name }: Ref) => ({ via: 'permission', permissionId: id, permissionName: name, expiresAt })
const byAdmin = async () => ({ via: 'admin', ...ofRole(await roleNamed('admin')), expiresAt })

test('every reason why a person sees an app is listed', async () => {
  const [hr, it] = await idsOfPermissions('portal.hr', 'portal.it')
  const app = await newApp({ permissionIds: [it, hr] })
  const [hrRole, bothRoles] = [await newRole(['portal.hr'], 'a.hr'), await newRole(['portal.it', 'portal.hr'], 'b.both')]
  const person = await newPerson({ roles: [hrRole.name] })
  const granted = await newGroup({ name: 'Granted', userIds: [person.id], appIds: [app.id] })
  const roleIds = [hrRole.id, bothRoles.id, (await roleNamed('admin')).id]
  const giving = inGroup(await newGroup({ name: 'Giving', userIds: [person.id], roleIds }))
  const [byHr, byIt] = [byPermission({ id: hr!, name: 'portal.hr' }), byPermission({ id: it!, name: 'portal.it' })]
  const reasons = [
    { ...(await byAdmin()), ...giving },
    { ...byHr, ...ofRole(hrRole) },
    { ...byHr, ...ofRole(hrRole), ...giving },
    { ...byHr, ...ofRole(bothRoles), ...giving },
    { ...byIt, ...ofRole(bothRoles), ...giving },
    { via: 'group', ...inGroup(granted), expiresAt },
  ]
  assert.deepEqual(await explained(person, app), { visible: true, reasons, wouldGrant: [] })
})

test('an unrestricted app is visible to everyone', async () => {
  const [app, person] = [await newApp(), await newPerson()]
  assert.deepEqual(await explained(person, app), { visible: true, reasons: [{ via: 'unrestricted', expiresAt }], wouldGrant: [] })
  assert.deepEqual((await explained(portal.admin, app)).reasons, [await byAdmin(), { via: 'unrestricted', expiresAt }])
})

test('for an app that a person does not see, each item in wouldGrant would make it visible', async () => {
  const permission = await newPermission()
  const [app, person, role] = [await newApp({ permissionIds: [permission.id] }), await newPerson(), await newRole()]
  const group = await newGroup({ appIds: [app.id] })
  const wouldGrant = [byPermission(permission), { via: 'group', ...inGroup(group), expiresAt }]
  assert.deepEqual(await explained(person, app), { visible: false, reasons: [], wouldGrant })
  for (const [give, take] of [
    [
      () => portal.admin.post(`/groups/${group.id}/users`, { userId: person.id }),
      () => portal.admin.delete(`/groups/${group.id}/users/${person.id}`),
    ],
    [
      () => portal.admin.post(`/users/${person.id}/roles`, { roleName: role.name }),
      () => portal.admin.delete(`/users/${person.id}/roles/${role.name}`),
    ],
  ] as const) {
    await portal.admin.put(`/roles/${role.id}/permissions`, { permissionIds: [permission.id] })
    await give()
    assert.equal((await explained(person, app)).visible, true)
    await take()
    assert.deepEqual((await explained(person, app)).wouldGrant, wouldGrant)
  }
})

test('nothing makes an inactive app visible, or any app visible to an inactive person', async () => {
  const [hr] = await idsOfPermissions('portal.hr')
  const [inactive, open] = [await newApp({ permissionIds: [hr], isActive: false }), await newApp()]
  const away = await newPerson({ roles: ['order_receiver'] })
  await portal.admin.patch(`/users/${away.id}`, { isActive: false })
  const hidden = { visible: false, reasons: [], wouldGrant: [] }
  assert.deepEqual([await explained(portal.admin, inactive), await explained(away, open)], [hidden, hidden])
  const { roles, apps } = await accessOf(away)
  assert.deepEqual([roles.map(({ name }: { name: string }) => name), apps], [['order_receiver', 'user'], []])
})

test('the roles, permissions and apps of a person are listed, each with its sources', async () => {
  const permission = await newPermission()
  const [role, person] = [await newRole([permission.name], 'z.telling'), await newPerson({ roles: ['z.telling'] })]
  const group = await newGroup({ name: 'Telling', userIds: [person.id], roleIds: [role.id] })
  const app = await newApp({ permissionIds: [permission.id] })
  const { roles, permissions, apps } = await accessOf(person)
  assert.deepEqual(roles, [
    { id: (await roleNamed('user')).id, name: 'user', from: [{ via: 'direct', expiresAt }] },
    {
      id: role.id,
      name: role.name,
      from: [
        { via: 'direct', expiresAt },
        { via: 'group', ...inGroup(group), expiresAt },
      ],
    },
  ])
  const from = [
    { via: 'direct', ...ofRole(role), expiresAt },
    { via: 'group', ...ofRole(role), ...inGroup(group), expiresAt },
  ]
  assert.deepEqual(
    permissions,
    [{ ...permission, from }].map(({ id, name }) => ({ id, name, from })),
  )
  assert.deepEqual(idsIn({ body: apps }), idsIn(await person.get('/apps')))
  const { slug, nameAr, nameEn } = (await portal.admin.get(`/apps/${app.id}`)).body
  const { reasons } = await explained(person, app)
  assert.deepEqual(apps.at(-1), { id: app.id, slug, nameAr, nameEn, reasons })
})

test('the explanation agrees with a naive recount', () =>
  inRandomWorlds(fc.tuple(oneOf('users'), oneOf('apps')), async (stage, world, [user, app]) => {
    const [person, one] = [{ id: stage.users[user]! }, { id: stage.apps[app]! }]
    const { visible, reasons, wouldGrant } = await explained(person, one)
    assert.deepEqual([visible, reasons.length > 0], [world.sees(user, app), world.sees(user, app)])
    const isHopeless = visible || world.isInactive(user) || world.isInactiveApp(app)
    assert.equal(wouldGrant.length > 0, !isHopeless)

    const { roles, permissions, apps } = await accessOf(person)
    const permitted = world.permits(user).map((permission) => stage.permissions[permission]!)
    assert.deepEqual(
      idsIn({ body: permissions })
        .filter((id) => stage.permissions.includes(id))
        .toSorted(),
      permitted.toSorted(),
    )
    assert.deepEqual(
      idsIn({ body: apps }).filter((id) => stage.apps.includes(id)),
      world.seen(user).map((seen) => stage.apps[seen]),
    )
    if (visible) assert.deepEqual(apps.find(({ id }: { id: number }) => id === one.id).reasons, reasons)
    const adminRole = (await roleNamed('admin')).id
    const listed = roles.flatMap(({ id, from }: { id: number; from: { groupId?: number }[] }) =>
      from.map(({ groupId = 'direct' }) => `${id} ${groupId}`),
    )
    const held = world
      .holds(user)
      .flatMap((role) =>
        [null, ...world.groupsOf(user)]
          .filter((group) => world.holdsFrom(user, group, role))
          .map((group) => `${role === 'admin' ? adminRole : stage.roles[role]} ${group === null ? 'direct' : stage.groups[group]}`),
      )
    assert.deepEqual(listed.toSorted(), held.toSorted())
  }))

for (const [query, status] of [
  ['userId=1&appId=2147483647', 404],
  ['userId=2147483647&appId=1', 404],
  ['userId=1', 400],
  ['appId=1', 400],
  ['userId=x&appId=1', 400],
  ['userId=1&appId=0', 400],
] as const)
  test(`access with ${query} answers ${status}`, async () =>
    assert.equal((await portal.admin.get(`/admin/access?${query}`)).status, status))

test('a request for the access of an unknown person gets 404', async () =>
  assert.equal((await portal.admin.get('/users/2147483647/effective-access')).status, 404))
