/** The roles and groups of a person, and their histories. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessChangedFor, silence, tracing } from '../../../test/makers.ts'
import { PASSWORD, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { traced, silent } = tracing(portal)
const EVERYONE = 1
const roles = { user: 2, receiver: 3, viewer: 8 }

const account = async (username: string, groupIds: number[] = []) =>
  (await portal.admin.post('/users', { username, email: `${username}@example.org`, password: PASSWORD, groupIds })).body.id as number
const group = async (name: string, fields = {}) => (await portal.admin.post('/groups', { name, ...fields })).body.id as number

test('groupIds is the exact new set, Everyone included; both histories are written and the person gets an event', async () => {
  const [old, next] = [await group('Old'), await group('Next')]
  const id = await account('layla', [old])
  const { answer, ...traces } = await traced(() => portal.admin.patch(`/users/${id}`, { groupIds: [next, next] }))
  assert.deepEqual(
    answer.body.groups.map((one: { id: number }) => one.id),
    [next],
  )
  assert.deepEqual(traces, {
    ...silence,
    audit: [
      { action: 'user.update', type: 'user', target: id, metadata: { changed: { groupIds: { from: [EVERYONE, old], to: [next] } } } },
    ],
    histories: [
      { kind: 'user.groups', target: id, added: [next], removed: [EVERYONE, old] },
      { kind: 'group.users', target: next, added: [id], removed: [] },
      { kind: 'group.users', target: EVERYONE, added: [], removed: [id] },
      { kind: 'group.users', target: old, added: [], removed: [id] },
    ],
    events: accessChangedFor(id),
  })
})

test('an update with unknown groups changes nothing at all', async () => {
  const id = await account('basma')
  const fields = { displayNameEn: 'Other', groupIds: [999999, EVERYONE, 999998] }
  const { status, body } = await silent(() => portal.admin.patch(`/users/${id}`, fields))
  assert.deepEqual([status, body.code, body.unknownIds], [400, 'unknown_ids', [999998, 999999]])
  assert.equal((await portal.admin.get(`/users/${id}`)).body.displayNameEn, null)
})

test('giving and taking a role are each recorded once, and the person gets an event each time', async () => {
  const id = await account('rami')
  const give = () => portal.admin.post(`/users/${id}/roles`, { roleName: 'order_receiver' })
  const take = () => portal.admin.delete(`/users/${id}/roles/order_receiver`)
  const left = (move: 'added' | 'removed', action: string) => ({
    audit: [{ action, type: 'user', target: id, metadata: { roleId: roles.receiver, roleName: 'order_receiver' } }],
    histories: [{ kind: 'user.roles', target: id, added: [], removed: [], [move]: [roles.receiver] }],
    notices: [],
    events: accessChangedFor(id),
  })

  const { answer: given, ...came } = await traced(give)
  assert.deepEqual([given.status, given.body.roles], [200, ['order_receiver', 'user']])
  assert.deepEqual(came, left('added', 'user.role.add'))
  assert.deepEqual((await silent(give)).body, given.body)

  const { answer: taken, ...went } = await traced(take)
  assert.deepEqual([taken.status, taken.body.roles], [200, ['user']])
  assert.deepEqual(went, left('removed', 'user.role.remove'))
  assert.deepEqual((await silent(take)).body, taken.body)
})

test('roleIds is the exact new set of direct roles, recorded once, and the person gets an event', async () => {
  const id = await account('salma')
  const put = (roleIds: number[]) => portal.admin.put(`/users/${id}/roles`, { roleIds })
  const { answer, ...traces } = await traced(() => put([roles.viewer, roles.receiver, roles.viewer]))
  assert.deepEqual([answer.status, answer.body.roleIds], [200, [roles.receiver, roles.viewer]])
  assert.deepEqual(answer.body, (await portal.admin.get(`/users/${id}`)).body)
  const changed = { roleIds: { from: [roles.user], to: [roles.receiver, roles.viewer] } }
  assert.deepEqual(traces, {
    ...silence,
    audit: [{ action: 'user.roles.replace', type: 'user', target: id, metadata: { changed } }],
    histories: [{ kind: 'user.roles', target: id, added: [roles.receiver, roles.viewer], removed: [roles.user] }],
    events: accessChangedFor(id),
  })
  assert.deepEqual((await silent(() => put([roles.viewer, roles.receiver]))).body, answer.body)

  const giving = await group('Giving', { userIds: [id], roleIds: [roles.user] })
  const none = await put([])
  assert.deepEqual([none.body.roleIds, none.body.roles], [[], ['user']])
  await portal.admin.delete(`/groups/${giving}?force=true`)

  const unknown = await silent(() => put([999998, roles.user, 999999]))
  assert.deepEqual([unknown.status, unknown.body.code, unknown.body.unknownIds], [400, 'unknown_ids', [999998, 999999]])
  assert.equal((await silent(() => portal.admin.put('/users/999999/roles', { roleIds: [] }))).status, 404)
  const last = await silent(() => portal.admin.put(`/users/${portal.admin.id}/roles`, { roleIds: [] }))
  assert.deepEqual([last.status, last.body.code], [409, 'last_admin'])
})

test('a role given twenty times at once is recorded once', async () => {
  const id = await account('many')
  const give = () => portal.admin.post(`/users/${id}/roles`, { roleName: 'executive_viewer' })
  const { audit, histories, events } = await portal.traces(() => Promise.all(Array.from({ length: 20 }, give)))
  assert.deepEqual([audit.length, histories.length, events.length], [1, 1, 2])
})

test('an unknown role cannot be given, and taking it changes nothing', async () => {
  const id = await account('muggle')
  assert.equal((await silent(() => portal.admin.post(`/users/${id}/roles`, { roleName: 'wizard' }))).body.code, 'not_found')
  assert.equal((await silent(() => portal.admin.delete(`/users/${id}/roles/no%2Fwizard`))).status, 200)
})

test('a role held through a group is listed, and cannot be taken from the person alone', async () => {
  const id = await account('through', [await group('Receivers', { roleIds: [roles.receiver] })])
  const taken = await silent(() => portal.admin.delete(`/users/${id}/roles/order_receiver`))
  assert.deepEqual(taken.body.roles, ['order_receiver', 'user'])
})

test('a change of roles or groups takes effect with the next request', async () => {
  const salem = await portal.person('salem')
  const admins = await group('Admins', { roleIds: [1] })
  const may = async () => (await salem.get('/users?q=nobody')).status
  assert.equal(await may(), 403)
  await portal.admin.post(`/groups/${admins}/users`, { userId: salem.id })
  assert.equal(await may(), 200)
  await portal.admin.patch(`/users/${salem.id}`, { groupIds: [] })
  assert.equal(await may(), 403)
})

test('the history shows each set before and after, newest first, page by page', async () => {
  const [id, readers] = [await account('history'), await group('Readers')]
  await portal.admin.patch(`/users/${id}`, { groupIds: [readers, EVERYONE] })
  await portal.admin.post(`/users/${id}/roles`, { roleName: 'executive_viewer' })
  await portal.admin.delete(`/groups/${readers}?force=true`)
  const { body } = await portal.admin.get(`/users/${id}/audit`)
  const { user, viewer } = roles
  assert.deepEqual(
    body.entries.map((one: Record<string, unknown>) => [one.changeKind, one.previousIds, one.newIds, one.addedIds, one.removedIds]),
    [
      ['user.groups', [EVERYONE, readers], [EVERYONE], [], [readers]],
      ['user.roles', [user], [user, viewer], [viewer], []],
      ['user.groups', [EVERYONE], [EVERYONE, readers], [readers], []],
      ['user.groups', [], [EVERYONE], [EVERYONE], []],
      ['user.roles', [], [user], [user], []],
    ],
  )
  const { targetKind, targetId, actor } = body.entries[0]
  const admin = { id: portal.admin.id, username: 'admin', displayNameAr: null, displayNameEn: null, avatarUrl: null }
  assert.deepEqual([targetKind, targetId, actor], ['user', id, admin])
  assert.deepEqual([body.totalCount, body.limit, body.offset, body.nextOffset], [5, 10, 0, null])

  const page = (await portal.admin.get(`/users/${id}/audit?limit=2&offset=1`)).body
  assert.deepEqual(page.entries, body.entries.slice(1, 3))
  assert.deepEqual([page.totalCount, page.limit, page.offset, page.nextOffset], [5, 2, 1, 3])
})

test('the history can be filtered by actor and by whole UTC days', async () => {
  const id = await account('narrowed')
  const total = async (query: string) => (await portal.admin.get(`/users/${id}/audit?${query}`)).body.totalCount
  assert.deepEqual([await total('actorUserId=1'), await total('actorUserId=0'), await total('actorUserId=999')], [2, 2, 0])

  await portal.sql(
    `insert into permission_history (at, kind, target_id, added, removed) values
       ('2020-02-10T00:00:00Z', 'user.roles', $1, '{3}', '{}'), ('2020-02-10T23:59:59.999Z', 'user.roles', $1, '{}', '{3}')`,
    [id],
  )
  const days = ['from=2020-02-10&to=2020-02-10', 'to=2020-02-09', 'to=2020-02-10', 'from=2020-02-11', 'from=2020-02-11&to=2020-02-12']
  assert.deepEqual(await Promise.all(days.map(total)), [2, 0, 2, 2, 0])
})
