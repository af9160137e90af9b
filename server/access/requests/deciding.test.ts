/** Approving and denying: the trace, the end of the membership, and the view of deciders. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asking, bodyOf, REQUESTS, refusalOf } from '../../../test/access-requests.ts'
import { passDays } from '../../../test/grants.ts'
import { accessChangedFor, meChangedFor, silence, tracing } from '../../../test/makers.ts'
import { type Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { make, openGroup, setPolicy, ask, approve, deny, read, membersOf } = asking(portal)
const { traced, silent } = tracing(portal)
const DAY_MS = 24 * 3600 * 1000

const changed = (requestId: number, status: string, ...to: { id: number }[]) => ({
  event: 'access_request_changed',
  data: { requestId, status },
  to: to.map(({ id }) => id).sort((one, other) => one - other),
})
const audit = (action: string, target: number, group: { id: number; name: string }, person: { id: number }) => ({
  action,
  type: 'access_request',
  target,
  metadata: { groupId: group.id, groupName: group.name, userId: person.id },
})
const withoutNotifications = <T extends { events: { event: string }[] }>(traces: T) => ({
  ...traces,
  events: traces.events.filter(({ event }) => event !== 'notification_created' && event !== 'notifications_read'),
})
const actorOf = ({ id, username }: Client) => ({ id, username, displayNameAr: null, displayNameEn: null, avatarUrl: null })
/** The days from a decision to the end of the membership. */
const daysOf = ({ decidedAt, grantEndsAt }: { decidedAt: string; grantEndsAt: string | null }) =>
  grantEndsAt && (Date.parse(grantEndsAt) - Date.parse(decidedAt)) / DAY_MS

test('the last approval makes the requester a member, with the trace of an administrator’s change and the id of the request', async () => {
  const [person, one, other] = [await make.newPerson(), await make.newPerson(), await make.newPerson()]
  const group = await openGroup({ approverUserIds: [one.id, other.id], minApprovals: 2 })
  const id = await ask(person, group.id, { reason: 'The budget' })

  const { answer: first, ...before } = await traced(() => approve(one, id, { note: 'Fine', days: 90 }))
  assert.deepEqual([first.status, first.body.status, first.body.neededApprovals, first.body.mayDecide], [200, 'pending', 2, true])
  const [{ at }] = first.body.approvals
  assert.deepEqual(first.body.approvals, [{ approver: actorOf(one), note: 'Fine', days: 90, at }])
  assert.equal(first.body.updatedAt, at)
  assert.deepEqual(withoutNotifications(before), {
    ...silence,
    audit: [audit('access.approve', id, group, person)],
    notices: [{ user: person.id, type: 'system', titleEn: 'Your request got an approval' }],
    events: [changed(id, 'pending', person, one, other)],
  })
  assert.deepEqual(await membersOf(group.id), [])

  const { answer: last, ...after } = await traced(() => approve(other, id))
  const { decidedAt, grantEndsAt } = last.body
  assert.deepEqual(
    [last.body.status, last.body.decidedBy, last.body.decisionNote, last.body.mayDecide, last.body.approvals.length],
    ['approved', actorOf(other), null, false, 2],
  )
  assert.equal(daysOf(last.body), 90)
  assert.deepEqual(withoutNotifications(after), {
    audit: [
      audit('access.approve', id, group, person),
      {
        action: 'group.member.add',
        type: 'group',
        target: group.id,
        metadata: { userId: person.id, requestId: id, expiresAt: grantEndsAt },
      },
    ],
    histories: [
      { kind: 'group.users', target: group.id, added: [person.id], removed: [], ends: [{ id: person.id, from: null, to: grantEndsAt }] },
      { kind: 'user.groups', target: person.id, added: [group.id], removed: [], ends: [{ id: group.id, from: null, to: grantEndsAt }] },
    ],
    notices: [{ user: person.id, type: 'system', titleEn: 'Your request was approved' }],
    events: [changed(id, 'approved', person, one, other), ...accessChangedFor(person.id)],
  })
  assert.deepEqual(await membersOf(group.id), [person.id])
  assert.equal(last.body.updatedAt, decidedAt)
  const [entry] = (await bodyOf(portal.admin.get(`/groups/${group.id}/audit`))).entries
  assert.equal(entry.actor.id, other.id)
  for (const act of [() => approve(one, id), () => deny(one, id)])
    assert.deepEqual(await refusalOf(silent(act)), [400, 'invalid_transition'])
})

test('one denial decides, even by somebody who approved before, and the requester reads its note', async () => {
  const [person, one, other] = [await make.newPerson(), await make.newPerson(), await make.newPerson()]
  const group = await openGroup({ approverUserIds: [one.id, other.id], minApprovals: 2 })
  const id = await ask(person, group.id)
  await bodyOf(approve(one, id))
  for (const note of ['', ' ', 'x'.repeat(1001)])
    assert.deepEqual(await refusalOf(silent(() => deny(one, id, note))), [400, 'validation_failed'])
  const unread = await bodyOf(other.get('/notifications?unread=true'))
  const { answer, ...traces } = await traced(() => deny(one, id, 'Not this year'))
  assert.deepEqual([answer.status, answer.body.status, answer.body.grantEndsAt], [200, 'denied', null])
  assert.deepEqual(withoutNotifications(traces), {
    ...silence,
    audit: [audit('access.deny', id, group, person)],
    notices: [{ user: person.id, type: 'system', titleEn: 'Your request was denied' }],
    events: [changed(id, 'denied', person, one, other)],
  })
  assert.ok(
    traces.events.some(
      ({ event, to, data }) => event === 'notifications_read' && to![0] === other.id && (data as { ids: number[] }).ids[0] === unread[0].id,
    ),
  )
  const seen = await read(person, id)
  assert.deepEqual([seen.status, seen.decisionNote, seen.decidedBy.id], ['denied', 'Not this year', one.id])
  assert.deepEqual(await membersOf(group.id), [])
})

test('a second approval of one person replaces the first', async () => {
  const [person, one, other] = [await make.newPerson(), await make.newPerson(), await make.newPerson()]
  const group = await openGroup({ approverUserIds: [one.id, other.id], minApprovals: 2 })
  const id = await ask(person, group.id)
  await bodyOf(approve(one, id, { days: 5, note: 'Short' }))
  const { approvals, status } = await bodyOf(approve(one, id, { days: 50 }))
  assert.deepEqual([status, approvals.length, approvals[0].days, approvals[0].note], ['pending', 1, 50, null])
  assert.equal(daysOf(await bodyOf(approve(other, id))), 50)
})

test('the membership ends after the fewest days of the policy, the request and its approvals', async () => {
  const ends = async (maxDays: number | null, days: number | null, ...approvals: (number | null)[]) => {
    const [person, ...approvers] = await Promise.all(Array.from({ length: approvals.length + 1 }, () => make.newPerson()))
    const policy = { approverUserIds: approvers.map(({ id }) => id), minApprovals: approvals.length }
    const group = await openGroup({ ...policy, maxDays })
    const id = await ask(person!, group.id, { days })
    let last: Parameters<typeof daysOf>[0] | undefined
    for (const [n, one] of approvals.entries()) last = await bodyOf(approve(approvers[n]!, id, { days: one }))
    return daysOf(last!)
  }
  assert.equal(await ends(null, null, null), null)
  assert.equal(await ends(20, null, null), 20)
  assert.equal(await ends(20, 10, null, null), 10)
  assert.equal(await ends(20, 10, 7, 9), 7)
  assert.equal(await ends(null, null, 3, 1825), 3)
})

test('a decision follows the policy at its own time, not at the time of the request', async () => {
  const person = await make.newPerson()
  const group = await openGroup({ maxDays: 100 })
  const id = await ask(person, group.id, { days: 90 })
  await setPolicy(group.id, { requestable: true, maxDays: 30 })
  assert.equal(daysOf(await bodyOf(approve(portal.admin, id))), 30)
})

test('an approval for more days than asked for or than the group allows is refused', async () => {
  const [person, other] = [await make.newPerson(), await make.newPerson()]
  const group = await openGroup({ maxDays: 20 })
  const [asked, open] = [await ask(person, group.id, { days: 10 }), await ask(other, group.id)]
  const limitOf = async (id: number, days: number) => {
    const { status, body } = await silent(() => approve(portal.admin, id, { days }))
    assert.deepEqual([status, body.code, body.details[0].path], [400, 'validation_failed', 'days'])
    return body.details[0].params.limit
  }
  assert.equal(await limitOf(asked, 11), 10)
  assert.equal(await limitOf(open, 21), 20)
  for (const body of [{ days: 0 }, { note: 'x'.repeat(1001) }])
    assert.deepEqual(await refusalOf(approve(portal.admin, asked, body)), [400, 'validation_failed'])
  assert.equal(daysOf(await bodyOf(approve(portal.admin, asked, { days: 10 }))), 10)
})

test('an approval moves the end of a membership later, never earlier', async () => {
  const [person, group] = [await make.newPerson(), await openGroup()]
  const first = await bodyOf(approve(portal.admin, await ask(person, group.id, { days: 30 })))
  const sooner = await ask(person, group.id, { days: 3 })
  const { answer: kept, ...quiet } = await traced(() => approve(portal.admin, sooner))
  assert.deepEqual([kept.body.status, kept.body.grantEndsAt], ['approved', first.grantEndsAt])
  assert.deepEqual([quiet.audit.map(({ action }) => action), quiet.histories], [['access.approve'], []])

  const later = await ask(person, group.id, { days: 60 })
  const { answer, ...traces } = await traced(() => approve(portal.admin, later))
  assert.equal(daysOf(answer.body), 60)
  const changedEnd = { from: first.grantEndsAt, to: answer.body.grantEndsAt }
  assert.deepEqual(traces.audit.slice(1), [
    {
      action: 'group.member.update',
      type: 'group',
      target: group.id,
      metadata: { userId: person.id, changed: { expiresAt: changedEnd }, requestId: later },
    },
  ])
  assert.deepEqual(
    traces.histories.map(({ kind, added, removed }) => [kind, added, removed]),
    [
      ['group.users', [], []],
      ['user.groups', [], []],
    ],
  )
  assert.deepEqual(withoutNotifications(traces).events.slice(1), [meChangedFor(person.id)])
  const endless = await bodyOf(approve(portal.admin, await ask(person, group.id)))
  assert.equal(endless.grantEndsAt, null)
  assert.deepEqual((await bodyOf(portal.admin.get(`/groups/${group.id}`))).memberEnds, [])
})

test('a membership that ended while a request for a later end waited is recorded as ended, and then given again', async () => {
  const [person, group] = [await make.newPerson(), await openGroup()]
  await bodyOf(approve(portal.admin, await ask(person, group.id, { days: 1 })))
  const id = await ask(person, group.id, { days: 5 })
  await passDays(portal, 1)
  const { answer, ...traces } = await traced(() => approve(portal.admin, id))
  assert.equal(daysOf(answer.body), 5)
  assert.deepEqual(
    traces.audit.map(({ action }) => action),
    ['access.approve', 'group.member.expire', 'group.member.add'],
  )
  assert.deepEqual(await membersOf(group.id), [person.id])
})

test('people who may decide see what the requester would newly have', async () => {
  const [held, fresh] = [await make.newPermission(), await make.newPermission()]
  const [had, role] = [await make.newRole([held.name]), await make.newRole([held.name, fresh.name])]
  const visible = await make.newApp({ permissionIds: [held.id] })
  const [byRole, byGroup] = [
    await make.newApp({ permissionIds: [fresh.id], sortOrder: 2 }),
    await make.newApp({ permissionIds: [fresh.id], sortOrder: 1 }),
  ]
  const person = await make.newPerson({ roles: [had.name] })
  const group = await openGroup({}, { roleIds: [had.id, role.id], appIds: [visible.id, byGroup.id], userIds: [portal.admin.id] })
  const id = await ask(person, group.id)
  const { gains, memberCount } = await read(portal.admin, id)
  const names = (some: { id: number; name: string }[]) => some.map(({ id, name }) => ({ id, name }))
  assert.deepEqual(names(gains.roles), [{ id: role.id, name: role.name }])
  assert.deepEqual(names(gains.permissions), [{ id: fresh.id, name: fresh.name }])
  assert.deepEqual(
    gains.apps.map((app: { id: number }) => app.id),
    [byGroup.id, byRole.id],
  )
  assert.equal(memberCount, 1)
  for (const own of [await read(person, id), (await bodyOf(person.get(REQUESTS))).items[0]])
    assert.deepEqual(['gains' in own, 'memberCount' in own], [false, false])
})

test('a decision with a stale tag is refused, whether the request or the access that it gives has changed', async () => {
  const [person, one, other] = [await make.newPerson(), await make.newPerson(), await make.newPerson()]
  const group = await openGroup({ approverUserIds: [one.id, other.id], minApprovals: 2 })
  const path = `${REQUESTS}/${await ask(person, group.id)}`
  const tagOf = async () => (await other.get(path)).headers.get('etag')!
  const decide = (step: string, tag: string) => other.send('POST', `${path}/${step}`, { note: 'Well' }, { 'if-match': tag })
  const changes = [
    () => approve(one, Number(path.split('/').at(-1))),
    async () => portal.admin.post(`/groups/${group.id}/roles`, { roleId: (await make.newRole()).id }),
    async () =>
      portal.admin.post(`/groups/${group.id}/apps`, {
        appId: (await make.newApp({ permissionIds: [(await make.newPermission()).id] })).id,
      }),
    () =>
      portal.admin
        .post(`/users/${person.id}/roles`, { roleName: 'order_receiver' })
        .then(() => portal.admin.post(`/groups/${group.id}/roles`, { roleId: 3 })),
  ]
  for (const change of changes.slice(0, 3)) {
    const tag = await tagOf()
    await change()
    for (const step of ['approve', 'deny']) {
      const { status, body } = await silent(() => decide(step, tag))
      assert.deepEqual([status, body.code, body.current], [412, 'changed_meanwhile', (await other.get(path)).body], String(change))
    }
  }
  const tag = await tagOf()
  await changes[3]!()
  await bodyOf(portal.admin.post(`/groups/${group.id}/users`, { userId: one.id }), 201)
  assert.equal(await tagOf(), tag)
  // A weak tag, as a proxy that compresses answers makes it.
  const decided = await decide('approve', `W/${tag}`)
  assert.equal(decided.status, 200)
  assert.equal(decided.headers.get('etag'), await tagOf())
  assert.deepEqual(await refusalOf(decide('deny', tag)), [412, 'changed_meanwhile'])
})
