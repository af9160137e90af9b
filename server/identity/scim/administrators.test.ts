/** A source that may change administrators: administrators are told of every such change. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPortal } from '../../../test/portal.ts'
import { newSource } from '../../../test/scim.ts'

const portal = testPortal()

test('administrators are told when a source changes the members of a group that makes administrators, by whichever call', async () => {
  const source = await newSource(portal, { mayGrantAdmin: true })
  const { id } = await source.person('chief@example.org')
  const { id: other } = await source.person('deputy@example.org')
  const group = await source.group('Chiefs', [id])
  const [plain, role] = [
    await source.group('Plain', [id]),
    (await portal.admin.get('/roles')).body.find(({ name }: { name: string }) => name === 'admin'),
  ]
  assert.equal((await portal.admin.post(`/groups/${group.id}/roles`, { roleId: role.id })).status, 201)
  for (const [method, path, body] of [
    ['PATCH', `/Groups/${group.id}`, { Operations: [{ op: 'add', path: 'members', value: [{ value: other }] }] }],
    ['DELETE', `/Users/${id}`, undefined],
    ['DELETE', `/Groups/${group.id}`, undefined],
    ['DELETE', `/Groups/${plain.id}`, undefined],
  ] as const) {
    const { notices } = await portal.traces(async () => assert.equal((await source.call(method, path, body)).status, 204))
    const told = notices.filter(({ titleEn }) => titleEn === 'A source changed who is an administrator')
    assert.equal(told.length > 0, path !== `/Groups/${plain.id}`, `${method} ${path}`)
  }
})

test('a source that may not make administrators cannot deactivate one, change their address or make one', async () => {
  const own = await newSource(portal)
  const { id } = await own.person('risen@example.org')
  await portal.admin.post(`/users/${id}/roles`, { roleName: 'admin' })
  for (const [method, body] of [
    ['PATCH', { Operations: [{ op: 'replace', path: 'active', value: false }] }],
    ['PATCH', { Operations: [{ op: 'replace', path: 'emails', value: [{ value: 'thief@example.org' }] }] }],
    ['PUT', { userName: 'risen@example.org', emails: [{ value: 'thief@example.org' }] }],
    ['DELETE', undefined],
  ] as const) {
    const answer = await own.call(method, `/Users/${id}`, body)
    assert.deepEqual([answer.status, answer.body.scimType, answer.body.code], [409, 'uniqueness', 'grants_admin'], method)
  }
  assert.equal((await own.patch(`/Users/${id}`, { op: 'add', path: 'title', value: 'Boss' })).status, 200)
  const group = await own.group('Bosses')
  await portal.admin.patch(`/admin/provisioning/sources/${own.id}`, { mayGrantAdmin: true })
  const admin = (await portal.admin.get('/roles')).body.find(({ name }: { name: string }) => name === 'admin')
  assert.equal((await portal.admin.post(`/groups/${group.id}/roles`, { roleId: admin.id })).status, 201)
  const join = () => own.patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: [{ value: id }] })
  await portal.admin.send('DELETE', `/users/${id}/roles/admin`)
  await portal.admin.patch(`/admin/provisioning/sources/${own.id}`, { mayGrantAdmin: false })
  assert.deepEqual((await join()).body.code, 'grants_admin')
  await portal.admin.patch(`/admin/provisioning/sources/${own.id}`, { mayGrantAdmin: true })
  const traces = await portal.traces(async () => assert.equal((await join()).status, 204))
  assert.ok(traces.notices.some(({ titleEn }) => titleEn === 'A source changed who is an administrator'))
})
