/** Changing many people at once, with a verdict on each. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { ascending, makers, silence } from '../../../test/makers.ts'
import { type Client, testPortal, until } from '../../../test/portal.ts'

const portal = testPortal()
const make = makers(portal)
const [EVERYONE, UNKNOWN] = [1, 2147483647]
before(() => portal.ready)

const profileOf = async (id: number) => (await portal.admin.get(`/users/${id}`)).body
const codes = (failed: { code: string }[]) => failed.map(({ code }) => code)

const changeAll = async (body: object) => {
  const answer = await portal.admin.post('/users/bulk-change', body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body as { doneIds: number[]; changedIds: number[]; failed: { id: number; code: string }[] }
}
const idsOf = (people: readonly { id: number }[]) => people.map(({ id }) => id)

test('many people are changed, each with a record of their own, and nothing is recorded for people who already have the wanted state', async () => {
  const [group, former, role] = [await make.newGroup(), await make.newGroup(), await make.newRole()]
  const plain = await make.newPerson()
  const already = await make.newPerson({ preferredLanguage: 'en', groupIds: [group.id], roles: [role.name] })
  const member = await make.newPerson({ groupIds: [former.id], roles: ['order_receiver'] })
  const ids = [member.id, already.id, UNKNOWN, plain.id, member.id]
  const set = {
    preferredLanguage: 'en',
    addGroupIds: [group.id, group.id],
    removeGroupIds: [former.id, UNKNOWN],
    addRoleNames: [role.name.toUpperCase()],
    removeRoleNames: ['order_receiver', 'no.such.role'],
  }
  let done!: Awaited<ReturnType<typeof changeAll>>
  const traces = await portal.traces(async () => {
    done = await changeAll({ ids, set })
  })
  assert.deepEqual(
    [done.doneIds, done.changedIds],
    [
      [member.id, already.id, plain.id],
      [member.id, plain.id],
    ],
  )
  assert.deepEqual(
    done.failed.map(({ id, code }) => [id, code]),
    [[UNKNOWN, 'not_found']],
  )
  const english = { preferredLanguage: { from: 'ar', to: 'en' } }
  const added = { roleId: role.id, roleName: role.name }
  const removed = { roleId: 3, roleName: 'order_receiver' }
  assert.deepEqual(
    traces.audit.map(({ action, target, metadata }) => [action, target, metadata]),
    [
      ['user.update', member.id, { changed: { ...english, groupIds: { from: [former.id], to: [group.id] } } }],
      ['user.role.add', member.id, added],
      ['user.role.remove', member.id, removed],
      ['user.update', plain.id, { changed: { ...english, groupIds: { from: [], to: [group.id] } } }],
      ['user.role.add', plain.id, added],
    ],
  )
  assert.deepEqual(
    traces.histories.filter(({ target }) => target === member.id),
    [
      { kind: 'user.groups', target: member.id, added: [group.id], removed: [former.id] },
      { kind: 'user.roles', target: member.id, added: [role.id], removed: [] },
      { kind: 'user.roles', target: member.id, added: [], removed: [3] },
    ],
  )
  const both = ascending([member.id, plain.id])
  assert.deepEqual(
    traces.events.map(({ event, to }) => [event, to]),
    [
      ['apps_changed', both],
      ['me_changed', both],
    ],
  )
  const { roles, groups, preferredLanguage } = await profileOf(member.id)
  assert.deepEqual([roles, idsOf(groups), preferredLanguage], [[role.name, 'user'].toSorted(), [EVERYONE, group.id], 'en'])
  assert.deepEqual(await portal.traces(() => changeAll({ ids: [member.id, plain.id], set })), silence)
})

test('people who are deactivated together are signed out, and their orders return to the queue', async () => {
  const [receiver, other] = [await make.newPerson({ roles: ['order_receiver'] }), await make.newPerson()]
  const { id: orderId } = (await other.post('/orders', { serviceId: (await make.newService()).id })).body
  await receiver.patch(`/orders/${orderId}/confirm-receipt`)
  const streams = await Promise.all([receiver, other].map((person) => person.listen()))
  const { changedIds, failed } = await changeAll({ ids: [portal.admin.id, receiver.id, other.id], set: { isActive: false } })
  assert.deepEqual([changedIds, codes(failed)], [[receiver.id, other.id], ['cannot_deactivate_self']])
  for (const stream of streams) assert.deepEqual((await stream.next('session_ended')).data, { reason: 'deactivated' })
  assert.equal((await receiver.get('/auth/me')).status, 401)
  const { status, assignedTo } = (await portal.admin.get(`/orders/${orderId}`)).body
  assert.deepEqual([status, assignedTo], ['pending', null])
  assert.deepEqual((await changeAll({ ids: [receiver.id, other.id], set: { isActive: true } })).changedIds, [receiver.id, other.id])
  await portal.stranger().signIn(receiver.username)
})

test('when all administrators are selected, the last is refused and unchanged, and everybody else is changed', async () => {
  const admins = [await make.newPerson({ roles: ['admin'] }), await make.newPerson({ roles: ['admin', 'order_receiver'] })]
  const person = await make.newPerson({ roles: ['order_receiver'] })
  const set = { removeRoleNames: ['admin', 'order_receiver'] }
  const { doneIds, changedIds, failed } = await changeAll({ ids: [portal.admin.id, ...idsOf(admins), person.id], set })
  assert.deepEqual(
    [doneIds, changedIds],
    [
      [portal.admin.id, admins[0]!.id, person.id],
      [portal.admin.id, admins[0]!.id, person.id],
    ],
  )
  assert.deepEqual(
    failed.map(({ id, code }) => [id, code]),
    [[admins[1]!.id, 'last_admin']],
  )
  const left = admins[1]!
  assert.deepEqual((await left.get(`/users/${left.id}`)).body.roles, ['admin', 'order_receiver', 'user'])
  assert.equal((await portal.admin.get('/users')).status, 403)
  assert.equal((await left.post(`/users/${portal.admin.id}/roles`, { roleName: 'admin' })).status, 200)
  await left.delete(`/users/${left.id}/roles/admin`)
})

test('emptying the only group of administrators keeps the last one in it', async () => {
  const admin = (await make.roleNamed('admin')).id
  const group = await make.newGroup({ roleIds: [admin], userIds: [portal.admin.id] })
  const others = [await make.newPerson({ groupIds: [group.id] }), await make.newPerson({ groupIds: [group.id] })]
  await portal.admin.delete(`/users/${portal.admin.id}/roles/admin`)
  const { failed } = await changeAll({ ids: [...idsOf(others), portal.admin.id], set: { removeGroupIds: [group.id] } })
  assert.deepEqual(
    failed.map(({ id, code }) => [id, code]),
    [[portal.admin.id, 'last_admin']],
  )
  assert.deepEqual((await portal.admin.get(`/groups/${group.id}`)).body.userIds, [portal.admin.id])
  await portal.admin.post(`/users/${portal.admin.id}/roles`, { roleName: 'admin' })
  await portal.admin.delete(`/groups/${group.id}?force=true`)
})

test('all people whom a filter finds are changed, and nobody if it finds nobody', async () => {
  const [group, role] = [await make.newGroup(), await make.newRole()]
  const members: Client[] = []
  for (let n = 0; n < 3; n++) members.push(await make.newPerson({ groupIds: [group.id], roles: n ? [role.name] : [] }))
  const { changedIds } = await changeAll({
    filter: { groupId: group.id, role: role.name, status: 'active' },
    set: { preferredLanguage: 'en' },
  })
  assert.deepEqual(ascending(changedIds), idsOf(members.slice(1)))
  assert.deepEqual(await changeAll({ filter: { q: 'nobody is called this' }, set: { isActive: false } }), {
    doneIds: [],
    changedIds: [],
    failed: [],
  })
})

for (const [what, body, field] of [
  ['neither ids nor a filter', { set: { isActive: true } }, 'ids'],
  ['ids and a filter', { ids: [1], filter: {}, set: { isActive: true } }, 'ids'],
  ['no ids', { ids: [], set: { isActive: true } }, 'ids'],
  ['nothing to set', { ids: [1], set: {} }, 'set'],
  ['no set', { ids: [1] }, 'set'],
  ['a filter with an impossible day', { filter: { seenBefore: '2026-02-30' }, set: { isActive: true } }, 'filter.seenBefore'],
  ['a filter with another status', { filter: { status: 'x' }, set: { isActive: true } }, 'filter.status'],
  ['a group to join and to leave', { ids: [1], set: { addGroupIds: [1], removeGroupIds: [1] } }, 'set.removeGroupIds'],
  ['a role to give and to take', { ids: [1], set: { addRoleNames: ['user'], removeRoleNames: ['USER'] } }, 'set.removeRoleNames'],
  ['a role that does not exist', { ids: [1], set: { addRoleNames: ['user', 'nobody'] } }, 'set.addRoleNames.1'],
] as const)
  test(`a change of many people with ${what} is refused and names the field`, async () => {
    const traces = await portal.traces(async () => {
      const { status, body: refusal } = await portal.admin.post('/users/bulk-change', body)
      assert.deepEqual([status, refusal.details.map(({ path }: { path: string }) => path)], [400, [field]])
    })
    assert.deepEqual(traces, silence)
  })

test('a change with an unknown group changes nobody', async () => {
  const { id } = await make.newPerson()
  const traces = await portal.traces(async () => {
    const { body } = await portal.admin.post('/users/bulk-change', { ids: [id], set: { isActive: false, addGroupIds: [UNKNOWN] } })
    assert.deepEqual([body.code, body.unknownIds], ['unknown_ids', [UNKNOWN]])
  })
  assert.deepEqual(traces, silence)
})

test('simultaneous changes of the same people run one after the other, and one administrator is left', async () => {
  const admins = [await make.newPerson({ roles: ['admin'] }), await make.newPerson({ roles: ['admin'] })]
  const ids = [portal.admin.id, ...idsOf(admins)]
  const answers = await Promise.all(
    [portal.admin, ...admins].map((admin) => admin.post('/users/bulk-change', { ids, set: { removeRoleNames: ['admin'] } })),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 403]))
  const left = await portal.sql<{ id: number }>(
    `select user_id as id from user_roles join roles on roles.id = role_id join users on users.id = user_id where name = 'admin' and is_active`,
  )
  assert.equal(left.length, 1)
  const keeper = [portal.admin, ...admins].find(({ id }) => id === left[0]!.id)!
  await keeper.post(`/users/${portal.admin.id}/roles`, { roleName: 'admin' })
  await until('the administrator is one again', async () => (await portal.admin.get('/users?limit=1')).status === 200)
})
