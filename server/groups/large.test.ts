/** In a group of 50,000 the cost of a change depends on what it changes, not on the size of the group. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { house } from '../../test/house.ts'

const portal = house()
const PEOPLE = 50_000
const MOVED = 5000

async function settle() {
  await portal.sql(`begin;
    insert into users (username, email, password_hash) select 'p' || n, 'p' || n || '@example.org', '' from generate_series(1, ${PEOPLE}) as n;
    insert into ledger (kind, target_type, target_id, facts) select 'test.settled', 'user', id, '{}' from users;
    commit; analyze`)
  return (await portal.sql<{ id: number }>('select id from users where username ~ $1 order by id', ['^p\\d+$'])).map(({ id }) => id)
}

async function took(act: () => Promise<unknown>) {
  const start = performance.now()
  await act()
  return performance.now() - start
}

test(`${MOVED} of ${PEOPLE} members come and go in seconds, each with their mirror, and all of them hear of it`, async (t) => {
  const ids = await settle()
  let id = 0
  const made = await took(async () => (id = (await portal.admin.post('/groups', { name: 'All', userIds: ids })).body.id))
  t.diagnostic(`${PEOPLE} in: ${Math.round(made)} ms`)
  for (const [move, userIds] of [
    ['out', ids.slice(MOVED)],
    ['in', ids],
  ] as const) {
    let ms = 0
    const { audit, histories, events } = await portal.traces(async () => {
      ms = await took(async () => assert.equal((await portal.admin.patch(`/groups/${id}`, { userIds })).body.memberCount, userIds.length))
    })
    t.diagnostic(`${MOVED} ${move}: ${Math.round(ms)} ms`)
    assert.ok(ms < 5000, `${MOVED} ${move} took ${ms} ms`)
    assert.deepEqual([audit.length, histories.length, events.length, events[0]!.to!.length], [1, 1 + MOVED, 1, MOVED])
  }
  const one = await took(() => portal.admin.delete(`/groups/${id}/users/${ids[0]}`))
  const gone = await took(async () => assert.equal((await portal.admin.delete(`/groups/${id}?force=true`)).status, 204))
  t.diagnostic(`one out: ${Math.round(one)} ms; the group deleted: ${Math.round(gone)} ms`)
})
