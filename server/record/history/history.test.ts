import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessChangedFor, makers, silence } from '../../../test/makers.ts'
import { DAY, MEETINGS, meetingPortal, TASKS } from '../../../test/meetings.ts'
import { type Answer, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const make = makers(portal)
const { newMeeting, newTask, whenReady } = meetingPortal(portal)
const UNKNOWN = 2147483647

const revert = (kind: string, entryId: number, body: object = {}) => portal.admin.post(`/admin/history/${kind}/${entryId}/revert`, body)
const newest = async (path: string) => (await portal.admin.get(path)).body.entries[0]
/** The id of the newest entry of the audit log about a record. */
const logged = async (targetType: string, targetId: number) =>
  (await newest(`/admin/audit-logs?targetType=${targetType}&targetId=${targetId}&limit=1`)).id as number
const read = async (path: string) => (await portal.admin.get(path)).body
const fine = ({ status, body, text }: Answer) => {
  assert.equal(status, 200, text)
  return body
}
const refused = ({ status, body }: Answer) => [status, body.code]

test('reverting an entry of a group’s members changes only these members, and links the new entry to the reverted one', async () => {
  const [majed, rania, later] = [await make.newPerson(), await make.newPerson(), await make.newPerson()]
  const role = await make.newRole()
  const { id } = await make.newGroup({ userIds: [majed.id], roleIds: [role.id] })
  await portal.admin.patch(`/groups/${id}`, { members: { add: [rania.id], remove: [majed.id] } })
  const entry = (await read(`/groups/${id}/audit`)).entries.find(({ changeKind }: { changeKind: string }) => changeKind === 'group.users')
  await portal.admin.patch(`/groups/${id}`, { members: { add: [later.id] } })

  const dry = await portal.traces(async () => {
    const { losesCount, loses, gains, noChange } = fine(await revert('group', entry.id, { dryRun: true }))
    const people = (some: { user: { id: number } }[]) => some.map(({ user }) => user.id)
    assert.deepEqual([losesCount, people(loses), people(gains), noChange], [1, [rania.id], [majed.id], false])
  })
  assert.deepEqual(dry, silence)

  const revertOf = { kind: 'group', entryId: entry.id }
  const { audit, histories, events } = await portal.traces(async () => {
    const body = fine(await revert('group', entry.id))
    assert.deepEqual([body.userIds, body.memberCount], [[majed.id, later.id], 2])
  })
  const changed = { userIds: { from: [rania.id], to: [majed.id] } }
  assert.deepEqual(audit, [{ action: 'group.update', type: 'group', target: id, metadata: { changed, revertOf } }])
  assert.deepEqual(histories[0], { kind: 'group.users', target: id, added: [majed.id], removed: [rania.id] })
  assert.deepEqual(events, accessChangedFor(majed.id, rania.id))
  const { revertOf: linked, metadata } = await newest(`/admin/audit-logs?targetType=group&targetId=${id}`)
  assert.deepEqual([linked, metadata], [revertOf, { changed }])
  for (const path of [`/groups/${id}/audit`, `/users/${majed.id}/audit`]) assert.deepEqual((await newest(path)).revertOf, revertOf)
  assert.equal(entry.revertOf, null)

  assert.deepEqual(refused(await revert('group', entry.id)), [409, 'nothing_to_revert'])
  assert.deepEqual(refused(await revert('group', entry.id, { dryRun: true })), [409, 'nothing_to_revert'])
  // A revert is an entry that can be reverted like any other.
  const again = fine(await revert('group', (await newest(`/groups/${id}/audit`)).id))
  assert.deepEqual(again.userIds, [rania.id, later.id])
})

test('a reverted set leaves out ids that are already restored or no longer exist', async () => {
  const [one, other, gone] = [await make.newPerson(), await make.newPerson(), await make.newPerson()]
  const { id } = await make.newGroup({ userIds: [one.id, other.id, gone.id] })
  await portal.admin.patch(`/groups/${id}`, { userIds: [] })
  const entry = await newest(`/groups/${id}/audit?limit=1`)
  const users = (await read(`/groups/${id}/audit`)).entries.find(({ changeKind }: { changeKind: string }) => changeKind === 'group.users')
  await portal.admin.delete(`/users/${gone.id}?force=true`)
  await portal.admin.post(`/groups/${id}/users`, { userId: one.id })
  assert.ok(entry.id >= users.id)
  assert.deepEqual(fine(await revert('group', users.id)).userIds, [one.id, other.id])
})

test('the roles of a person, the permissions of a role and the access of an app are reverted', async () => {
  const [hr, it] = await make.idsOfPermissions('portal.hr', 'portal.it')
  const [person, role] = [await make.newPerson(), await make.newRole(['portal.hr'])]
  const app = await make.newApp({ permissionIds: [hr] })
  await portal.admin.post(`/users/${person.id}/roles`, { roleName: role.name })
  const given = await newest(`/users/${person.id}/audit`)
  await portal.admin.put(`/roles/${role.id}/permissions`, { permissionIds: [it] })
  const granted = await newest(`/roles/${role.id}/audit`)
  await portal.admin.delete(`/apps/${app.id}/permissions/${hr}`)
  const asked = await newest(`/apps/${app.id}/audit`)

  const { gainsCount } = fine(await revert('role', granted.id, { dryRun: true }))
  assert.equal(gainsCount, 0)
  assert.deepEqual(
    fine(await revert('role', granted.id)).map(({ id }: { id: number }) => id),
    [hr],
  )
  assert.deepEqual((await newest(`/roles/${role.id}/audit`)).revertOf, { kind: 'role', entryId: granted.id })
  assert.equal(fine(await revert('app', asked.id, { dryRun: true })).losesCount > 0, true)
  const { events } = await portal.traces(async () =>
    assert.deepEqual(fine(await revert('app', asked.id)), { permissionIds: [hr], groupIds: [] }),
  )
  assert.equal(events.length, 1)
  const { loses } = fine(await revert('user', given.id, { dryRun: true }))
  assert.deepEqual(
    loses[0].apps.map(({ id }: { id: number }) => id),
    [app.id],
  )
  const { events: sent } = await portal.traces(async () =>
    assert.equal(fine(await revert('user', given.id)).roleIds.includes(role.id), false),
  )
  assert.deepEqual(sent, accessChangedFor(person.id))
  // The entry of the same change in the audit log has nothing left to revert.
  assert.deepEqual(refused(await revert('audit', (await newest(`/admin/audit-logs?action=user.role.add&targetId=${person.id}`)).id)), [
    409,
    'nothing_to_revert',
  ])
})

test('a revert of an update names the fields that changed since, and overwrites them only on request', async () => {
  const app = await make.newApp({ nameEn: 'First', color: '#111' })
  const { events } = await portal.traces(() => portal.admin.patch(`/apps/${app.id}`, { nameEn: 'Second', color: '#222', isActive: false }))
  assert.equal(events.length, 1)
  const entryId = await logged('app', app.id)
  await portal.admin.patch(`/apps/${app.id}`, { color: '#333' })

  const answer = await revert('audit', entryId)
  assert.deepEqual(refused(answer), [409, 'changed_since'])
  assert.deepEqual(answer.body.fields, [{ field: 'color', from: '#111', to: '#222', now: '#333' }])
  assert.deepEqual(refused(await revert('audit', entryId, { dryRun: true })), [409, 'changed_since'])
  const { gainsCount, losesCount } = fine(await revert('audit', entryId, { dryRun: true, overwrite: answer.body.version }))
  assert.deepEqual([gainsCount > 0, losesCount], [true, 0])
  const { audit } = await portal.traces(async () => {
    const { nameEn, color, isActive } = fine(await revert('audit', entryId, { overwrite: answer.body.version }))
    assert.deepEqual([nameEn, color, isActive], ['First', '#111', true])
  })
  assert.deepEqual(
    audit.map(({ action, metadata }) => [action, metadata['revertOf']]),
    [['app.update', { kind: 'audit', entryId }]],
  )
})

test('a revert never overwrites a value that changed after it was shown', async () => {
  const app = await make.newApp({ nameEn: 'First', color: '#111' })
  await portal.admin.patch(`/apps/${app.id}`, { nameEn: 'Second', color: '#222' })
  const entryId = await logged('app', app.id)
  await portal.admin.patch(`/apps/${app.id}`, { color: '#333' })
  const { version } = (await revert('audit', entryId, { dryRun: true })).body
  await portal.admin.patch(`/apps/${app.id}`, { nameEn: 'Third' })
  const answer = await revert('audit', entryId, { overwrite: version })
  assert.deepEqual(refused(answer), [409, 'changed_since'])
  const now = Object.fromEntries(answer.body.fields.map(({ field, now }: { field: string; now: string }) => [field, now]))
  assert.deepEqual(now, { color: '#333', nameEn: 'Third' })
  assert.equal((await read(`/apps/${app.id}`)).nameEn, 'Third')
  const { nameEn, color } = fine(await revert('audit', entryId, { overwrite: answer.body.version }))
  assert.deepEqual([nameEn, color], ['First', '#111'])
})

test('a deleted picture is not restored', async () => {
  const imageUrl = '/objects/uploads/00000000-0000-4000-8000-000000000000'
  const app = await make.newApp({ nameEn: 'Bare' })
  const changed = { nameEn: { from: 'Pictured', to: 'Bare' }, imageUrl: { from: imageUrl, to: null } }
  const [entry] = await portal.sql<{ id: number }>(
    `insert into ledger (kind, action, target_type, target_id, facts) values ('app.updated', 'app.update', 'app', $1, $2) returning id`,
    [app.id, JSON.stringify({ changed })],
  )
  const body = fine(await revert('audit', entry!.id))
  assert.deepEqual([body.nameEn, body.imageUrl], ['Pictured', null])
})

test('a deactivation is reverted: the person can sign in again, and only they get an event', async () => {
  const person = await make.newPerson()
  await portal.admin.patch(`/users/${person.id}`, { isActive: false, displayNameEn: 'Off' })
  const entryId = await logged('user', person.id)
  const { gains, noChange } = fine(await revert('audit', entryId, { dryRun: true }))
  assert.deepEqual([gains.map(({ user }: { user: { id: number } }) => user.id), noChange], [[person.id], false])
  const { events } = await portal.traces(async () => {
    const { isActive, displayNameEn } = fine(await revert('audit', entryId))
    assert.deepEqual([isActive, displayNameEn], [true, null])
  })
  assert.deepEqual(events, accessChangedFor(person.id).slice(1))
})

test('settings, meetings and tasks are reverted, and a dry run shows that nobody’s access changes', async () => {
  await whenReady()
  const before = await read('/settings')
  await portal.admin.patch('/settings', { siteNameEn: 'Changed', registrationOpen: !before.registrationOpen })
  const settings = await logged('settings', 1)
  const { losesCount, gainsCount, unaffectedCount, noChange } = fine(await revert('settings', settings, { dryRun: true }))
  assert.deepEqual([losesCount, gainsCount, unaffectedCount, noChange], [0, 0, 0, false])
  const { updatedAt: _, ...restored } = fine(await revert('settings', settings))
  assert.deepEqual(restored, (({ updatedAt: _, ...rest }) => rest)(before))

  const guest = await make.newPerson()
  const meeting = await newMeeting({
    startTime: '09:00',
    endTime: '10:00',
    attendees: [{ name: 'Guest', userId: guest.id }, { name: 'Aunt' }],
  })
  const path = `${MEETINGS}/${meeting.id}`
  await portal.admin.patch(path, { date: '2031-08-08', startTime: '11:00', endTime: '12:00', attendees: [] })
  const moved = (await newest(`${MEETINGS}/audit-logs?entityKind=meeting&entityId=${meeting.id}`)).id
  await portal.admin.delete(`/users/${guest.id}?force=true`)
  fine(await revert('meeting', moved))
  const { date, startTime, attendees } = await read(path)
  assert.deepEqual([date, startTime], [DAY, '09:00'])
  assert.deepEqual(
    attendees.map(({ name, userId }: { name: string; userId: number | null }) => [name, userId]),
    [
      ['Guest', null],
      ['Aunt', null],
    ],
  )
  assert.deepEqual((await newest(`${MEETINGS}/audit-logs?entityKind=meeting&entityId=${meeting.id}`)).revertOf, {
    kind: 'meeting',
    entryId: moved,
  })

  const task = await newTask({ titleEn: 'Draft' })
  await portal.admin.patch(`${TASKS}/${task.id}`, { titleEn: 'Final', dueDate: '2031-01-01' })
  const edited = (await newest(`${MEETINGS}/audit-logs?entityKind=task&entityId=${task.id}`)).id
  await portal.admin.patch(`${TASKS}/${task.id}`, { titleEn: 'Last' })
  const since = await revert('task', edited)
  assert.deepEqual(
    [...refused(since), since.body.fields],
    [409, 'changed_since', [{ field: 'titleEn', from: 'Draft', to: 'Final', now: 'Last' }]],
  )
  const { titleEn, dueDate } = fine(await revert('task', edited, { overwrite: since.body.version }))
  assert.deepEqual([titleEn, dueDate], ['Draft', null])
})

test('a revert that would break a rule is refused like the same manual change, and nothing is written', async () => {
  const other = await make.newPerson()
  await portal.admin.post(`/users/${other.id}/roles`, { roleName: 'admin' })
  const promotion = await newest(`/users/${other.id}/audit`)
  await other.delete(`/users/${portal.admin.id}/roles/admin`)
  const restore = () => other.post(`/users/${portal.admin.id}/roles`, { roleName: 'admin' })
  const dry = await other.post(`/admin/history/user/${promotion.id}/revert`, { dryRun: true })
  assert.deepEqual([dry.body.lastAdmin, dry.body.self.losesAdmin], [true, true])
  const traces = await portal.traces(async () => {
    assert.deepEqual(refused(await other.post(`/admin/history/user/${promotion.id}/revert`, {})), [409, 'last_admin'])
  })
  assert.deepEqual(traces, silence)
  await restore()

  const role = await make.newRole([], 'taken.name')
  await portal.admin.patch(`/roles/${role.id}`, { name: 'free.name' })
  const renaming = await logged('role', role.id)
  await make.newRole([], 'taken.name')
  assert.deepEqual(refused(await revert('audit', renaming)), [409, 'name_taken'])
})

test('of several simultaneous reverts of one entry, one succeeds', async () => {
  const person = await make.newPerson()
  const { id } = await make.newGroup({ userIds: [person.id] })
  await portal.admin.patch(`/groups/${id}`, { userIds: [] })
  const entry = (await read(`/groups/${id}/audit`)).entries[0]
  const { audit } = await portal.traces(async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => revert('group', entry.id)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409, 409, 409])
  })
  assert.equal(audit.length, 1)
})

for (const [what, kind, body, status, code] of [
  ['an unknown entry', 'group', {}, 404, 'not_found'],
  ['an unknown entry of the log', 'audit', {}, 404, 'not_found'],
  ['an unknown history', 'orders', {}, 400, 'validation_failed'],
  ['a dry run that is no boolean', 'group', { dryRun: 'yes' }, 400, 'validation_failed'],
] as const)
  test(`${what} is refused`, async () => assert.deepEqual(refused(await revert(kind, UNKNOWN, body)), [status, code]))

test('creations, deletions, entries of a different history and entries of deleted records cannot be reverted', async () => {
  const { id } = await make.newGroup()
  const created = await logged('group', id)
  assert.deepEqual(refused(await revert('audit', created)), [409, 'nothing_to_revert'])
  assert.deepEqual(refused(await revert('settings', created)), [404, 'not_found'])
  await portal.admin.patch(`/groups/${id}`, { userIds: [portal.admin.id] })
  const entry = await newest(`/groups/${id}/audit`)
  for (const kind of ['role', 'app']) assert.deepEqual(refused(await revert(kind, entry.id)), [404, 'not_found'])
  await portal.admin.delete(`/groups/${id}?force=true`)
  assert.deepEqual(refused(await revert('audit', await logged('group', id))), [409, 'nothing_to_revert'])
  assert.deepEqual(refused(await revert('group', entry.id)), [404, 'not_found'])
})

test('only administrators revert entries', async () => {
  const person = await make.newPerson()
  assert.deepEqual(refused(await person.post('/admin/history/audit/1/revert', {})), [403, 'forbidden'])
})
