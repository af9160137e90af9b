/** The end of grants: reminders, orders in work, the last administrator, and grants given or put back around the end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inDays, passDays } from '../../../test/grants.ts'
import { runJob } from '../../../test/jobs.ts'
import { makers, silence, tracing } from '../../../test/makers.ts'
import { sentNote } from '../../../test/notes.ts'
import { type Answer, type Client, testPortal, until } from '../../../test/portal.ts'

const portal = testPortal()
const { silent } = tracing(portal)
const make = makers(portal)
const expire = () => runJob(portal, 'expire_grants').then(() => runJob(portal, 'remind'))

const join = (group: number, userId: number, expiresAt: string | null) => portal.admin.post(`/groups/${group}/users`, { userId, expiresAt })
const grant = (userId: number, roleName: string, expiresAt: string | null) =>
  portal.admin.post(`/users/${userId}/roles`, { roleName, expiresAt })
const code = ({ status, body }: Answer) => [status, body.code]
const read = async (path: string) => (await portal.admin.get(path)).body
const titles = async (person: Client) =>
  (await person.get('/notifications')).body.map(({ titleEn }: { titleEn: string }) => titleEn).toReversed()

test('when an ended grant is given again before the job has run, its end is recorded first, and then the new grant', async () => {
  const [person, role, { id }] = [await make.newPerson(), await make.newRole(), await make.newGroup()]
  for (const give of [
    () => join(id, person.id, null),
    () => portal.admin.patch(`/groups/${id}`, { members: { add: [person.id] } }),
    () => portal.admin.patch(`/users/${person.id}`, { groupIds: [1, id] }),
    () => portal.admin.post('/users/bulk-change', { ids: [person.id], set: { addGroupIds: [id] } }),
  ]) {
    await portal.admin.delete(`/groups/${id}/users/${person.id}`)
    await join(id, person.id, inDays(1))
    await passDays(portal, 2)
    const { audit, histories } = await portal.traces(give)
    assert.equal(audit[0]!.action, 'group.member.expire')
    assert.deepEqual(
      histories.map(({ kind, added, removed }) => [kind, added.length - removed.length]).toSorted(),
      [
        ['group.users', -1],
        ['group.users', 1],
        ['user.groups', -1],
        ['user.groups', 1],
      ].toSorted(),
    )
    const { userIds, memberEnds } = await read(`/groups/${id}`)
    assert.deepEqual([userIds, memberEnds], [[person.id], []])
    const [newest, ended] = (await read(`/groups/${id}/audit`)).entries
    assert.deepEqual([newest.addedIds, ended.removedIds, ended.actor], [[person.id], [person.id], null])
  }
  await grant(person.id, role.name, inDays(1))
  await passDays(portal, 2)
  const { audit } = await portal.traces(() => portal.admin.put(`/users/${person.id}/roles`, { roleIds: [role.id] }))
  assert.deepEqual(
    audit.map(({ action }) => action),
    ['user.role.expire', 'user.roles.replace'],
  )
  assert.deepEqual(await portal.traces(expire), silence)
})

test('deleting a person or a group with ended grants records the end of each', async () => {
  const [person, { id }, other] = [await make.newPerson(), await make.newGroup(), await make.newGroup()]
  for (const group of [id, other.id]) await join(group, person.id, inDays(1))
  await grant(person.id, 'order_receiver', inDays(1))
  await passDays(portal, 2)
  const group = await portal.traces(() => portal.admin.delete(`/groups/${id}`))
  assert.deepEqual(
    group.audit.map(({ action }) => action),
    ['group.member.expire', 'group.delete'],
  )
  const account = await portal.traces(() => portal.admin.delete(`/users/${person.id}`))
  assert.deepEqual(
    account.audit.map(({ action }) => action),
    ['user.role.expire', 'group.member.expire', 'user.delete'],
  )
})

test('a role held only by grants that have ended can be deleted, and the deletion undone', async () => {
  const [person, role] = [await make.newPerson(), await make.newRole()]
  await grant(person.id, role.name, inDays(1))
  assert.deepEqual(code(await silent(() => portal.admin.delete(`/roles/${role.id}`))), [409, 'has_dependents'])
  await passDays(portal, 2)
  const { audit } = await portal.traces(async () => assert.equal((await portal.admin.delete(`/roles/${role.id}`)).status, 204))
  assert.deepEqual(
    audit.map(({ action }) => action),
    ['role.delete', 'user.role.expire'],
  )
  const { entries } = await read(`/admin/audit-logs?targetType=role&targetId=${role.id}&limit=1`)
  assert.equal((await portal.admin.post(`/admin/undo/${entries[0].id}`)).status, 200)
  assert.equal((await read(`/roles/${role.id}`)).name, role.name)
})

test('the orders of a receiver whose right has ended go back to the queue', async () => {
  const [receiver, service] = [await make.newPerson(), await make.newService()]
  await grant(receiver.id, 'order_receiver', inDays(1))
  const { id } = (await (await make.newPerson()).post('/orders', { serviceId: service.id })).body
  assert.equal((await receiver.patch(`/orders/${id}/confirm-receipt`)).status, 200)
  await passDays(portal, 2)
  assert.equal((await receiver.patch(`/orders/${id}/status`, { status: 'preparing' })).status, 403)
  await expire()
  assert.equal((await portal.sql<{ status: string }>(`select status from orders where id = ${id}`))[0]!.status, 'pending')
})

test('a command ends with 403 if a right ends before its last check, and an open stream gets no event after the end', async () => {
  const [person, watcher] = [await make.newPerson(), await make.newPerson()]
  await grant(watcher.id, 'admin', inDays(1))
  const stream = await watcher.listen()
  const { id: seen } = (await portal.admin.post('/groups', { name: 'Seen by the watcher' })).body
  await stream.next('admin_changed', ({ targetType, targetId }) => targetType === 'group' && targetId === seen)
  await passDays(portal, 2)
  const { id: unseen } = (await portal.admin.post('/groups', { name: 'Not seen by the watcher' })).body
  await sentNote(portal.admin, watcher)
  await stream.next('notification_created')
  assert.ok(!stream.seen('admin_changed').some(({ data }) => data.targetType === 'group' && data.targetId === unseen))
  stream.close()
  assert.equal((await person.get('/auth/me')).status, 200)
})

test('the last grant of the role admin without an end can be neither removed nor given an end', async () => {
  const [deputy, { id }] = [await make.newPerson(), await make.newGroup()]
  const admin = (await make.list('/roles')).find(({ name }) => name === 'admin')!
  await grant(deputy.id, 'admin', inDays(30))
  const demote = () => deputy.delete(`/users/${portal.admin.id}/roles/admin`)
  assert.deepEqual(code(await silent(demote)), [409, 'last_admin'])
  assert.deepEqual(code(await silent(() => grant(portal.admin.id, 'admin', inDays(30)))), [409, 'last_admin'])
  const preview = { changes: [{ kind: 'user', id: portal.admin.id, remove: { roleIds: [admin.id] } }] }
  assert.equal((await deputy.post('/admin/impact', preview)).body.lastAdmin, true)
  const bulk = await deputy.post('/users/bulk-change', { ids: [portal.admin.id], set: { isActive: false } })
  assert.deepEqual(
    bulk.body.failed.map((one: { code: string }) => one.code),
    ['last_admin'],
  )

  await portal.admin.post(`/groups/${id}/roles`, { roleId: admin.id })
  await join(id, deputy.id, inDays(30))
  assert.deepEqual(code(await silent(demote)), [409, 'last_admin'])
  await join(id, deputy.id, null)
  assert.equal((await demote()).status, 200)
  assert.equal((await deputy.post(`/users/${portal.admin.id}/roles`, { roleName: 'admin' })).status, 200)
  await portal.admin.delete(`/groups/${id}?force=true`)
})

test('people are reminded a week and a day before the end, once for each end', async () => {
  const [person, { id, name }] = [await make.newPerson(), await make.newGroup()]
  await join(id, person.id, inDays(10))
  const reminders = () => titles(person)
  await expire()
  assert.deepEqual(await reminders(), [])
  await passDays(portal, 4)
  for (let run = 0; run < 2; run++) await expire()
  assert.deepEqual(await reminders(), ['A membership ends soon'])
  const [notice] = (await person.get('/notifications')).body
  assert.deepEqual([notice.type, notice.relatedType, notice.relatedId], ['system', 'group', id])
  assert.match(notice.bodyEn, new RegExp(`^Your membership of “${name}” ends on \\d`))
  await passDays(portal, 5.5)
  for (let run = 0; run < 2; run++) await expire()
  assert.deepEqual(await reminders(), Array(2).fill('A membership ends soon'))

  await join(id, person.id, inDays(8))
  await passDays(portal, 2)
  await expire()
  assert.deepEqual(await reminders(), Array(3).fill('A membership ends soon'))
  await passDays(portal, 7)
  for (let run = 0; run < 2; run++) await expire()
  assert.deepEqual(await reminders(), [...Array(3).fill('A membership ends soon'), 'Your membership has ended'])
})

test('a grant given after a reminder was due does not get that reminder, and after a pause of the job only the latest reminder is sent', async () => {
  const [late, paused, idle, role] = [await make.newPerson(), await make.newPerson(), await make.newPerson(), await make.newRole()]
  await grant(late.id, role.name, inDays(3))
  await expire()
  assert.deepEqual(await titles(late), [])
  await passDays(portal, 2.5)
  await expire()
  assert.deepEqual(await titles(late), ['A role ends soon'])

  for (const one of [paused, idle]) await grant(one.id, role.name, inDays(9))
  await portal.admin.patch(`/users/${idle.id}`, { isActive: false })
  await passDays(portal, 8.5)
  await expire()
  assert.deepEqual([await titles(late), await titles(paused)], [['A role ends soon', 'Your role has ended'], ['A role ends soon']])
  assert.deepEqual(await portal.sql(`select from notifications where user_id = ${idle.id}`), [])
})

test('more ended grants than one portion holds are all removed', async () => {
  const { id } = await make.newGroup()
  await portal.sql(`
    begin;
    insert into users (username, email, password_hash)
      select 'crowd' || n, 'crowd' || n || '@example.org', '' from generate_series(1, 1100) as n;
    insert into memberships (group_id, user_id, expires_at) select ${id}, id, now() - interval '1 hour' from users where username like 'crowd%';
    insert into ledger (kind, target_type, target_id, facts) select 'test.filled', 'user', id, '{}' from users where username like 'crowd%';
    insert into permission_history (kind, target_id, added, removed)
      select 'user.groups', id, '{}'::int[], '{}'::int[] from users where username like 'crowd%'
      union all select 'group.users', ${id}, '{}', '{}';
    commit`)
  await expire()
  assert.deepEqual(await portal.sql(`select from memberships where group_id = ${id}`), [])
  const recorded = await portal.sql<{ count: number }>(
    `select count(distinct facts ->> 'userId')::int as count from ledger where action = 'group.member.expire' and target_id = ${id}`,
  )
  assert.equal(recorded[0]!.count, 1100)
})

const untilOver = (moment: string) =>
  until('the end is over', async () => (await portal.sql<{ isOver: boolean }>('select now() > $1 as "isOver"', [moment]))[0]!.isOver)
const revert = (kind: string, entryId: number, body: object = {}) => portal.admin.post(`/admin/history/${kind}/${entryId}/revert`, body)
const newest = async (path: string) => (await read(path)).entries[0]

test('a restored grant has the end that it had before, unless that end has passed', async () => {
  const [person, other, { id }] = [await make.newPerson(), await make.newPerson(), await make.newGroup()]
  const [soon, later] = [inDays(2), inDays(20)]
  await join(id, person.id, soon)
  await join(id, other.id, later)
  await portal.admin.patch(`/groups/${id}`, { userIds: [] })
  const entry = await newest(`/groups/${id}/audit`)
  assert.deepEqual(entry.ends, [
    { id: person.id, from: soon, to: null },
    { id: other.id, from: later, to: null },
  ])
  for (const [kind, entryId] of [
    ['group', entry.id],
    ['audit', (await newest(`/admin/audit-logs?targetType=group&targetId=${id}&limit=1`)).id],
  ] as const) {
    assert.deepEqual((await revert(kind, entryId, { dryRun: true })).body.ended, [])
    const { status, body } = await revert(kind, entryId)
    assert.deepEqual(
      [status, body.memberEnds],
      [
        200,
        [
          { userId: person.id, expiresAt: soon },
          { userId: other.id, expiresAt: later },
        ],
      ],
    )
    assert.deepEqual((await newest(`/groups/${id}/audit`)).revertOf, { kind, entryId })
    await portal.admin.patch(`/groups/${id}`, { userIds: [] })
  }
  const end = new Date(Date.now() + 4000).toISOString()
  await join(id, person.id, end)
  await join(id, other.id, later)
  await portal.admin.patch(`/groups/${id}`, { userIds: [] })
  const last = await newest(`/groups/${id}/audit`)
  await untilOver(end)
  assert.deepEqual((await revert('group', last.id, { dryRun: true })).body.ended, [person.id])
  const { memberEnds, ended } = (await revert('group', last.id)).body
  assert.deepEqual([memberEnds, ended], [[{ userId: other.id, expiresAt: later }], [person.id]])
})

test('a revert of a person’s groups or roles, and its dry run, name the grants that are not restored', async () => {
  const [person, role, other] = [await make.newPerson(), await make.newRole(), await make.newRole()]
  const groups = [await make.newGroup(), await make.newGroup()]
  await join(groups[1]!.id, person.id, null)
  await grant(person.id, other.name, null)
  const end = new Date(Date.now() + 8000).toISOString()
  await join(groups[0]!.id, person.id, end)
  await grant(person.id, role.name, end)
  await portal.admin.patch(`/users/${person.id}`, { groupIds: [] })
  const ofGroups = await newest(`/users/${person.id}/audit`)
  await portal.admin.put(`/users/${person.id}/roles`, { roleIds: [] })
  const ofRoles = await newest(`/users/${person.id}/audit`)
  await untilOver(end)
  for (const [entry, gone] of [
    [ofGroups, groups[0]!.id],
    [ofRoles, role.id],
  ] as const) {
    assert.deepEqual((await revert('user', entry.id, { dryRun: true })).body.ended, [gone])
    const { status, body } = await revert('user', entry.id)
    assert.deepEqual([status, body.id, body.ended], [200, person.id, [gone]])
  }
})

test('a revert restores an end that was changed, but cannot undo an end that has come', async () => {
  const [person, role, { id }] = [await make.newPerson(), await make.newRole(), await make.newGroup()]
  const [first, second] = [inDays(5), inDays(9)]
  await join(id, person.id, first)
  await join(id, person.id, second)
  const changed = await newest(`/groups/${id}/audit`)
  assert.deepEqual((await revert('group', changed.id)).body.memberEnds, [{ userId: person.id, expiresAt: first }])
  assert.deepEqual(code(await revert('group', changed.id)), [409, 'nothing_to_revert'])
  await join(id, person.id, inDays(11))
  assert.deepEqual(code(await revert('group', changed.id)), [409, 'changed_since'])

  await grant(person.id, role.name, first)
  await grant(person.id, role.name, second)
  const ofRole = await newest(`/users/${person.id}/audit`)
  assert.equal((await revert('user', ofRole.id)).status, 200)
  const { from } = (await read(`/users/${person.id}/effective-access`)).roles.find(({ id: one }: { id: number }) => one === role.id)
  assert.deepEqual(from, [{ via: 'direct', expiresAt: first }])

  await passDays(portal, 12)
  await expire()
  for (const path of [`/groups/${id}/audit`, `/users/${person.id}/audit`]) {
    const { entries } = await read(path)
    const ended = entries.find(({ actor }: { actor: object | null }) => actor === null)
    assert.deepEqual(code(await revert(path.startsWith('/groups') ? 'group' : 'user', ended.id)), [409, 'nothing_to_revert'])
  }
})
