/** A revert that would break a rule is refused like the same manual change. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers, silence } from '../../../test/makers.ts'
import { meetingPortal, TASKS } from '../../../test/meetings.ts'
import { type Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const make = makers(portal)
const { newTask } = meetingPortal(portal)

/** The id of the newest entry of the log about a record. */
const logged = async (targetType: string, targetId: number) =>
  (await portal.admin.get(`/admin/audit-logs?targetType=${targetType}&targetId=${targetId}&limit=1`)).body.entries[0].id as number

async function assertRefused(entryId: number, code: string, by: Client = portal.admin, kind = 'audit') {
  const traces = await portal.traces(async () => {
    for (const asked of [{ dryRun: true }, {}]) {
      const { status, body } = await by.post(`/admin/history/${kind}/${entryId}/revert`, asked)
      assert.deepEqual([status >= 400 && status < 500, body.code], [true, code])
    }
  })
  assert.deepEqual(traces, silence)
}

test('an e-mail address that somebody else has taken since is not restored', async () => {
  const [person, other] = [await make.newPerson(), await make.newPerson()]
  await portal.admin.patch(`/users/${person.id}`, { email: 'first@example.org' })
  await portal.admin.patch(`/users/${person.id}`, { email: 'second@example.org' })
  const entryId = await logged('user', person.id)
  await portal.admin.patch(`/users/${other.id}`, { email: 'First@example.org' })
  await assertRefused(entryId, 'email_taken')
})

test('nobody deactivates themselves by reverting their activation', async () => {
  const other = await make.newPerson({ roles: ['admin'] })
  for (const isActive of [false, true]) await portal.admin.patch(`/users/${other.id}`, { isActive })
  await other.signIn(other.username)
  await assertRefused(await logged('user', other.id), 'cannot_deactivate_self', other)
})

test('a service is not restored to a deleted category', async () => {
  const category = await make.newCategory()
  const service = await make.newService({ categoryId: category.id })
  await portal.admin.patch(`/services/${service.id}`, { categoryId: null })
  const entryId = await logged('service', service.id)
  await portal.admin.delete(`/service-categories/${category.id}`)
  await assertRefused(entryId, 'unknown_ids')
})

test('a task is not restored to a person who has lost executive access', async () => {
  const former = await make.newPerson({ roles: ['executive_viewer'] })
  const task = await newTask({ assigneeId: former.id })
  await portal.admin.patch(`${TASKS}/${task.id}`, { assigneeId: null })
  const entryId = await logged('meeting_task', task.id)
  await portal.admin.delete(`/users/${former.id}/roles/executive_viewer`)
  await assertRefused(entryId, 'not_executive')
})

test('the initial set of a created or restored record cannot be reverted', async () => {
  const person = await make.newPerson()
  const made = (await portal.admin.post('/users', { username: 'made.whole', email: 'made.whole@example.org', password: 'battery staple' }))
    .body
  const group = await make.newGroup({ userIds: [person.id] })
  const role = await make.newRole(['portal.it'])
  await portal.admin.delete(`/roles/${role.id}`)
  const { id: deletion } = (await portal.admin.get(`/admin/audit-logs?targetType=role&targetId=${role.id}&limit=1`)).body.entries[0]
  assert.equal((await portal.admin.post(`/admin/undo/${deletion}`, {})).status, 200)
  for (const [kind, path] of [
    ['user', `/users/${made.id}`],
    ['group', `/groups/${group.id}`],
    ['role', `/roles/${role.id}`],
  ] as const) {
    const { entries } = (await portal.admin.get(`${path}/audit`)).body
    assert.ok(entries.length > 0, path)
    await assertRefused(entries[0].id, 'nothing_to_revert', portal.admin, kind)
  }
})

// Only a version of the portal that was older than the rule can have written such an entry.
for (const [kind, action, targetType, name, facts, code] of [
  ['group.updated', 'group.update', 'group', 'Everyone', { changed: { name: { from: 'All', to: 'Everyone' } } }, 'system_group'],
  ['role.updated', 'role.update', 'role', 'admin', { changed: { name: { from: 'chief', to: 'admin' } } }, 'system_role'],
  [
    'role.permissions_replaced',
    'role.permissions.replace',
    'role',
    'admin',
    { addedPermissionIds: [1], removedPermissionIds: [] },
    'system_role_permissions',
  ],
] as const)
  test(`reverting an old entry that changed ${name} is refused with ${code}`, async () => {
    const all: { id: number; name: string }[] = (await portal.admin.get(`/${targetType}s`)).body
    const [entry] = await portal.sql<{ id: number }>(
      'insert into ledger (kind, action, target_type, target_id, facts) values ($1, $2, $3, $4, $5) returning id',
      [kind, action, targetType, all.find((one) => one.name === name)!.id, JSON.stringify(facts)],
    )
    await assertRefused(entry!.id, code)
  })
