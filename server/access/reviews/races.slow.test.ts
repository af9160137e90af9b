/** While a review is closed, other calls judge, remove the same grants, and delete people and groups: each grant is removed once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REVIEWS, reviewing } from '../../../test/access-reviews.ts'
import { makers } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const make = makers(portal)
const { open, itemsOf, judge, untilClosed } = reviewing(portal)

const MEMBERS = 240

/** Creates people as members of new groups, in one statement. */
async function crowd(groups: { id: number }[]) {
  const people = await portal.sql<{ id: number }>(
    `with people as (
         insert into users (username, email, password_hash)
         select 'racer' || n, 'racer' || n || '@example.org', '-' from generate_series(1, $2::int) as n returning id),
       joined as (
         insert into memberships (group_id, user_id)
         select ($1::int[])[1 + people.id % cardinality($1::int[])], people.id from people returning group_id, user_id),
       recorded as (insert into ledger (kind, target_type, target_id, facts) select 'test.filled', 'user', id, '{}' from people),
       histories as (
         insert into permission_history (kind, target_id, added, removed)
         select 'user.groups', user_id, array[group_id], '{}'::int[] from joined union all
         select 'group.users', group_id, array_agg(user_id), '{}' from joined group by group_id)
     select id from people order by id`,
    [groups.map(({ id }) => id), MEMBERS],
  )
  return people.map(({ id }) => id)
}

test('each grant is taken once, even if other calls change it while a review is closed', async () => {
  const other = await make.newPerson({ roles: ['admin'] })
  const groups = [await make.newGroup(), await make.newGroup(), await make.newGroup(), await make.newGroup()]
  const people = await crowd(groups)
  const groupIds = groups.map(({ id }) => id)
  const { id } = await open({ groupIds, ifSilent: 'remove' })
  const items = (await itemsOf(id)).concat((await portal.admin.get(`${REVIEWS}/${id}/items?limit=200&offset=200`)).body.items)
  assert.equal(items.length, MEMBERS)

  const judging = items.slice(0, 30).map((item) => judge(id, other, { id: item.id, verdict: 'keep' }))
  const closing = [portal.admin, other].map((by) => by.post(`${REVIEWS}/${id}/close`, {}))
  const taking = items.slice(30, 60).map(({ group, person }) => other.delete(`/groups/${group!.id}/users/${person.id}`))
  const deleting = people.slice(-20).map((one) => other.delete(`/users/${one}?force=true`))
  const dropping = other.delete(`/groups/${groupIds[3]}?force=true`)
  const answers = await Promise.all([...judging, ...closing, ...taking, ...deleting, dropping])
  assert.deepEqual(
    answers.filter(({ status }) => status >= 500).map(({ text }) => text),
    [],
  )
  assert.deepEqual(
    answers
      .slice(30, 32)
      .map(({ status }) => status)
      .toSorted(),
    [200, 400],
  )
  await untilClosed(id)

  const judged = answers.slice(0, 30)
  const found = await portal.sql<{ id: number; outcome: string; verdict: string | null; removals: number; held: boolean }>(
    `select i.id, coalesce(i.skip_reason, i.outcome) as outcome, i.verdict,
       (select count(*)::int from ledger where action = 'group.member.remove' and target_id = i.group_id
        and (facts ->> 'userId')::int = i.user_id and (facts ->> 'accessReviewId')::int = $1) as removals,
       exists (select from memberships as m where m.user_id = i.user_id and m.group_id = i.group_id) as held
     from access_review_items as i where i.review_id = $1 order by i.id`,
    [id],
  )
  for (const { outcome, removals, held, verdict, ...item } of found) {
    const place = items.slice(0, 30).findIndex((one) => one.id === item.id)
    const wasKept = place >= 0 && judged[place]!.status === 200
    assert.equal(verdict, wasKept ? 'keep' : null)
    if (wasKept) assert.deepEqual([outcome, removals], ['kept', 0])
    else
      assert.ok((outcome === 'removed' && removals === 1 && !held) || (outcome === 'gone' && removals === 0 && !held), JSON.stringify(item))
  }
  assert.equal(await portal.deadlocks(), 0)
})

test('when two reviews of the same grants are closed at once, each grant is removed by one of them', async () => {
  const group = await make.newGroup()
  await portal.admin.patch(`/groups/${group.id}`, {
    userIds: (await Promise.all(Array.from({ length: 6 }, () => make.newPerson()))).map((one) => one.id),
  })
  const reviews = [await open({ groupIds: [group.id], ifSilent: 'remove' }), await open({ groupIds: [group.id], ifSilent: 'remove' })]
  await Promise.all(reviews.map(({ id }) => portal.admin.post(`${REVIEWS}/${id}/close`, {})))
  for (const { id } of reviews) await untilClosed(id)
  const outcomes = await portal.sql<{ outcomes: string[] }>(
    `select array_agg(coalesce(skip_reason, outcome) order by outcome) as outcomes from access_review_items where group_id = $1 group by user_id`,
    [group.id],
  )
  assert.deepEqual(
    outcomes.map((one) => one.outcomes),
    Array.from({ length: 6 }, () => ['removed', 'gone']),
  )
})

test('an administrator who loses the role during the closing is still named as the one who closed the review', async () => {
  const leaver = await make.newPerson({ roles: ['admin'] })
  const group = await make.newGroup({ userIds: [(await make.newPerson()).id] })
  const { id } = await open({ groupIds: [group.id], roleIds: [(await make.roleNamed('admin')).id] })
  for (const { id: item, person } of await itemsOf(id))
    if (person.id !== portal.admin.id) await judge(id, portal.admin, { id: item, verdict: 'remove' })
  await leaver.post(`${REVIEWS}/${id}/close`, {})
  await untilClosed(id)
  const [entry] = await portal.sql<{ actor: string }>(
    `select actor_username as actor from ledger where action = 'group.member.remove' and (facts ->> 'accessReviewId')::int = $1`,
    [id],
  )
  assert.equal(entry!.actor, leaver.username)
  assert.equal((await leaver.get('/users')).status, 403)
})
