/** Closing reviews: removed grants, skipped items with the reasons, and the traces. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import pg from 'pg'
import { REVIEWS, reviewing } from '../../../test/access-reviews.ts'
import { makers, silence, tracing } from '../../../test/makers.ts'
import { type Client, testPortal, until } from '../../../test/portal.ts'
import { newSource } from '../../../test/scim.ts'

const portal = testPortal()
const make = makers(portal)
const { open, itemsOf, itemOf, read, judge, decide, close, untilClosed, preview, outcomes, watch } = reviewing(portal)
const { silent } = tracing(portal)

type Person = Client & { id: number; username: string }
let chief: Person
before(async () => {
  await portal.ready
  chief = await make.newPerson({ roles: ['admin'] })
})
const people = async (count: number) => Promise.all(Array.from({ length: count }, () => make.newPerson()))
const groupOf = (...some: { id: number }[]) => make.newGroup({ userIds: some.map(({ id }) => id) })
const membersOf = async (group: { id: number }) => (await portal.admin.get(`/groups/${group.id}`)).body.userIds as number[]

test('closing removes grants by the verdicts, each with the trace of a removal by the person who closed the review', async () => {
  const [kept, silentOne, member, holder] = await people(4)
  const group = await groupOf(kept!, silentOne!, member!)
  const role = await make.newRole()
  await portal.admin.post(`/users/${holder!.id}/roles`, { roleName: role.name })
  const { id } = await open({ groupIds: [group.id], roleIds: [role.id] })
  await decide(id, 'keep', kept!)
  await decide(id, 'remove', member!, holder!)
  let answer: { status: string } | undefined
  const traces = await portal.traces(async () => {
    answer = await close(id, chief)
  })
  assert.equal(answer!.status, 'closing')
  assert.deepEqual(traces.audit, [
    { action: 'access_review.close', type: 'access_review', target: id, metadata: { titleEn: 'Quarter' } },
    { action: 'group.member.remove', type: 'group', target: group.id, metadata: { userId: member!.id, accessReviewId: id } },
    {
      action: 'user.role.remove',
      type: 'user',
      target: holder!.id,
      metadata: { roleId: role.id, roleName: role.name, accessReviewId: id },
    },
  ])
  assert.deepEqual(traces.histories.map(({ kind, target, removed }) => [kind, target, removed]).toSorted(), [
    ['group.users', group.id, [member!.id]],
    ['user.groups', member!.id, [group.id]],
    ['user.roles', holder!.id, [role.id]],
  ])
  assert.deepEqual(
    traces.events.filter(({ event }) => event === 'access_review_changed').map(({ data }) => data),
    [
      { reviewId: id, status: 'closing' },
      { reviewId: id, status: 'closed' },
    ],
  )
  for (const event of ['apps_changed', 'me_changed'])
    assert.deepEqual(
      traces.events
        .filter((one) => one.event === event)
        .flatMap(({ to }) => to)
        .toSorted(),
      [member!.id, holder!.id].toSorted(),
    )
  const actors = await portal.sql<{ name: string }>(
    `select actor_username as name from ledger where (facts ->> 'accessReviewId')::int = $1 or target_type = 'access_review' and target_id = $1 and kind ~ 'closing|finished'`,
    [id],
  )
  assert.deepEqual(
    actors.map(({ name }) => name),
    Array.from({ length: 4 }, () => chief.username),
  )
  assert.deepEqual(await outcomes(id), {
    [kept!.username]: 'kept',
    [silentOne!.username]: 'kept',
    [member!.username]: 'removed',
    [holder!.username]: 'removed',
  })
  const closed = await read(id)
  assert.deepEqual([closed.status, closed.closedBy.username, closed.closedAt !== null], ['closed', chief.username, true])
  assert.deepEqual(
    await membersOf(group),
    [kept!.id, silentOne!.id].toSorted((one, other) => one - other),
  )
})

test('undecided items are taken away if the review says so', async () => {
  const [kept, undecided] = await people(2)
  const group = await groupOf(kept!, undecided!)
  const { id } = await open({ groupIds: [group.id], ifSilent: 'remove' })
  await decide(id, 'keep', kept!)
  assert.deepEqual(await preview(id), { keepCount: 1, removeCount: 1, skipped: [], ordersReturned: 0 })
  await close(id)
  assert.deepEqual(await outcomes(id), { [kept!.username]: 'kept', [undecided!.username]: 'removed' })
  assert.deepEqual((await read(id)).counts, { total: 2, keep: 1, remove: 0, undecided: 1, skipped: 0 })
})

test('a dry run says what closing would do, and changes nothing', async () => {
  const receiver = await make.newPerson({ roles: ['order_receiver'] })
  const [gone, both] = [await make.newPerson(), await make.newPerson({ roles: ['order_receiver'] })]
  const roleIds = [(await make.roleNamed('order_receiver')).id]
  const second = await make.newGroup({ roleIds, userIds: [both.id] })
  const group = await groupOf(gone)
  for (const person of [receiver, both]) {
    const { body } = await portal.admin.post('/orders', { serviceId: (await make.newService()).id })
    await person.patch(`/orders/${body.id}/confirm-receipt`)
  }
  const { id } = await open({ groupIds: [group.id], roleIds, ifSilent: 'remove' })
  await portal.admin.delete(`/groups/${group.id}/users/${gone.id}`)
  const answer = await silent(() => portal.admin.post(`${REVIEWS}/${id}/close`, { dryRun: true }))
  assert.deepEqual(answer.body, {
    keepCount: 0,
    removeCount: 2,
    skipped: [{ itemId: await itemOf(id, gone), reason: 'gone' }],
    ordersReturned: 1,
  })
  assert.equal((await read(id)).status, 'open')
  await close(id)
  const orders = await portal.sql<{ assigned: number }>(`select assigned_to as assigned from orders where status = 'received'`)
  assert.deepEqual(orders, [{ assigned: both.id }])
  assert.deepEqual(await membersOf(second), [both.id])
})

test('a dry run also counts the orders that their receivers would hand back on leaving a team', async () => {
  const receiver = await make.newPerson({ roles: ['order_receiver'] })
  const [first, second] = [await groupOf(receiver, chief), await groupOf(receiver, chief)]
  const takenFor = async (...groups: { id: number }[]) => {
    const [service, team] = [await make.newService(), await make.newTeam({ groupIds: groups.map(({ id }) => id) })]
    assert.equal((await portal.admin.put(`/services/${service.id}/handling`, { teamId: team.id })).status, 200)
    const { body } = await portal.admin.post('/orders', { serviceId: service.id })
    assert.equal((await receiver.patch(`/orders/${body.id}/confirm-receipt`)).status, 200)
    return body.id as number
  }
  const [left, kept] = [await takenFor(first), await takenFor(first, second)]
  const { id } = await open({ groupIds: [first.id] })
  await decide(id, 'remove', receiver)
  assert.deepEqual(await preview(id), { keepCount: 1, removeCount: 1, skipped: [], ordersReturned: 1 })
  await close(id)
  const assigned = async (order: number) => (await portal.admin.get(`/orders/${order}`)).body.assignedTo
  assert.deepEqual([await assigned(left), await assigned(kept)], [null, receiver.id])
})

test('a membership that was given again is skipped as changed, although its group is managed elsewhere by now', async () => {
  const source = await newSource(portal)
  const { id: personId } = await source.person('given.again@example.org')
  const group = await groupOf({ id: Number(personId) })
  const { id } = await open({ groupIds: [group.id], ifSilent: 'remove' })
  const path = `/groups/${group.id}/users`
  await portal.admin.delete(`${path}/${personId}`)
  await portal.admin.post(path, { userId: Number(personId) })
  const adopted = await source.patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: [{ value: personId }] })
  assert.equal(adopted.status, 204, adopted.text)
  assert.deepEqual(
    (await preview(id)).skipped.map(({ reason }: { reason: string }) => reason),
    ['changed'],
  )
})

test('an item is skipped if its grant is gone, was given again or has another end', async () => {
  const [gone, again, ending, sooner, ended, same] = await people(6)
  const group = await groupOf(gone!, again!, ending!, sooner!, ended!, same!)
  const path = `/groups/${group.id}/users`
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  await portal.admin.post(path, { userId: sooner!.id, expiresAt: inDays(9) })
  await portal.admin.post(path, { userId: ended!.id, expiresAt: inDays(9) })
  const { id } = await open({ groupIds: [group.id], ifSilent: 'remove' })
  for (const { id: userId } of [gone!, again!]) await portal.admin.delete(`${path}/${userId}`)
  await portal.admin.post(path, { userId: again!.id })
  await portal.admin.post(path, { userId: ending!.id, expiresAt: inDays(5) })
  await portal.admin.post(path, { userId: sooner!.id, expiresAt: inDays(4) })
  await portal.sql(`
    begin; alter table memberships disable trigger user;
    update memberships set expires_at = now() - interval '1 second' where user_id = ${ended!.id} and group_id = ${group.id};
    alter table memberships enable trigger user; commit`)
  const expected = {
    [gone!.username]: 'gone',
    [again!.username]: 'changed',
    [ending!.username]: 'changed',
    [sooner!.username]: 'changed',
    [ended!.username]: 'gone',
  }
  const reasons = (await preview(id)).skipped.map(({ reason }: { reason: string }) => reason)
  assert.deepEqual(reasons.toSorted(), Object.values(expected).toSorted())
  await close(id)
  assert.deepEqual(await outcomes(id), { ...expected, [same!.username]: 'removed' })
  assert.deepEqual((await read(id)).counts, { total: 6, keep: 0, remove: 0, undecided: 1, skipped: 5 })
  assert.equal((await itemsOf(id, portal.admin, '&state=skipped')).length, 5)
})

test('items of people and groups that are deleted before the closing are skipped as gone', async () => {
  const [deleted, left, member] = await people(3)
  const [group, dropped] = [await groupOf(deleted!, member!), await groupOf(left!)]
  const { id } = await open({ groupIds: [group.id, dropped.id], ifSilent: 'remove' })
  await portal.admin.delete(`/users/${deleted!.id}?force=true`)
  await portal.admin.delete(`/groups/${dropped.id}?force=true`)
  await close(id)
  assert.deepEqual(await outcomes(id), { [deleted!.username]: 'gone', [left!.username]: 'gone', [member!.username]: 'removed' })
})

test('of two simultaneous calls of close one succeeds, and a closed review refuses verdicts, changes, closing and cancelling', async () => {
  const [person] = await people(1)
  const { id } = await open({ groupIds: [(await groupOf(person!)).id], ifSilent: 'remove' })
  const item = await itemOf(id, person!)
  const answers = await Promise.all([portal.admin, chief].map((by) => by.post(`${REVIEWS}/${id}/close`, {})))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
  await untilClosed(id)
  for (const act of [
    () => judge(id, chief, { id: item, verdict: 'keep' }),
    () => portal.admin.patch(`${REVIEWS}/${id}`, { titleEn: 'x' }),
    () => portal.admin.post(`${REVIEWS}/${id}/close`, {}),
    () => portal.admin.post(`${REVIEWS}/${id}/cancel`),
  ]) {
    const { status, body } = await silent(act)
    assert.deepEqual([status, body.code], [400, 'invalid_transition'])
  }
  assert.deepEqual(await portal.traces(watch), silence)
})

test('a review without items is closed, too', async () => {
  const { id } = await open({ groupIds: [(await make.newGroup()).id] })
  assert.deepEqual(await preview(id), { keepCount: 0, removeCount: 0, skipped: [], ordersReturned: 0 })
  await close(id)
})

test('closing continues although its job was lost', async () => {
  const some = await people(3)
  const group = await groupOf(...some)
  const { id } = await open({ groupIds: [group.id], ifSilent: 'remove' })
  await portal.sql(`
    begin; insert into ledger (kind, target_type, target_id, facts) values ('test.meddled', 'access_review', ${id}, '{}');
    update access_reviews set status = 'closing', ended_at = now() where id = ${id}; commit`)
  await watch()
  await untilClosed(id)
  assert.deepEqual(await membersOf(group), [])
})

test('while a review is being closed, its counts say how many of the items that the reader may judge are done', async () => {
  const [first, second, reviewer] = await people(3)
  const { id } = await open({ groupIds: [(await groupOf(first!, second!, reviewer!)).id], reviewerUserIds: [reviewer!.id] })
  const done = async (by?: Client) => (await read(id, by)).counts.done
  assert.equal(await done(), undefined)
  await portal.meddle(
    'access_review',
    id,
    `update access_reviews set status = 'closing', ended_at = now() where id = ${id};
     update access_review_items set outcome = 'kept' where review_id = ${id} and user_id in (${first!.id}, ${reviewer!.id})`,
  )
  assert.deepEqual([await done(), await done(reviewer)], [2, 1])
  await watch()
  await untilClosed(id)
  assert.equal(await done(), undefined)
})

test('a reviewed person changes their name during the closing, without a deadlock', async () => {
  const [stays, leaves] = await people(2)
  const group = await groupOf(stays!, leaves!)
  const { id } = await open({ groupIds: [group.id], ifSilent: 'remove' })
  await portal.admin.delete(`/groups/${group.id}/users/${stays!.id}`)
  const deadlocks = await portal.deadlocks()
  const waiting = async () =>
    (await portal.sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length
  const holding = new pg.Client(portal.connection)
  await holding.connect()
  await holding.query(`begin; select from users where id = ${stays!.id} for update`)
  const renaming = stays!.patch('/auth/me/profile', { displayNameEn: 'Another Name' })
  await until('the new name waits for the account', async () => (await waiting()) === 1)
  const closing = close(id)
  await until('the review waits for the new name', async () => (await waiting()) === 2)
  await holding.end()
  assert.equal((await renaming).status, 200)
  await closing
  assert.equal(await portal.deadlocks(), deadlocks)
  assert.deepEqual(await outcomes(id), { [stays!.username]: 'gone', [leaves!.username]: 'removed' })
})
