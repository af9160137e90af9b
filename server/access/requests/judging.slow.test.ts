/** Whether approvals count depends on the policy and the people at the time of a decision. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asking, bodyOf, REQUESTS, refusalOf } from '../../../test/access-requests.ts'
import { inDays, passDays } from '../../../test/grants.ts'
import { tracing } from '../../../test/makers.ts'
import { type Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { make, openGroup, setPolicy, ask, approve, deny, read, idsIn, membersOf } = asking(portal)
const { silent } = tracing(portal)
const FORBIDDEN = [403, 'forbidden']

const people = (count: number) => Promise.all(Array.from({ length: count }, () => make.newPerson()))
const idsOf = (some: Client[]) => some.map(({ id }) => id)
const statusOf = async (id: number) => (await read(portal.admin, id)).status
const neededFor = async (id: number) => (await read(portal.admin, id)).neededApprovals

test('nobody decides on their own request, not even an administrator who is an approver', async () => {
  const boss = await make.newPerson({ roles: ['admin'] })
  const group = await openGroup({ approverUserIds: [boss.id, portal.admin.id] })
  const id = await ask(boss, group.id)
  for (const act of [() => approve(boss, id), () => deny(boss, id)]) assert.deepEqual(await refusalOf(silent(act)), FORBIDDEN)
  assert.equal((await read(boss, id)).mayDecide, false)
  assert.deepEqual(await idsIn(boss, `?view=review&groupId=${group.id}`), [])
  await bodyOf(approve(portal.admin, id))
  assert.deepEqual(await membersOf(group.id), [boss.id])
  await bodyOf(portal.admin.delete(`/users/${boss.id}/roles/admin`))
})

test('administrators may decide every request, but only requests with too few approvers wait for them', async () => {
  const [person, one, other] = await people(3)
  const enough = await openGroup({ approverUserIds: idsOf([one!, other!]), minApprovals: 2 })
  const few = await openGroup({ approverUserIds: [one!.id], minApprovals: 2 })
  const counted = (group: { id: number }) => `?view=review&groupId=${group.id}`
  const [first, second] = [await ask(person!, enough.id), await ask(person!, few.id)]
  assert.deepEqual(await idsIn(portal.admin, counted(enough)), [])
  assert.deepEqual(await idsIn(portal.admin, counted(few)), [second])
  assert.equal((await read(portal.admin, first)).mayDecide, true)
  const isNotified = async (id: number) =>
    (await bodyOf(portal.admin.get('/notifications'))).some(
      (one: { relatedType: string; relatedId: number }) => one.relatedType === 'access_request' && one.relatedId === id,
    )
  assert.deepEqual([await isNotified(first), await isNotified(second)], [false, true])
  await bodyOf(approve(portal.admin, first))
  assert.equal((await bodyOf(approve(one!, first))).status, 'approved')
  // The requester is an approver, too, so that only one is left for their own request.
  const own = await ask(one!, enough.id)
  assert.deepEqual(await idsIn(portal.admin, counted(enough)), [own])
})

test('no request needs more approvals than there are people who may decide', async () => {
  const [person, one] = await people(2)
  const group = await openGroup({ approverUserIds: [one!.id], minApprovals: 5 })
  const id = await ask(person!, group.id)
  assert.equal(await neededFor(id), 2)
  const boss = await make.newPerson({ roles: ['admin'] })
  assert.equal(await neededFor(id), 3)
  await bodyOf(portal.admin.patch(`/users/${boss.id}`, { isActive: false }))
  await bodyOf(approve(one!, id))
  assert.equal((await bodyOf(approve(portal.admin, id))).status, 'approved')
  assert.equal(await neededFor(id), 2)
})

test('an approver in several groups counts once, and the requester does not count, although an approver', async () => {
  const [person, ...members] = await people(4)
  const groups = await Promise.all(
    [members.slice(0, 2), members.slice(1), [person!, ...members]].map((some) => make.newGroup({ userIds: idsOf(some) })),
  )
  const group = await openGroup({ approverUserIds: [members[0]!.id], approverGroupIds: groups.map(({ id }) => id), minApprovals: 3 })
  const id = await ask(person!, group.id)
  assert.equal(await neededFor(id), 3)
  assert.deepEqual(await idsIn(portal.admin, `?view=review&groupId=${group.id}`), [])
  for (const member of members.slice(0, 2)) assert.equal((await bodyOf(approve(member, id))).status, 'pending')
  assert.equal((await bodyOf(approve(members[2]!, id))).status, 'approved')
})

/** The ways in which an approver loses the right to approve, and regains it. */
const losses: [
  name: string,
  lose: (one: Client, group: number, approvers: number) => Promise<unknown>,
  regain: ((one: Client, group: number, approvers: number) => Promise<unknown>) | null,
][] = [
  [
    'is deactivated',
    (one) => bodyOf(portal.admin.patch(`/users/${one.id}`, { isActive: false })),
    (one) => bodyOf(portal.admin.patch(`/users/${one.id}`, { isActive: true })),
  ],
  ['is deleted', (one) => bodyOf(portal.admin.delete(`/users/${one.id}`), 204), null],
  [
    'leaves the group of approvers',
    (one, _, approvers) => bodyOf(portal.admin.delete(`/groups/${approvers}/users/${one.id}`), 204),
    (one, _, approvers) => bodyOf(portal.admin.post(`/groups/${approvers}/users`, { userId: one.id }), 201),
  ],
  ['loses the group of approvers', (_, __, approvers) => bodyOf(portal.admin.delete(`/groups/${approvers}?force=true`), 204), null],
]
for (const [name, lose, regain] of losses)
  test(`an approval does not count once its giver ${name}`, async () => {
    const [person, one, other, third] = await people(4)
    const approvers = await make.newGroup({ userIds: [one!.id] })
    const group = await openGroup({ approverUserIds: idsOf([other!, third!]), approverGroupIds: [approvers.id], minApprovals: 2 })
    const [id, again] = [await ask(person!, group.id), await ask(third!, group.id)]
    for (const request of [id, again]) await bodyOf(approve(one!, request))
    await lose(one!, group.id, approvers.id)
    assert.equal((await bodyOf(approve(other!, id))).status, 'pending')
    assert.deepEqual(
      (await read(other!, id)).approvals.map(({ approver }: { approver: { username: string } }) => approver.username),
      [one!.username, other!.username],
    )
    assert.equal((await bodyOf(approve(third!, id))).status, 'approved')
    if (!regain) return
    await regain(one!, group.id, approvers.id)
    assert.equal((await bodyOf(approve(other!, again))).status, 'approved')
  })

test('a change of a policy, a group or an account grants nothing by itself, but the next approval does', async () => {
  const [person, one, other, third] = await people(4)
  const policy = { requestable: true, approverUserIds: idsOf([one!, other!, third!]), minApprovals: 3 }
  const group = await openGroup(policy)
  const id = await ask(person!, group.id)
  await bodyOf(approve(one!, id))
  await setPolicy(group.id, { ...policy, minApprovals: 1 })
  assert.deepEqual([await statusOf(id), await neededFor(id)], ['pending', 1])
  await bodyOf(portal.admin.patch(`/users/${other!.id}`, { isActive: false }))
  await bodyOf(portal.admin.delete(`/users/${third!.id}`), 204)
  assert.equal(await statusOf(id), 'pending')
  assert.deepEqual(await membersOf(group.id), [])
  assert.equal((await bodyOf(approve(one!, id))).status, 'approved')
})

test('an approver removed from the policy cannot read requests on which they did not decide', async () => {
  const [person, one] = await people(2)
  const group = await openGroup({ approverUserIds: [one!.id] })
  const id = await ask(person!, group.id)
  await setPolicy(group.id, { requestable: true })
  for (const act of [() => one!.get(`${REQUESTS}/${id}`), () => approve(one!, id), () => deny(one!, id)])
    assert.deepEqual(await refusalOf(silent(act)), [404, 'not_found'])
  const [notification] = await bodyOf(one!.get('/notifications'))
  assert.deepEqual([notification.relatedType, notification.relatedId], [null, null])
})

test('a request stays pending when its requester leaves the askers', async () => {
  const [person, one] = await people(2)
  const askers = await make.newGroup({ userIds: [person!.id] })
  const group = await openGroup({ askerGroupIds: [askers.id], approverUserIds: [one!.id] })
  const id = await ask(person!, group.id)
  await bodyOf(portal.admin.delete(`/groups/${askers.id}/users/${person!.id}`), 204)
  assert.equal((await read(person!, id)).status, 'pending')
  assert.equal((await bodyOf(approve(one!, id))).status, 'approved')
})

test('memberships of approvers and askers count until their very end', async () => {
  const [person, one, other] = await people(3)
  const [askers, approvers] = [await make.newGroup({ userIds: [person!.id] }), await make.newGroup({ userIds: idsOf([one!, other!]) })]
  const group = await openGroup({ askerGroupIds: [askers.id], approverGroupIds: [approvers.id], minApprovals: 2 })
  const id = await ask(person!, group.id)
  await bodyOf(approve(one!, id))
  for (const [groupId, who] of [
    [approvers.id, one!],
    [askers.id, person!],
  ] as const)
    await bodyOf(portal.admin.post(`/groups/${groupId}/users`, { userId: who.id, expiresAt: inDays(1) }), 201)
  await passDays(portal, 1)
  assert.equal(await neededFor(id), 2)
  assert.deepEqual(await refusalOf(approve(one!, id)), FORBIDDEN)
  assert.equal((await bodyOf(approve(other!, id))).status, 'pending')
  assert.deepEqual(await refusalOf(person!.post(REQUESTS, { groupId: group.id })), [404, 'not_found'])
  assert.equal((await bodyOf(approve(portal.admin, id))).status, 'approved')
})
