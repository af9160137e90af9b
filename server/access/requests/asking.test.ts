/** Making, reading, listing and withdrawing requests. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asking, bodyOf, REQUESTS, refusalOf } from '../../../test/access-requests.ts'
import { silence, tracing } from '../../../test/makers.ts'
import { type Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { make, openGroup, setPolicy, ask, approve, deny, withdraw, read, age, idsIn } = asking(portal)
const { traced, silent } = tracing(portal)
const [EVERYONE, UNKNOWN] = [1, 2147483647]
const NOT_FOUND = [404, 'not_found']

const actorOf = ({ id, username }: Client) => ({ id, username, displayNameAr: null, displayNameEn: null, avatarUrl: null })
const changed = (requestId: number, status: string, ...to: { id: number }[]) => ({
  event: 'access_request_changed',
  data: { requestId, status },
  to: to.map(({ id }) => id).sort((one, other) => one - other),
})
/** Traces without the events of notifications. */
const withoutNotifications = <T extends { events: { event: string }[] }>(traces: T) => ({
  ...traces,
  events: traces.events.filter(({ event }) => event !== 'notification_created'),
})

test('a request is recorded without its reason, and its approvers are notified, but not the requester', async () => {
  const [person, named, member] = [await make.newPerson(), await make.newPerson(), await make.newPerson()]
  const approvers = await make.newGroup({ userIds: [member.id, person.id] })
  const group = await openGroup({ approverUserIds: [named.id, person.id], approverGroupIds: [approvers.id], minApprovals: 2, maxDays: 30 })
  const { answer, ...traces } = await traced(() => person.post(REQUESTS, { groupId: group.id, reason: 'The budget', days: 30 }))
  const { id, createdAt } = answer.body
  assert.equal(answer.status, 201)
  assert.deepEqual(answer.body, {
    id,
    groupId: group.id,
    groupName: group.name,
    groupDescriptionAr: null,
    groupDescriptionEn: null,
    requester: actorOf(person),
    reason: 'The budget',
    days: 30,
    status: 'pending',
    lapseReason: null,
    approvals: [],
    neededApprovals: 2,
    decidedBy: null,
    decisionNote: null,
    decidedAt: null,
    grantEndsAt: null,
    createdAt,
    updatedAt: createdAt,
    mayDecide: false,
  })
  assert.deepEqual(withoutNotifications(traces), {
    ...silence,
    audit: [
      {
        action: 'access.request',
        type: 'access_request',
        target: id,
        metadata: { groupId: group.id, groupName: group.name, userId: person.id },
      },
    ],
    notices: [named, member].map(({ id: user }) => ({ user, type: 'system', titleEn: 'A request for access' })),
    events: [changed(id, 'pending', person, named, member)],
  })
  const [notification] = await bodyOf(named.get('/notifications'))
  assert.deepEqual([notification.relatedType, notification.relatedId], ['access_request', id])
  const ledger = await portal.sql<{ facts: string }>(
    `select facts::text from ledger where target_type = 'access_request' and target_id = $1`,
    [id],
  )
  assert.ok(ledger.every(({ facts }) => !facts.includes('budget')))
})

test('a group that the caller cannot ask for gets the answer of a group that does not exist', async () => {
  const [person, askers] = [await make.newPerson(), await make.newGroup()]
  const [closed, others] = [
    await make.newGroup({ userIds: [person.id] }),
    await openGroup({ askerGroupIds: [askers.id], reasonRequired: true }),
  ]
  const refused = await Promise.all(
    [EVERYONE, closed.id, others.id, UNKNOWN].map(async (groupId) => {
      const { status, body } = await silent(() => person.post(REQUESTS, { groupId, days: 1825 }))
      assert.deepEqual(body.unknownIds, [groupId])
      return JSON.stringify([status, { ...body, unknownIds: [] }])
    }),
  )
  assert.equal(new Set(refused).size, 1)
  assert.deepEqual(await refusalOf(person.post(REQUESTS, { groupId: others.id })), NOT_FOUND)
})

test('a request without a demanded reason, or with impossible days, is refused', async () => {
  const person = await make.newPerson()
  const group = await openGroup({ maxDays: 10, reasonRequired: true })
  const request = (body: object) => silent(() => person.post(REQUESTS, { groupId: group.id, ...body }))
  for (const body of [
    { reason: '' },
    { reason: ' \n' },
    { reason: '\u200b' },
    { reason: 'x'.repeat(1001) },
    { days: 0 },
    { days: 1826 },
    { days: 1.5 },
  ])
    assert.deepEqual(await refusalOf(request({ reason: 'Why', ...body })), [400, 'validation_failed'], JSON.stringify(body))
  const { status, body } = await request({ reason: 'Why', days: 11 })
  assert.deepEqual([status, body.code, body.details[0].path, body.details[0].params], [400, 'validation_failed', 'days', { limit: 10 }])
  assert.deepEqual(await refusalOf(request({ days: 3 })), [400, 'reason_required'])
  assert.deepEqual(await refusalOf(request({ reason: null })), [400, 'reason_required'])
  const id = await ask(person, group.id, { reason: 'x'.repeat(1000), days: null })
  assert.equal((await read(person, id)).days, null)
})

test('a member without an end, or a person with a pending request for the group, cannot ask', async () => {
  const [person, member] = [await make.newPerson(), await make.newPerson()]
  const group = await openGroup({}, { userIds: [member.id] })
  assert.deepEqual(await refusalOf(silent(() => member.post(REQUESTS, { groupId: group.id }))), [409, 'already_member'])
  const id = await ask(person, group.id)
  const { status, body } = await silent(() => person.post(REQUESTS, { groupId: group.id }))
  assert.deepEqual([status, body.code, body.requestId], [409, 'already_requested', id])
  await bodyOf(withdraw(person, id))
  await ask(person, group.id)
})

test('asking is refused if nobody could decide', async () => {
  const group = await openGroup({ approverUserIds: [portal.admin.id] })
  const request = () => portal.admin.post(REQUESTS, { groupId: group.id })
  assert.deepEqual(await refusalOf(silent(request)), [409, 'no_approver'])
  const other = await make.newPerson()
  await setPolicy(group.id, { requestable: true, approverUserIds: [other.id] })
  await bodyOf(request(), 201)
})

test('a person has at most 20 pending requests', async () => {
  const person = await make.newPerson()
  const groups = await Promise.all(Array.from({ length: 21 }, () => openGroup()))
  const last = groups.pop()!
  const ids: number[] = []
  for (const { id } of groups) ids.push(await ask(person, id))
  const { status, body } = await silent(() => person.post(REQUESTS, { groupId: last.id }))
  assert.deepEqual([status, body.code, body.quota, body.used, body.allowed], [409, 'quota_exceeded', 'pending_access_requests', 20, 20])
  await age(ids[0]!, 14 * 24)
  await ask(person, last.id)
})

test('a person may ask to join a group at most five times within 24 hours', async () => {
  const [person, group] = [await make.newPerson(), await openGroup()]
  const ids: number[] = []
  for (let n = 0; n < 5; n++) {
    ids.push(await ask(person, group.id))
    await bodyOf(withdraw(person, ids[n]!))
  }
  const { status, body } = await silent(() => person.post(REQUESTS, { groupId: group.id }))
  assert.deepEqual([status, body.code, body.quota, body.used, body.allowed], [409, 'quota_exceeded', 'access_requests_of_group', 5, 5])
  await ask(person, (await openGroup()).id)
  await age(ids[0]!, 24)
  await ask(person, group.id)
})

test('of twenty simultaneous requests for one group, one is made; of twenty-five for different groups, twenty are made', async () => {
  const [one, many, group] = [await make.newPerson(), await make.newPerson(), await openGroup()]
  const groups = await Promise.all(Array.from({ length: 25 }, () => openGroup()))
  const statuses = async (asked: Promise<{ status: number }>[]) => (await Promise.all(asked)).filter(({ status }) => status === 201).length
  assert.equal(await statuses(Array.from({ length: 20 }, () => one.post(REQUESTS, { groupId: group.id }))), 1)
  assert.equal(await statuses(groups.map(({ id }) => many.post(REQUESTS, { groupId: id }))), 20)
})

test('uninvolved people find no request, whatever its state and whatever they try', async () => {
  const [person, approver, stranger] = [await make.newPerson(), await make.newPerson(), await make.newPerson()]
  const group = await openGroup({ approverUserIds: [approver.id] })
  const pending = await ask(person, group.id)
  await bodyOf(withdraw(person, pending))
  const denied = await ask(person, group.id)
  await bodyOf(deny(approver, denied))
  const open = await ask(person, group.id)
  const answers = new Set<string>()
  for (const id of [pending, denied, open, UNKNOWN])
    for (const act of [
      () => stranger.get(`${REQUESTS}/${id}`),
      () => approve(stranger, id),
      () => deny(stranger, id),
      () => withdraw(stranger, id),
      () => stranger.send('POST', `${REQUESTS}/${id}/approve`, {}, { 'if-match': '"none"' }),
    ]) {
      const { status, body } = await silent(act)
      answers.add(JSON.stringify([status, body]))
    }
  assert.equal(answers.size, 1)
  assert.match([...answers][0]!, /^\[404,/)
  for (const reader of [person, approver, portal.admin]) assert.equal((await read(reader, open)).id, open)
})

test('somebody who decided still reads the request after losing the right to decide', async () => {
  const [person, approver, other] = [await make.newPerson(), await make.newPerson(), await make.newPerson()]
  const group = await openGroup({ approverUserIds: [approver.id, other.id], minApprovals: 2 })
  const id = await ask(person, group.id)
  await bodyOf(approve(approver, id))
  await setPolicy(group.id, { requestable: true })
  assert.deepEqual(await refusalOf(other.get(`${REQUESTS}/${id}`)), NOT_FOUND)
  const seen = await read(approver, id)
  assert.deepEqual([seen.mayDecide, 'gains' in seen], [false, false])
  assert.deepEqual(await refusalOf(approve(approver, id)), [403, 'forbidden'])
  assert.deepEqual(await refusalOf(deny(approver, id)), [403, 'forbidden'])
})

test('only the requester withdraws a request, which notifies nobody and marks the notifications of approvers as read', async () => {
  const [person, approver] = [await make.newPerson(), await make.newPerson()]
  const group = await openGroup({ approverUserIds: [approver.id] })
  const id = await ask(person, group.id)
  assert.deepEqual(await refusalOf(withdraw(approver, id)), [403, 'forbidden'])
  const [{ id: notification }] = await bodyOf(approver.get('/notifications'))
  const { answer, ...traces } = await traced(() => withdraw(person, id))
  assert.deepEqual([answer.body.status, answer.body.decidedBy, answer.body.mayDecide], ['withdrawn', null, false])
  assert.equal(answer.body.decidedAt, answer.body.updatedAt)
  assert.deepEqual(traces, {
    ...silence,
    audit: [
      {
        action: 'access.withdraw',
        type: 'access_request',
        target: id,
        metadata: { groupId: group.id, groupName: group.name, userId: person.id },
      },
    ],
    events: [{ event: 'notifications_read', data: { ids: [notification] }, to: [approver.id] }, changed(id, 'withdrawn', person, approver)],
  })
  for (const act of [() => withdraw(person, id), () => approve(approver, id), () => deny(approver, id)])
    assert.deepEqual(await refusalOf(silent(act)), [400, 'invalid_transition'])
})

test('the views list the caller’s own requests, those that wait for the caller, or all', async () => {
  const [person, approver, other] = [await make.newPerson(), await make.newPerson(), await make.newPerson()]
  const groups = [await openGroup({ approverUserIds: [approver.id, person.id] }), await openGroup({ approverUserIds: [approver.id] })]
  const ids: number[] = []
  for (const { id } of groups) ids.push(await ask(person, id))
  ids.push(await ask(approver, groups[0]!.id), await ask(other, groups[0]!.id))
  assert.deepEqual(await idsIn(person), [ids[1], ids[0]])
  assert.deepEqual(await idsIn(person, '?view=mine&limit=1&offset=1'), [ids[0]])
  assert.deepEqual(await idsIn(approver, '?view=review'), [ids[0], ids[1], ids[3]])
  assert.deepEqual(await idsIn(person, '?view=review'), [ids[2], ids[3]])
  assert.deepEqual(await idsIn(other, '?view=review'), [])
  for (const view of ['all', 'all&status=pending'])
    assert.deepEqual(await refusalOf(person.get(`${REQUESTS}?view=${view}`)), [403, 'forbidden'])
  const all = `?view=all&groupId=${groups[0]!.id}`
  assert.deepEqual(await idsIn(portal.admin, all), [ids[3], ids[2], ids[0]])
  assert.deepEqual(await idsIn(portal.admin, `${all}&userId=${other.id}`), [ids[3]])
  await bodyOf(approve(approver, ids[3]!))
  await age(ids[0]!, 14 * 24)
  assert.deepEqual(await idsIn(portal.admin, `${all}&status=pending`), [ids[2]])
  assert.deepEqual(await idsIn(portal.admin, `${all}&status=approved`), [ids[3]])
  assert.deepEqual(await idsIn(portal.admin, `${all}&status=lapsed`), [ids[0]])
  assert.deepEqual(await idsIn(approver, '?view=review'), [ids[1]])
  const page = await bodyOf(portal.admin.get(`${REQUESTS}${all}&limit=2`))
  assert.deepEqual([page.totalCount, page.limit, page.offset, page.nextOffset], [3, 2, 0, 2])
  for (const wrong of ['view=others', 'status=open', 'limit=201', 'groupId=0'])
    assert.equal((await person.get(`${REQUESTS}?${wrong}`)).body.code, 'validation_failed', wrong)
})
