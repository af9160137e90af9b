import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers, silence } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { holderOf, list, newApp, newGroup, newPermission, newPerson, newRole, idsOfPermissions, roleNamed } = makers(portal)

test('a replacement is audited, recorded in the history, and sent only to direct and indirect holders', async () => {
  const role = await newRole(['portal.it', 'portal.hr'])
  const [direct, member, _stranger] = [await holderOf(role), await newPerson(), await newPerson()]
  await newGroup({ roleIds: [role.id], userIds: [member.id, direct.id] })
  const [it, hr] = [(await idsOfPermissions('portal.it'))[0]!, (await idsOfPermissions('portal.hr'))[0]!]
  const own = await newPermission()

  const traces = await portal.traces(async () => {
    const answer = await portal.admin.put(`/roles/${role.id}/permissions`, { permissionIds: [own.id, it, own.id] })
    assert.equal(answer.status, 200)
    assert.deepEqual(
      answer.body.map(({ name }: { name: string }) => name),
      ['portal.it', own.name],
    )
  })
  assert.deepEqual(traces, {
    audit: [
      {
        action: 'role.permissions.replace',
        type: 'role',
        target: role.id,
        metadata: {
          permissionNames: { [it!]: 'portal.it', [hr!]: 'portal.hr', [own.id]: own.name },
          previousPermissionIds: [it, hr],
          newPermissionIds: [it, own.id],
          addedPermissionIds: [own.id],
          removedPermissionIds: [hr],
        },
      },
    ],
    histories: [{ kind: 'role.permissions', target: role.id, added: [own.id], removed: [hr] }],
    notices: [],
    events: [{ event: 'apps_changed', data: {}, to: [direct.id, member.id] }],
  })
})

test('a replacement that changes nothing is recorded, and nobody gets an event', async () => {
  const role = await newRole(['portal.it'])
  await holderOf(role)
  const permissionIds = await idsOfPermissions('portal.it')
  const { audit, histories, events } = await portal.traces(() => portal.admin.put(`/roles/${role.id}/permissions`, { permissionIds }))
  assert.deepEqual(
    audit.map(({ action }) => action),
    ['role.permissions.replace'],
  )
  assert.deepEqual(histories, [{ kind: 'role.permissions', target: role.id, added: [], removed: [] }])
  assert.deepEqual(events, [])
})

for (const [permissionIds, status] of [
  [[0], 400],
  [[-1], 400],
  [[1.5], 400],
  [['1'], 400],
  [[null], 400],
  [[2147483648], 400],
  [[1e300], 400],
  ['1', 400],
  [undefined, 400],
  [[1, 2147483647], 404],
] as const) {
  test(`setting permissions ${JSON.stringify(permissionIds)} answers ${status}, and a preview refuses the same except unknown ids`, async () => {
    const role = await newRole(['portal.it'])
    const traces = await portal.traces(async () => {
      assert.equal((await portal.admin.put(`/roles/${role.id}/permissions`, { permissionIds })).status, status)
      const preview = await portal.admin.post(`/roles/${role.id}/permissions/impact-preview`, { permissionIds })
      assert.equal(preview.status, status === 404 ? 200 : 400)
    })
    assert.deepEqual(traces, silence)
  })
}

test('granting or withdrawing one permission is recorded once, and repeating it writes nothing', async () => {
  const role = await newRole()
  const { id: holderId } = await holderOf(role)
  const { id: permissionId, name: permissionName } = await newPermission()
  const event = { event: 'apps_changed', data: {}, to: [holderId] }
  const grant = () => portal.admin.post(`/roles/${role.id}/permissions`, { permissionId })
  const withdraw = () => portal.admin.delete(`/roles/${role.id}/permissions/${permissionId}`)

  assert.deepEqual(
    await portal.traces(async () => {
      const { status, body } = await grant()
      assert.deepEqual([status, body], [201, { id: permissionId, name: permissionName, descriptionAr: null, descriptionEn: null }])
    }),
    {
      audit: [{ action: 'role.permission.add', type: 'role', target: role.id, metadata: { permissionId, permissionName } }],
      histories: [{ kind: 'role.permissions', target: role.id, added: [permissionId], removed: [] }],
      notices: [],
      events: [event],
    },
  )
  assert.deepEqual(await portal.traces(async () => assert.equal((await grant()).status, 201)), silence)
  assert.deepEqual(await portal.traces(async () => assert.equal((await withdraw()).status, 204)), {
    audit: [{ action: 'role.permission.remove', type: 'role', target: role.id, metadata: { permissionId, permissionName } }],
    histories: [{ kind: 'role.permissions', target: role.id, added: [], removed: [permissionId] }],
    notices: [],
    events: [event],
  })
  assert.deepEqual(await portal.traces(async () => assert.equal((await withdraw()).status, 204)), silence)
  assert.equal((await portal.admin.post(`/roles/${role.id}/permissions`, { permissionId: 2147483647 })).status, 404)
  assert.equal((await portal.admin.delete(`/roles/${role.id}/permissions/2147483647`)).status, 204)
})

test('the permissions of system roles are fixed', async () => {
  const { id } = await roleNamed('order_receiver')
  const [permissionId] = await idsOfPermissions('orders.receive')
  const traces = await portal.traces(async () => {
    for (const answer of [
      await portal.admin.put(`/roles/${id}/permissions`, { permissionIds: [permissionId] }),
      await portal.admin.post(`/roles/${id}/permissions`, { permissionId }),
      await portal.admin.delete(`/roles/${id}/permissions/${permissionId}`),
    ]) {
      assert.deepEqual([answer.status, answer.body.code, answer.body.error], [400, 'system_role_permissions', 'system_role_permissions'])
    }
  })
  assert.deepEqual(traces, silence)
})

test('a preview counts the people who lose a permission that no other role of theirs grants', async () => {
  const role = await newRole(['portal.it', 'portal.hr', 'portal.finance'])
  const [it, hr, finance] = await idsOfPermissions('portal.it', 'portal.hr', 'portal.finance')
  const [also, everything] = [await newRole(['portal.it']), await newRole(['portal.it', 'portal.hr'])]
  await holderOf(role)
  const member = await holderOf(also)
  const group = await newGroup({ roleIds: [role.id], userIds: [member.id] })
  const safe = await holderOf(role)
  await newGroup({ roleIds: [everything.id], userIds: [safe.id] })

  const preview = (permissionIds: (number | undefined)[]) =>
    portal.admin.post(`/roles/${role.id}/permissions/impact-preview`, { permissionIds })
  const groups = { groupCount: 1, groups: [{ id: group.id, name: group.name }] }
  assert.deepEqual((await preview([finance, finance])).body, {
    removed: [
      { permissionId: hr, permissionName: 'portal.hr', userCount: 2, ...groups },
      { permissionId: it, permissionName: 'portal.it', userCount: 1, ...groups },
    ],
    totalAffectedUsers: 2,
  })
  assert.deepEqual((await preview([it, hr, finance])).body, { removed: [], totalAffectedUsers: 0 })
  assert.equal((await portal.admin.post('/roles/2147483647/permissions/impact-preview', { permissionIds: [] })).status, 404)
})

test('administrators can create permissions, and delete them once nothing depends on them', async () => {
  const name = 'finance.close_year'
  const created = await portal.admin.post('/permissions', { name, descriptionAr: 'إقفال السنة' })
  assert.equal(created.status, 201)
  const { id } = created.body
  assert.deepEqual(created.body, { id, name, descriptionAr: 'إقفال السنة', descriptionEn: null })
  assert.ok((await list('/permissions')).some((permission) => permission.id === id))
  const role = await newRole([name])
  const stored = await portal.admin.delete(`/permissions/${id}`)
  assert.deepEqual([stored.status, stored.body.code, stored.body.roleCount, stored.body.appCount], [409, 'has_dependents', 1, 0])
  await portal.admin.delete(`/roles/${role.id}`)
  assert.deepEqual(await portal.traces(async () => assert.equal((await portal.admin.delete(`/permissions/${id}`)).status, 204)), {
    ...silence,
    audit: [{ action: 'permission.delete', type: 'permission', target: id, metadata: { name, descriptionAr: 'إقفال السنة' } }],
  })
  assert.equal((await portal.admin.delete(`/permissions/${id}`)).status, 404)
})

for (const [name, status, code] of [
  ['orders.receive', 409, 'name_taken'],
  ['orders', 400, 'validation_failed'],
  ['Orders.read', 400, 'validation_failed'],
  ['orders..read', 400, 'validation_failed'],
  ['orders.1read', 400, 'validation_failed'],
  [null, 400, 'validation_failed'],
] as const) {
  test(`a permission named ${name} is refused with ${code}`, async () => {
    const answer = await portal.admin.post('/permissions', { name })
    assert.deepEqual([answer.status, answer.body.code], [status, code])
  })
}

test('a built-in permission cannot be deleted', async () => {
  const answer = await portal.admin.delete(`/permissions/${(await idsOfPermissions('portal.staff'))[0]}`)
  assert.deepEqual([answer.status, answer.body.code], [400, 'system_permission'])
})

test('a grant takes effect with the next request', async () => {
  const role = await newRole()
  const person = await holderOf(role)
  const [permissionId] = await idsOfPermissions('portal.it')
  const app = await newApp({ permissionIds: [permissionId] })
  const sees = async () => (await person.get(`/apps/${app.id}`)).status === 200
  assert.equal(await sees(), false)
  await portal.admin.post(`/roles/${role.id}/permissions`, { permissionId })
  assert.equal(await sees(), true)
  await portal.admin.put(`/roles/${role.id}/permissions`, { permissionIds: [] })
  assert.equal(await sees(), false)
})
