/** A source that may change administrators: the others are told of every way in which it does. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPortal } from '../../../test/portal.ts'
import { newSource } from '../../../test/scim.ts'

const portal = testPortal()

test('administrators are told when a source moves people of a group that makes administrators, in whichever way', async () => {
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
