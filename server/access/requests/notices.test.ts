/** Notices of requests, and reminders of waiting requests. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { asking, bodyOf, REQUESTS } from '../../../test/access-requests.ts'
import { runJob } from '../../../test/jobs.ts'
import { silence } from '../../../test/makers.ts'
import { type Client, testPortal, until } from '../../../test/portal.ts'

const portal = testPortal()
const { make, openGroup, setPolicy, ask, approve, withdraw, age } = asking(portal)
const DAY = 24

/** Runs the job of reminders. Returns the people who were reminded, with the titles. */
async function follow() {
  const { notices, audit } = await portal.traces(() => runJob(portal, 'remind'))
  assert.deepEqual(audit, [])
  return notices.map(({ user, titleEn }) => [user, titleEn])
}
const reminded = (...people: Client[]) => people.map(({ id }) => [id, 'A request for access is waiting'])

test('approvers who have not approved are reminded after 3 and after 7 days, once each', async () => {
  const [person, one, other] = [await make.newPerson(), await make.newPerson(), await make.newPerson()]
  const group = await openGroup({ approverUserIds: [one.id, other.id], minApprovals: 2 })
  const id = await ask(person, group.id)
  await age(id, 3 * DAY - 1)
  assert.deepEqual(await follow(), [])
  await age(id, 1)
  await bodyOf(approve(one, id))
  assert.deepEqual(await follow(), reminded(other))
  assert.deepEqual(await follow(), [])
  await age(id, 4 * DAY)
  await setPolicy(group.id, { requestable: true, approverUserIds: [one.id, other.id, portal.admin.id], minApprovals: 2 })
  assert.deepEqual(await follow(), reminded(portal.admin as Client, other))
  assert.deepEqual(await follow(), [])
  await age(id, 6 * DAY)
  assert.deepEqual(await follow(), [])
})

test('after a week without the job, one reminder is sent, and none for a decided request', async () => {
  const [person, one] = [await make.newPerson(), await make.newPerson()]
  const waiting = await ask(person, (await openGroup({ approverUserIds: [one.id] })).id)
  const withdrawn = await ask(person, (await openGroup({ approverUserIds: [one.id] })).id)
  await bodyOf(withdraw(person, withdrawn))
  for (const id of [waiting, withdrawn]) await age(id, 8 * DAY)
  assert.deepEqual(await follow(), reminded(one))
  assert.deepEqual(await follow(), [])
})

test('reminders count within the requester’s share of notices, and stay within it', async () => {
  const [person, one, other] = [await make.newPerson(), await make.newPerson(), await make.newPerson()]
  const { id: group } = await openGroup({ approverUserIds: [one.id, other.id] })
  const id = await ask(person, group)
  await portal.sql('update notices_caused set count = 4999 where user_id = $1', [person.id])
  await age(id, 3 * DAY)
  assert.deepEqual(await follow(), reminded(one))
  assert.deepEqual(await portal.sql('select notices_caused_by($1)::int as count', [person.id]), [{ count: 5000 }])
})

test('a decision marks the reminders as read, too', async () => {
  const [person, one, other] = [await make.newPerson(), await make.newPerson(), await make.newPerson()]
  const id = await ask(person, (await openGroup({ approverUserIds: [one.id, other.id] })).id)
  await age(id, 3 * DAY)
  await follow()
  assert.equal((await bodyOf(other.get('/notifications?unread=true'))).length, 2)
  await bodyOf(approve(one, id))
  assert.deepEqual(await bodyOf(other.get('/notifications?unread=true')), [])
  const [own] = await bodyOf(person.get('/notifications?unread=true'))
  assert.deepEqual(
    [own.relatedType, own.relatedId, own.bodyEn],
    [
      'access_request',
      id,
      `${one.username} approved your request. You are now a member of “${(await bodyOf(person.get(`${REQUESTS}/${id}`))).groupName}”.`,
    ],
  )
})

test('notices name a group by its description in each language', async () => {
  const [person, one] = [await make.newPerson(), await make.newPerson()]
  const descriptions = { descriptionAr: '  المالية  \nالميزانية والدفع', descriptionEn: 'Finance\nBudget and payment' }
  const group = await openGroup({ approverUserIds: [one.id] }, descriptions)
  const id = await ask(person, group.id)
  const bodies = async (client: Client) => {
    const [{ bodyAr, bodyEn }] = await bodyOf(client.get('/notifications'))
    return [bodyAr, bodyEn]
  }
  assert.deepEqual(await bodies(one), [
    `وصل طلب من ${person.username} للانضمام إلى مجموعة «المالية».`,
    `${person.username} asks to join “Finance”.`,
  ])
  const { groupName, groupDescriptionAr, groupDescriptionEn } = await bodyOf(one.get(`${REQUESTS}/${id}`))
  assert.deepEqual(
    [groupName, groupDescriptionAr.trim(), groupDescriptionEn],
    [group.name, descriptions.descriptionAr.trim(), descriptions.descriptionEn],
  )
  await bodyOf(portal.admin.patch(`/groups/${group.id}`, { descriptionAr: null, descriptionEn: 'x'.repeat(61) }))
  await bodyOf(portal.admin.put(`/groups/${group.id}/request-policy`, { requestable: false }))
  const title = `${'x'.repeat(59)}…`
  assert.deepEqual(await bodies(person), [
    `لم يعد الانضمام إلى مجموعة «${title}» متاحًا بالطلب، فسقط طلبك.`,
    `“${title}” can no longer be asked for, so your request has lapsed.`,
  ])
})

test('at most 200 approvers are notified, those whom the policy names first', async () => {
  const person = await make.newPerson()
  const named = await make.newPerson()
  await portal.sql(
    `begin;
     insert into users (username, email) select 'crowd' || n, 'crowd' || n || '@example.org' from generate_series(1, 250) as n;
     insert into ledger (kind, target_type, target_id, facts) select 'test.meddled', 'user', id, '{}' from users where username like 'crowd%';
     commit`,
  )
  const crowd = (await portal.sql<{ id: number }>(`select id from users where username like 'crowd%' order by id`)).map(({ id }) => id)
  const approvers = await make.newGroup({ userIds: crowd })
  const last = crowd.at(-1)!
  const group = await openGroup({ approverUserIds: [named.id, last], approverGroupIds: [approvers.id] })
  const { notices, events } = await portal.traces(() => ask(person, group.id))
  const notified = notices.map(({ user }) => user)
  assert.equal(notified.length, 200)
  assert.ok(notified.includes(named.id) && notified.includes(last) && !notified.includes(crowd.at(-2)!))
  assert.equal(events.find(({ event }) => event === 'access_request_changed')!.to!.length, 252)
})

/** Creates people who never sign in. Returns their ids. */
async function throng(name: string, count: number) {
  await portal.sql(
    `begin;
     insert into users (username, email) select '${name}' || n, '${name}' || n || '@example.org' from generate_series(1, ${count}) as n;
     insert into ledger (kind, target_type, target_id, facts) select 'test.meddled', 'user', id, '{}' from users where username like '${name}%';
     commit`,
  )
  return (await portal.sql<{ id: number }>(`select id from users where username like '${name}%' order by id`)).map(({ id }) => id)
}

test('all approvers get the event of a lapse, however many they are', async () => {
  const person = await make.newPerson()
  const approvers = await make.newGroup({ userIds: await throng('approver', 1001) })
  const group = await openGroup({ approverGroupIds: [approvers.id] })
  const id = await ask(person, group.id)
  const { events } = await portal.traces(() => portal.admin.patch(`/users/${person.id}`, { isActive: false }))
  const lapse = events.find(({ event, data }) => event === 'access_request_changed' && (data as { requestId: number }).requestId === id)
  assert.equal(lapse!.to!.length, 1002)
})

test('when many requests lapse at once, one transaction sends events to some approvers and a job to the rest', async () => {
  const approvers = await make.newGroup({ userIds: await throng('juror', 1001) })
  const group = await openGroup({ approverGroupIds: [approvers.id] })
  const askers = await throng('asker', 103)
  await portal.sql(
    `begin;
     insert into access_requests (group_id, requester_id, requester_username, needed_approvals)
       select ${group.id}, id, username, 1 from users where id = any('{${askers}}') order by id;
     insert into ledger (kind, target_type, target_id, facts)
       select 'test.meddled', 'access_request', id, '{}' from access_requests where group_id = ${group.id};
     commit`,
  )
  const { events } = await portal.traces(() => setPolicy(group.id, { approverGroupIds: [approvers.id] }))
  const lapses = events.filter(({ event, to }) => event === 'access_request_changed' && to!.some((id) => askers.includes(id)))
  assert.deepEqual(
    lapses.map(({ to }) => to!.length),
    askers.map((_, n) => (n < 100 ? 1002 : 1)),
  )
  const late = lapses.slice(100).map(({ data }) => (data as { requestId: number }).requestId)
  await until('the approvers of each lapse have got its event', async () => {
    const told = await portal.sql<{ id: number }>(
      `select (data ->> 'requestId')::int as id from events where event = 'access_request_changed' and cardinality(recipients) = 1001 order by id`,
    )
    return isDeepStrictEqual(
      told.map(({ id }) => id),
      late,
    )
  })
})

test('the notices of a request count against the quota of its requester', async () => {
  const [person, approver] = [await make.newPerson(), await make.newPerson()]
  const group = await openGroup({ approverUserIds: [approver.id] })
  await portal.sql(`insert into notices_caused (user_id, minute, count) values ($1, date_trunc('minute', clock_timestamp()), 4999)`, [
    person.id,
  ])
  const id = await ask(person, group.id)
  await bodyOf(withdraw(person, id))
  const traces = await portal.traces(async () => {
    const { status, body } = await person.post(REQUESTS, { groupId: group.id })
    assert.deepEqual([status, body.code, body.quota, body.used, body.allowed], [409, 'quota_exceeded', 'notices', 5000, 5000])
  })
  assert.deepEqual(traces, silence)
})
