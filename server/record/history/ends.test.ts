/** Reverting entries about grants that end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inDays } from '../../../test/grants.ts'
import { makers } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const make = makers(portal)

const join = (group: number, userId: number, expiresAt: string | null) => portal.admin.post(`/groups/${group}/users`, { userId, expiresAt })
const grant = (userId: number, roleName: string, expiresAt: string | null) =>
  portal.admin.post(`/users/${userId}/roles`, { roleName, expiresAt })
const read = async (path: string) => (await portal.admin.get(path)).body
const newest = async (path: string) => (await read(path)).entries[0]
const revert = (kind: string, entryId: number, body: object = {}) => portal.admin.post(`/admin/history/${kind}/${entryId}/revert`, body)

test('a membership that is put back does not get the end of a role with the same id', async () => {
  const person = await make.newPerson()
  let [group, role] = [await make.newGroup(), await make.newRole()]
  while (group.id !== role.id) {
    if (group.id < role.id) group = await make.newGroup()
    else role = await make.newRole()
  }
  await join(group.id, person.id, null)
  await grant(person.id, role.name, inDays(1))
  const set = { removeGroupIds: [group.id], removeRoleNames: [role.name] }
  assert.equal((await portal.admin.post('/users/bulk-change', { ids: [person.id], set })).status, 200)
  const { id } = await newest(`/admin/audit-logs?action=user.update&targetType=user&targetId=${person.id}&limit=1`)
  assert.equal((await revert('audit', id)).status, 200)
  const { userIds, memberEnds } = await read(`/groups/${group.id}`)
  assert.deepEqual([userIds, memberEnds], [[person.id], []])
})

test('the dry run of a revert says whether it would give the last administrator an end', async () => {
  const [deputy, { id }] = [await make.newPerson(), portal.admin]
  await grant(deputy.id, 'admin', null)
  await grant(id, 'admin', inDays(30))
  await grant(id, 'admin', null)
  const entry = await newest(`/users/${id}/audit`)
  const dryRun = async () => (await revert('user', entry.id, { dryRun: true })).body.lastAdmin
  assert.equal(await dryRun(), false)
  await portal.admin.delete(`/users/${deputy.id}/roles/admin`)
  assert.equal(await dryRun(), true)
  const { status, body } = await revert('user', entry.id)
  assert.deepEqual([status, body.code], [409, 'last_admin'])
})
