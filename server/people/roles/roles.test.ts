import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ascending, makers, silence } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { holderOf, idsOfPermissions, list, newGroup, newRole, roleNamed } = makers(portal)

test('a role is created, described and listed with its permissions and the number of people and groups that hold it', async () => {
  const created = await portal.admin.post('/roles', { name: 'Editor', descriptionAr: 'محرر' })
  assert.equal(created.status, 201)
  const { id, createdAt, ...rest } = created.body
  assert.deepEqual(rest, { name: 'Editor', descriptionAr: 'محرر', descriptionEn: null, isSystem: false })
  const { id: userId } = await holderOf(created.body)
  await newGroup({ roleIds: [id], userIds: [userId] })
  const permissionIds = await idsOfPermissions('portal.hr', 'portal.it')
  await portal.admin.put(`/roles/${id}/permissions`, { permissionIds })
  const listed = { id, createdAt, ...rest, userCount: 1, groupCount: 1, permissionIds: ascending(permissionIds) }
  assert.deepEqual(await roleNamed('Editor'), listed)
  assert.deepEqual((await portal.admin.get(`/roles/${id}/usage`)).body, { userCount: 1, groupCount: 1 })
})

test('a new portal has the system roles and built-in permissions', async () => {
  const names = (await list('/roles')).filter((role) => 'isSystem' in role && role.isSystem).map(({ name }) => name)
  assert.deepEqual(names, [
    'admin',
    'executive_ceo',
    'executive_coord_lead',
    'executive_coordinator',
    'executive_office_manager',
    'executive_viewer',
    'order_receiver',
    'user',
  ])
  const receiver = await roleNamed('order_receiver')
  assert.deepEqual(
    (await list(`/roles/${receiver.id}/permissions`)).map(({ name }) => name),
    ['orders.receive'],
  )
  assert.deepEqual(await list(`/roles/${(await roleNamed('user')).id}/permissions`), [])
})

for (const [body, status, code] of [
  [{ name: 'Admin' }, 409, 'name_taken'],
  [{ name: '1st' }, 400, 'validation_failed'],
  [{ name: '' }, 400, 'validation_failed'],
  [{ name: 'two words' }, 400, 'validation_failed'],
  [{ name: 'محرر' }, 400, 'validation_failed'],
  [{ name: `a${'b'.repeat(64)}` }, 400, 'validation_failed'],
  [{ name: 7 }, 400, 'validation_failed'],
  [{}, 400, 'validation_failed'],
  [[], 400, 'validation_failed'],
  [{ name: 'fine', descriptionAr: 'x'.repeat(2001) }, 400, 'validation_failed'],
] as const) {
  test(`a role ${JSON.stringify(body).slice(0, 40)} is refused with ${code}`, async () => {
    const traces = await portal.traces(async () => {
      const answer = await portal.admin.post('/roles', body)
      assert.deepEqual([answer.status, answer.body.code], [status, code])
    })
    assert.deepEqual(traces, silence)
  })
}

test('a rename is audited under both names, and an update that changes nothing writes nothing', async () => {
  const role = await newRole()
  const name = `Renamed${role.id}`
  assert.deepEqual(await portal.traces(() => portal.admin.patch(`/roles/${role.id}`, { name, descriptionEn: 'Writes' })), {
    ...silence,
    audit: [
      {
        action: 'role.update',
        type: 'role',
        target: role.id,
        metadata: {
          changed: { name: { from: role.name, to: name }, descriptionEn: { from: null, to: 'Writes' } },
          renamed: true,
          renamedFrom: role.name,
          renamedTo: name,
        },
      },
    ],
  })
  assert.deepEqual(await portal.traces(() => portal.admin.patch(`/roles/${role.id}`, { name, descriptionEn: 'Writes' })), silence)
  const { audit } = await portal.traces(() => portal.admin.patch(`/roles/${role.id}`, { descriptionEn: null }))
  assert.deepEqual(audit[0]!.metadata, { changed: { descriptionEn: { from: 'Writes', to: null } } })
})

test('a role can take its own name in another case, but not another role’s', async () => {
  const [one, other] = [await newRole(), await newRole()]
  assert.equal((await portal.admin.patch(`/roles/${one.id}`, { name: one.name.toUpperCase() })).body.name, one.name.toUpperCase())
  const taken = await portal.admin.patch(`/roles/${other.id}`, { name: one.name })
  assert.deepEqual([taken.status, taken.body.code], [409, 'name_taken'])
})

test('a system role cannot be renamed, even in case, but can be described', async () => {
  const { id } = await roleNamed('user')
  for (const name of ['users', 'User']) {
    const answer = await portal.admin.patch(`/roles/${id}`, { name })
    assert.deepEqual([answer.status, answer.body.code], [400, 'system_role'])
  }
  assert.equal((await portal.admin.patch(`/roles/${id}`, { name: 'user', descriptionEn: 'Everybody' })).body.descriptionEn, 'Everybody')
})

test('a role that nobody holds is deleted with its permission links, and its history records that', async () => {
  const role = await newRole(['portal.it', 'portal.hr'])
  const permissionIds = await idsOfPermissions('portal.it', 'portal.hr')
  assert.deepEqual(await portal.traces(async () => assert.equal((await portal.admin.delete(`/roles/${role.id}`)).status, 204)), {
    ...silence,
    audit: [{ action: 'role.delete', type: 'role', target: role.id, metadata: { name: role.name, permissionIds } }],
    histories: [{ kind: 'role.permissions', target: role.id, added: [], removed: permissionIds }],
  })
  assert.equal((await portal.admin.delete(`/roles/${role.id}`)).status, 404)
})

test('a role that people or groups hold cannot be deleted, and the refusal counts them', async () => {
  const role = await newRole(['portal.it'])
  await holderOf(role)
  await newGroup({ roleIds: [role.id] })
  const answer = await portal.admin.delete(`/roles/${role.id}`)
  assert.deepEqual([answer.status, answer.body.code, answer.body.userCount, answer.body.groupCount], [409, 'has_dependents', 1, 1])
  const system = await portal.admin.delete(`/roles/${(await roleNamed('admin')).id}`)
  assert.deepEqual([system.status, system.body.code], [400, 'system_role'])
})

test('only administrators reach roles and permissions', async () => {
  const [role, person] = [await newRole(), await portal.person('powerless')]
  for (const [method, path] of [
    ['GET', '/permissions'],
    ['POST', '/permissions'],
    ['DELETE', '/permissions/1'],
    ['GET', '/roles'],
    ['POST', '/roles'],
    ['PATCH', `/roles/${role.id}`],
    ['DELETE', `/roles/${role.id}`],
    ['GET', `/roles/${role.id}/usage`],
    ['GET', `/roles/${role.id}/permissions`],
    ['PUT', `/roles/${role.id}/permissions`],
    ['POST', `/roles/${role.id}/permissions`],
    ['DELETE', `/roles/${role.id}/permissions/1`],
    ['POST', `/roles/${role.id}/permissions/impact-preview`],
    ['GET', `/roles/${role.id}/audit`],
    ['GET', `/roles/${role.id}/audit.csv`],
  ] as const) {
    assert.equal((await person.send(method, path)).status, 403, `${method} ${path}`)
    assert.equal((await portal.stranger().send(method, path)).status, 401, `${method} ${path}`)
  }
})

for (const [method, path, body] of [
  ['PATCH', '', { descriptionEn: 'x' }],
  ['DELETE', '', undefined],
  ['GET', '/usage', undefined],
  ['GET', '/permissions', undefined],
  ['PUT', '/permissions', { permissionIds: [] }],
  ['POST', '/permissions', { permissionId: 1 }],
  ['DELETE', '/permissions/1', undefined],
  ['GET', '/audit', undefined],
  ['GET', '/audit.csv', undefined],
] as const) {
  test(`${method} /roles/{id}${path} answers 404 for an unknown role and 400 for an impossible id`, async () => {
    assert.equal((await portal.admin.send(method, `/roles/2147483647${path}`, body)).status, 404)
    for (const id of ['0', '-1', 'x', '1.5', '2147483648'])
      assert.equal((await portal.admin.send(method, `/roles/${id}${path}`, body)).status, 400)
  })
}
