/** Policies: who may ask to join a group, who decides, and which groups nobody can ask for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asking, bodyOf, REQUESTS, refusalOf } from '../../../test/access-requests.ts'
import { silence, tracing } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'
import { type Act, race, twoInstances } from '../../../test/race.ts'

const portal = testPortal()
const { make, openGroup, setPolicy } = asking(portal)
const { traced, silent } = tracing(portal)
const atBoth = twoInstances(portal)
const [ADMIN, EVERYONE, UNKNOWN] = [1, 1, 2147483647]

const pathOf = (id: number) => `/groups/${id}/request-policy`
const read = (id: number) => bodyOf(portal.admin.get(pathOf(id)))
const defaults = {
  requestable: false,
  askerGroupIds: [],
  approverUserIds: [],
  approverGroupIds: [],
  minApprovals: 1,
  maxDays: null,
  reasonRequired: false,
  noteAr: null,
  noteEn: null,
  openApproverGroupIds: [],
}

test('nobody can ask to join a group without a policy, and a new policy replaces the former one as a whole', async () => {
  const [{ id }, askers, approvers, person] = [await make.newGroup(), await make.newGroup(), await openGroup(), await make.newPerson()]
  assert.deepEqual(await read(id), defaults)
  const policy = {
    requestable: true,
    askerGroupIds: [askers.id],
    approverUserIds: [person.id],
    approverGroupIds: [askers.id, approvers.id],
    minApprovals: 2,
    maxDays: 90,
    reasonRequired: true,
    noteAr: 'للميزانية',
    noteEn: 'For the budget',
  }
  const { answer, ...traces } = await traced(() => portal.admin.put(pathOf(id), policy))
  assert.deepEqual([answer.status, answer.body], [200, { ...policy, openApproverGroupIds: [approvers.id] }])
  assert.deepEqual(await read(id), answer.body)
  const changed = {
    requestable: { from: false, to: true },
    askerGroupIds: { from: [], to: policy.askerGroupIds },
    approverUserIds: { from: [], to: policy.approverUserIds },
    approverGroupIds: { from: [], to: policy.approverGroupIds },
    minApprovals: { from: 1, to: 2 },
    maxDays: { from: null, to: 90 },
    reasonRequired: { from: false, to: true },
    noteAr: { from: null, to: 'للميزانية' },
    noteEn: { from: null, to: 'For the budget' },
  }
  const audit = [{ action: 'group.request_policy.update', type: 'group', target: id, metadata: { changed } }]
  assert.deepEqual(traces, { ...silence, audit })
  assert.deepEqual((await silent(() => portal.admin.put(pathOf(id), policy))).body, answer.body)
  assert.deepEqual(await setPolicy(id, {}), defaults)
})

test('only administrators read and replace policies', async () => {
  const [{ id }, person] = [await openGroup(), await make.newPerson()]
  assert.deepEqual(await refusalOf(person.get(pathOf(id))), [403, 'forbidden'])
  assert.deepEqual(await refusalOf(person.put(pathOf(id), {})), [403, 'forbidden'])
  assert.deepEqual(await refusalOf(portal.admin.get(pathOf(UNKNOWN))), [404, 'not_found'])
  assert.deepEqual(await refusalOf(portal.admin.put(pathOf(UNKNOWN), {})), [404, 'not_found'])
})

test('the bounds of a policy are checked, and so are the people and groups in it', async () => {
  const { id } = await make.newGroup()
  const wrong = [
    { minApprovals: 0 },
    { minApprovals: 6 },
    { maxDays: 0 },
    { maxDays: 1826 },
    { noteEn: 'x'.repeat(501) },
    ...['askerGroupIds', 'approverUserIds', 'approverGroupIds'].map((list) => ({ [list]: Array.from({ length: 101 }, (_, n) => n + 1) })),
  ]
  for (const body of wrong)
    assert.deepEqual(await refusalOf(silent(() => portal.admin.put(pathOf(id), body))), [400, 'validation_failed'], JSON.stringify(body))
  for (const list of ['askerGroupIds', 'approverUserIds', 'approverGroupIds']) {
    const { status, body } = await silent(() => portal.admin.put(pathOf(id), { [list]: [1, UNKNOWN] }))
    assert.deepEqual([status, body.code, body.unknownIds], [400, 'unknown_ids', [UNKNOWN]], list)
  }
  await setPolicy(id, { minApprovals: 5, maxDays: 1825, noteAr: 'x'.repeat(500) })
})

test('inactive people cannot become approvers, but approvers who become inactive stay in the policy', async () => {
  const [{ id }, stays, comes] = [await make.newGroup(), await make.newPerson(), await make.newPerson()]
  await setPolicy(id, { approverUserIds: [stays.id] })
  for (const person of [stays, comes]) await bodyOf(portal.admin.patch(`/users/${person.id}`, { isActive: false }))
  assert.deepEqual((await setPolicy(id, { approverUserIds: [stays.id], minApprovals: 2 })).approverUserIds, [stays.id])
  const { status, body } = await portal.admin.put(pathOf(id), { approverUserIds: [stays.id, comes.id] })
  assert.deepEqual([status, body.code, body.unknownIds], [400, 'unknown_ids', [comes.id]])
})

const REFUSED = [400, 'not_requestable']

test('system groups and groups that give `admin` cannot be asked for', async () => {
  const admins = await make.newGroup({ roleIds: [ADMIN] })
  for (const id of [EVERYONE, admins.id]) {
    assert.deepEqual(await refusalOf(silent(() => portal.admin.put(pathOf(id), { requestable: true }))), REFUSED)
    await setPolicy(id, { requestable: false, maxDays: 7 })
  }
})

test('a group that can be asked for cannot be given `admin` in any way', async () => {
  const before = await make.newGroup({ roleIds: [ADMIN] })
  await bodyOf(portal.admin.delete(`/groups/${before.id}/roles/${ADMIN}`), 204)
  await setPolicy(before.id, { requestable: true })
  const { entries } = await bodyOf(portal.admin.get(`/groups/${before.id}/audit`))
  const { entries: log } = await bodyOf(
    portal.admin.get(`/admin/audit-logs?action=group.member.remove&targetType=group&targetId=${before.id}`),
  )
  const ways = [
    () => portal.admin.post(`/groups/${before.id}/roles`, { roleId: ADMIN }),
    () => portal.admin.patch(`/groups/${before.id}`, { roleIds: [ADMIN] }),
    () => portal.admin.patch(`/groups/${before.id}`, { name: 'Renamed', roles: { add: [ADMIN] } }),
    () => portal.admin.post(`/admin/history/group/${entries[0].id}/revert`, {}),
    () => portal.admin.post(`/admin/history/audit/${log[0].id}/revert`, {}),
    () => portal.admin.post(`/admin/history/audit/${log[0].id}/revert`, { dryRun: true }),
    () => portal.admin.post('/admin/impact', { changes: [{ kind: 'group', id: before.id, add: { roleIds: [ADMIN] } }] }),
    () => portal.admin.post('/admin/impact', { changes: [{ kind: 'role', id: ADMIN, add: { groupIds: [before.id] } }] }),
  ]
  for (const way of ways) assert.deepEqual(await refusalOf(silent(way)), REFUSED, String(way))
  await bodyOf(portal.admin.post(`/groups/${before.id}/roles`, { roleId: 3 }), 201)
  await setPolicy(before.id, {})
  await bodyOf(portal.admin.post(`/groups/${before.id}/roles`, { roleId: ADMIN }), 201)
})

test('of two simultaneous calls, one that gives `admin` and one that lets people ask, one is refused', async () => {
  const admin = await atBoth(portal.admin)
  const meet = async () => {
    const { id } = await make.newGroup()
    const acts: [Act, Act] = [
      (at) => admin[at].put(pathOf(id), { requestable: true }),
      (at) => admin[at].post(`/groups/${id}/roles`, { roleId: ADMIN }),
    ]
    const describe = async () => {
      const { roleIds } = await bodyOf(portal.admin.get(`/groups/${id}`))
      return `: ${(await read(id)).requestable}, ${roleIds.includes(ADMIN)}`
    }
    return { acts, describe }
  }
  await race(portal, ['200, 400 not_requestable: true, false', '400 not_requestable, 201: false, true'], meet)
})

test('the deletion of an approver removes them from the policies, and the log records that', async () => {
  const [person, group] = [await make.newPerson(), await make.newGroup()]
  const { id } = await openGroup({ approverUserIds: [portal.admin.id, person.id], approverGroupIds: [group.id] })
  const changes = async (path: string) =>
    (await portal.traces(() => bodyOf(portal.admin.delete(path), 204))).audit.flatMap(({ action, target, metadata }) =>
      action === 'group.request_policy.update' ? [[target, metadata['changed']]] : [],
    )
  assert.deepEqual(await changes(`/users/${person.id}`), [[id, { approverUserIds: { from: [person.id], to: [] } }]])
  assert.deepEqual(await changes(`/groups/${group.id}`), [[id, { approverGroupIds: { from: [group.id], to: [] } }]])
  assert.deepEqual(await read(id), { ...defaults, requestable: true, approverUserIds: [portal.admin.id] })
})

test('once the last group whose members may ask is deleted, nobody can ask to join, rather than everyone', async () => {
  const [one, other, person] = [await make.newGroup(), await make.newGroup(), await make.newPerson()]
  const { id } = await openGroup({ askerGroupIds: [one.id, other.id] })
  const request = () => refusalOf(person.post(REQUESTS, { groupId: id }))
  await bodyOf(portal.admin.delete(`/groups/${one.id}`), 204)
  assert.deepEqual((await read(id)).requestable, true)
  assert.deepEqual(await request(), [404, 'not_found'])
  const { audit } = await portal.traces(() => bodyOf(portal.admin.delete(`/groups/${other.id}`), 204))
  assert.deepEqual(audit.map(({ target, metadata }) => [target, metadata['changed']]).at(-1), [
    id,
    { requestable: { from: true, to: false }, askerGroupIds: { from: [other.id], to: [] } },
  ])
  assert.deepEqual(await read(id), defaults)
  assert.deepEqual(await request(), [404, 'not_found'])
})

/** Undoes the newest deletion of a group; returns the changes of policies. */
async function undo(groupId: number) {
  const { entries } = await bodyOf(portal.admin.get(`/admin/audit-logs?targetType=group&targetId=${groupId}&action=group.delete&limit=1`))
  const { audit } = await portal.traces(() => bodyOf(portal.admin.post(`/admin/undo/${entries[0].id}`)))
  return audit.flatMap(({ action, target, metadata }) => (action === 'group.request_policy.update' ? [[target, metadata['changed']]] : []))
}

test('an undone deletion puts the group back into the policies that named it, and opens those that closed without it', async () => {
  const [group, other] = [await make.newGroup(), await make.newGroup()]
  const only = { requestable: true, askerGroupIds: [group.id], approverUserIds: [ADMIN] }
  const [closed, named] = [await openGroup(only), await openGroup({ approverGroupIds: [group.id, other.id], askerGroupIds: [other.id] })]
  const before = [await read(closed.id), await read(named.id)]
  await bodyOf(portal.admin.delete(`/groups/${group.id}`), 204)
  assert.deepEqual(
    [await read(closed.id), (await read(named.id)).approverGroupIds],
    [{ ...defaults, approverUserIds: [ADMIN] }, [other.id]],
  )
  const back = { from: [], to: [group.id] }
  assert.deepEqual(await undo(group.id), [
    [closed.id, { requestable: { from: false, to: true }, askerGroupIds: back }],
    [named.id, { approverGroupIds: back }],
  ])
  assert.deepEqual([await read(closed.id), await read(named.id)], before)
})

test('an undone deletion neither narrows a policy that is open to everyone by now, nor opens one that may not be open', async () => {
  const group = await make.newGroup()
  const [opened, giving, gone] = [
    await openGroup({ askerGroupIds: [group.id] }),
    await openGroup({ askerGroupIds: [group.id] }),
    await openGroup({ askerGroupIds: [group.id] }),
  ]
  await bodyOf(portal.admin.delete(`/groups/${group.id}`), 204)
  await setPolicy(opened.id, { requestable: true })
  await bodyOf(portal.admin.post(`/groups/${giving.id}/roles`, { roleId: (await make.roleNamed('admin')).id }), 201)
  await bodyOf(portal.admin.delete(`/groups/${gone.id}`), 204)
  assert.deepEqual(await undo(group.id), [[giving.id, { askerGroupIds: { from: [], to: [group.id] } }]])
  assert.deepEqual(await read(opened.id), { ...defaults, requestable: true })
  assert.deepEqual(await read(giving.id), { ...defaults, askerGroupIds: [group.id] })
})

test('an undone deletion brings the policy back, without people and groups deleted since', async () => {
  const [person, askers, approvers] = [await make.newPerson(), await make.newGroup(), await make.newGroup()]
  const policy = { requestable: true, approverUserIds: [portal.admin.id, person.id], approverGroupIds: [approvers.id], maxDays: 30 }
  const remade = async (asked: number[], meanwhile: () => Promise<unknown>) => {
    const { id } = await openGroup({ ...policy, askerGroupIds: asked })
    await bodyOf(portal.admin.delete(`/groups/${id}`), 204)
    await meanwhile()
    const { entries } = await bodyOf(portal.admin.get(`/admin/audit-logs?targetType=group&targetId=${id}&action=group.delete&limit=1`))
    await bodyOf(portal.admin.post(`/admin/undo/${entries[0].id}`))
    return read(id)
  }
  assert.deepEqual(await remade([askers.id], async () => {}), { ...defaults, ...policy, askerGroupIds: [askers.id] })
  const cut = await remade([askers.id], async () => {
    for (const path of [`/users/${person.id}`, `/groups/${askers.id}`, `/groups/${approvers.id}`])
      await bodyOf(portal.admin.delete(path), 204)
  })
  assert.deepEqual(cut, { ...defaults, maxDays: 30, approverUserIds: [portal.admin.id] })
})
