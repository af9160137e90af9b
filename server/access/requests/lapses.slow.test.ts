/** Requests lapse in time, and at once when there is nothing left to decide; they are never deleted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asking, bodyOf, REQUESTS, refusalOf } from '../../../test/access-requests.ts'
import { inDays } from '../../../test/grants.ts'
import { runJob } from '../../../test/jobs.ts'
import { silence, tracing } from '../../../test/makers.ts'
import { type Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { make, openGroup, setPolicy, ask, approve, deny, withdraw, read, age, idsIn } = asking(portal)
const { silent } = tracing(portal)
const EVERYONE = 1
const HOUR_MS = 3600 * 1000

const follow = () => runJob(portal, 'follow_access_requests')

interface Setting {
  person: Client
  approver: Client
  group: { id: number; name: string }
  id: number
}
async function populate(): Promise<Setting> {
  const [person, approver] = [await make.newPerson(), await make.newPerson()]
  const group = await openGroup({ approverUserIds: [approver.id] })
  return { person, approver, group, id: await ask(person, group.id) }
}
const stateOf = async (id: number) => {
  const { status, lapseReason, decidedBy } = await read(portal.admin, id)
  return [status, lapseReason, decidedBy]
}

/** The traces that an act leaves of a lapsed request. */
async function lapseBy({ id }: { id: number }, act: () => Promise<unknown>) {
  const traces = await portal.traces(act)
  const isOfIt = ({ data }: { data: unknown }) => (data as { requestId?: number }).requestId === id
  return {
    audit: traces.audit.filter(({ action }) => action.startsWith('access.')),
    notices: traces.notices.filter(({ titleEn }) => /request/.test(titleEn)),
    events: traces.events.filter(isOfIt),
    read: traces.events.filter(({ event }) => event === 'notifications_read').flatMap(({ to }) => to),
  }
}
const left = ({ person, approver, group, id }: Setting, title: string | null, others: number[] = []) => ({
  audit: [
    {
      action: 'access.lapse',
      type: 'access_request',
      target: id,
      metadata: { groupId: group.id, groupName: group.name, userId: person.id },
    },
  ],
  notices: title === null ? [] : [{ user: person.id, type: 'system', titleEn: title }],
  events: [
    {
      event: 'access_request_changed',
      data: { requestId: id, status: 'lapsed' },
      to: [person.id, approver.id, ...others].sort((one, other) => one - other),
    },
  ],
  read: [approver.id],
})

test('after 14 days a request has lapsed for every reader, even before a job has run', async () => {
  const setting = await populate()
  const { person, approver, group, id } = setting
  await age(id, 14 * 24 - 1)
  assert.deepEqual(await stateOf(id), ['pending', null, null])
  await age(id, 1)
  for (const reader of [person, approver]) {
    const { status, lapseReason, decidedAt, updatedAt, createdAt, mayDecide } = await read(reader, id)
    assert.deepEqual([status, lapseReason, mayDecide, updatedAt], ['lapsed', 'undecided', false, decidedAt])
    assert.equal(Date.parse(decidedAt) - Date.parse(createdAt), 14 * 24 * HOUR_MS)
  }
  for (const act of [() => approve(approver, id), () => deny(approver, id), () => withdraw(person, id)])
    assert.deepEqual(await refusalOf(silent(act)), [400, 'invalid_transition'])
  assert.deepEqual(await idsIn(approver, '?view=review'), [])
  assert.deepEqual([await idsIn(person, '?status=lapsed'), await idsIn(person, '?status=pending')], [[id], []])

  const before = await read(person, id)
  const again = await ask(person, group.id)
  assert.deepEqual(await lapseBy({ id }, follow), left(setting, 'Your request has lapsed'))
  assert.deepEqual(await read(person, id), before)
  assert.deepEqual(await stateOf(again), ['pending', null, null])
  assert.deepEqual(await portal.traces(follow), silence)
})

const ends: [what: string, reason: string, title: string | null, act: (setting: Setting) => Promise<unknown>][] = [
  [
    'its requester is deactivated',
    'requester_gone',
    'Your request has lapsed',
    ({ person }) => bodyOf(portal.admin.patch(`/users/${person.id}`, { isActive: false })),
  ],
  [
    'its requester is deactivated with others',
    'requester_gone',
    'Your request has lapsed',
    ({ person }) => bodyOf(portal.admin.post('/users/bulk-change', { ids: [person.id], set: { isActive: false } })),
  ],
  ['its requester is deleted', 'requester_gone', null, ({ person }) => bodyOf(portal.admin.delete(`/users/${person.id}`), 204)],
  ['its group is deleted', 'group_gone', 'Your request has lapsed', ({ group }) => bodyOf(portal.admin.delete(`/groups/${group.id}`), 204)],
  [
    'its group can no longer be asked for',
    'not_requestable',
    'Your request has lapsed',
    ({ group, approver }) => setPolicy(group.id, { approverUserIds: [approver.id] }),
  ],
  [
    'its requester is added to the group',
    'already_member',
    'Your request is no longer needed',
    ({ group, person }) => bodyOf(portal.admin.post(`/groups/${group.id}/users`, { userId: person.id }), 201),
  ],
  [
    'a change of the group adds its requester',
    'already_member',
    'Your request is no longer needed',
    ({ group, person }) => bodyOf(portal.admin.patch(`/groups/${group.id}`, { members: { add: [person.id] } })),
  ],
  [
    'its requester gets other groups',
    'already_member',
    'Your request is no longer needed',
    ({ group, person }) => bodyOf(portal.admin.patch(`/users/${person.id}`, { groupIds: [EVERYONE, group.id] })),
  ],
  [
    'its requester is added to the group with others',
    'already_member',
    'Your request is no longer needed',
    ({ group, person }) => bodyOf(portal.admin.post('/users/bulk-change', { ids: [person.id], set: { addGroupIds: [group.id] } })),
  ],
]
for (const [what, reason, title, act] of ends)
  test(`a request lapses at once when ${what}`, async () => {
    const setting = await populate()
    assert.deepEqual(await lapseBy(setting, () => act(setting)), left(setting, title))
    assert.deepEqual(await stateOf(setting.id), ['lapsed', reason, null])
    assert.deepEqual(await portal.traces(follow), silence)
  })

test('the requests for a group whose last askers are deleted lapse', async () => {
  const askers = await make.newGroup()
  const person = await make.newPerson({ groupIds: [askers.id] })
  const id = await ask(person, (await openGroup({ askerGroupIds: [askers.id] })).id)
  await bodyOf(portal.admin.delete(`/groups/${askers.id}?force=true`), 204)
  assert.deepEqual(await stateOf(id), ['lapsed', 'not_requestable', null])
})

test('a membership with an end, given by an administrator, leaves the request for a later one pending', async () => {
  const { person, group, id, approver } = await populate()
  await bodyOf(portal.admin.post(`/groups/${group.id}/users`, { userId: person.id, expiresAt: inDays(2) }), 201)
  assert.deepEqual(await stateOf(id), ['pending', null, null])
  await bodyOf(portal.admin.post(`/groups/${group.id}/users`, { userId: person.id, expiresAt: null }), 201)
  assert.deepEqual(await stateOf(id), ['lapsed', 'already_member', null])
  assert.deepEqual(await refusalOf(approve(approver, id)), [400, 'invalid_transition'])
})

test('other requests of the person and for the group stay pending', async () => {
  const [{ person, group, id }, other] = [await populate(), await make.newPerson()]
  const elsewhere = await ask(person, (await openGroup()).id)
  const theirs = await ask(other, group.id)
  await bodyOf(portal.admin.post(`/groups/${group.id}/users`, { userId: person.id }), 201)
  assert.deepEqual(
    [await stateOf(id), await stateOf(elsewhere), await stateOf(theirs)].map(([status]) => status),
    ['lapsed', 'pending', 'pending'],
  )
})

test('an undone deletion of the group does not bring its requests back', async () => {
  const { person, group, id } = await populate()
  await bodyOf(portal.admin.delete(`/groups/${group.id}`), 204)
  const { entries } = await bodyOf(portal.admin.get(`/admin/audit-logs?targetType=group&targetId=${group.id}&action=group.delete&limit=1`))
  await bodyOf(portal.admin.post(`/admin/undo/${entries[0].id}`))
  assert.deepEqual(await stateOf(id), ['lapsed', 'group_gone', null])
  await bodyOf(person.post(REQUESTS, { groupId: group.id }), 201)
})

test('requests stay readable, with all names, after the people and the group are deleted', async () => {
  const [{ person, approver, group, id }, other] = [await populate(), await make.newPerson()]
  await bodyOf(portal.admin.patch(`/groups/${group.id}`, { name: `${group.name} renamed` }))
  await bodyOf(approve(approver, id, { note: 'Fine' }))
  const denied = await ask(other, group.id)
  await bodyOf(deny(approver, denied))
  for (const path of [`/groups/${group.id}?force=true`, `/users/${person.id}`, `/users/${approver.id}`])
    await bodyOf(portal.admin.delete(path), 204)
  const gone = ({ id, username }: Client) => ({ id, username, displayNameAr: null, displayNameEn: null, avatarUrl: null })
  const seen = await read(portal.admin, id)
  assert.deepEqual(
    [seen.groupId, seen.groupName, seen.requester, seen.decidedBy, seen.decisionNote, seen.approvals[0].approver, seen.status],
    [group.id, `${group.name} renamed`, gone(person), gone(approver), 'Fine', gone(approver), 'approved'],
  )
  assert.deepEqual(await idsIn(portal.admin, `?view=all&groupId=${group.id}`), [denied, id])
  assert.equal((await read(other, denied)).groupName, `${group.name} renamed`)
  assert.deepEqual(await refusalOf(other.get(`${REQUESTS}/${id}`)), [404, 'not_found'])
})
