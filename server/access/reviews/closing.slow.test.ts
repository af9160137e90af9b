/** The portal is killed again and again while it closes a review: every removal is made once, with its whole trace. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { dayAhead, REVIEWS } from '../../../test/access-reviews.ts'
import { PASSWORD, until } from '../../../test/portal.ts'
import { look, portals } from '../../../test/process.ts'

const { makeUsedFolder, startPortal } = portals()

const PEOPLE = 1200
const KILLS = 5

/** Members of a new group, with the histories and changes that the database demands. */
const FILL = `
  with made as (
      insert into groups (name) values ('Crowd') returning id),
    people as (
      insert into users (username, email, password_hash) select 'member' || n, 'member' || n || '@example.org', '-' from generate_series(1, $1::int) as n returning id),
    joined as (insert into memberships (group_id, user_id) select made.id, people.id from made, people returning group_id, user_id),
    recorded as (
      insert into ledger (kind, target_type, target_id, facts)
      select 'test.filled', 'user', id, '{}'::jsonb from people union all select 'test.filled', 'group', id, '{}' from made),
    histories as (
      insert into permission_history (kind, target_id, added, removed)
      select 'user.groups', user_id, array[group_id], '{}'::int[] from joined union all
      select 'group.users', group_id, array_agg(user_id), '{}' from joined group by group_id)
  select id from made`

/** Releases the jobs of killed runners at once, instead of half a minute later. */
const FREE = `
  update graphile_worker._private_jobs set locked_at = locked_at - interval '1 hour' where locked_at is not null;
  update graphile_worker._private_job_queues set locked_at = locked_at - interval '1 hour' where locked_at is not null;
  select graphile_worker.add_job('free_lost_jobs')`

test('a review that is closed while the portal is killed takes every grant away exactly once', async (t) => {
  const DATA_DIR = await makeUsedFolder()
  const env = { DATA_DIR, LOG_LEVEL: 'warn' }
  let portal = await startPortal(env)
  const [group] = await look<{ id: number }>(DATA_DIR, FILL, [PEOPLE])
  const signIn = () => portal.stranger().signIn('admin', PASSWORD)
  let admin = await signIn()
  const { body } = await admin.post(REVIEWS, { titleEn: 'Crowd', groupIds: [group!.id], dueDate: dayAhead(1), ifSilent: 'remove' })
  assert.equal(body.counts.total, PEOPLE)
  const path = `${REVIEWS}/${body.id}`
  const { items } = (await admin.get(`${path}/items?limit=200`)).body
  const kept = items.map(({ id }: { id: number }) => ({ id, verdict: 'keep' }))
  assert.equal((await admin.post(`${path}/verdicts`, { items: kept })).body.doneIds.length, 200)
  assert.equal((await admin.post(`${path}/close`, {})).status, 200)

  const left = async () =>
    (await look<{ count: number }>(DATA_DIR, 'select count(*)::int as count from access_review_items where outcome is null'))[0]!.count
  let seen = PEOPLE
  for (let kill = 0; kill < KILLS; kill++) {
    await until('more items are done', async () => (await left()) < seen)
    await portal.stop('SIGKILL')
    portal = await startPortal(env)
    seen = await left()
    t.diagnostic(`${seen} items left after kill ${kill + 1}`)
    await look(DATA_DIR, FREE)
    await pause(100)
  }
  admin = await signIn()
  await until('the review is closed', async () => {
    await look(DATA_DIR, FREE)
    return (await admin.get(path)).body.status === 'closed'
  })

  const [found] = await look(
    DATA_DIR,
    `select (select count(*)::int from memberships where group_id = $1) as members,
       (select count(*)::int from ledger where action = 'group.member.remove' and facts ->> 'accessReviewId' = $2::text) as removals,
       (select count(distinct facts ->> 'userId')::int from ledger where action = 'group.member.remove' and facts ->> 'accessReviewId' = $2::text) as people,
       (select count(*)::int from permission_history where kind = 'group.users' and target_id = $1 and cardinality(removed) > 0) as histories,
       (select count(*)::int from permission_history where kind = 'user.groups' and removed = array[$1::int]) as own_histories,
       (select count(*)::int from ledger where kind = 'access_review.finished' and target_id = $2::int) as ends,
       (select sum((facts ->> 'removed')::int)::int from ledger where kind = 'access_review.applied' and target_id = $2::int) as counted`,
    [group!.id, body.id],
  )
  const removed = PEOPLE - 200
  assert.deepEqual(found, {
    members: 200,
    removals: removed,
    people: removed,
    histories: removed,
    own_histories: removed,
    ends: 1,
    counted: removed,
  })
  const { counts } = (await admin.get(path)).body
  assert.deepEqual(counts, { total: PEOPLE, keep: 200, remove: 0, undecided: removed, skipped: 0 })
  assert.equal((await portal.stop()).code, 0)
})
