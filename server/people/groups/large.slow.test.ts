/** In a group of 50,000, the cost of a change depends on the size of the change, not on the size of the group. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsDuring, statementsDuring } from '../../../test/counting.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const PEOPLE = 50_000
const MOVED = PEOPLE / 10

async function settle() {
  await portal.sql(`begin;
    insert into users (username, email, password_hash) select 'p' || n, 'p' || n || '@example.org', '' from generate_series(1, ${PEOPLE}) as n;
    insert into ledger (kind, target_type, target_id, facts) select 'test.settled', 'user', id, '{}' from users;
    commit; analyze`)
  return (await portal.sql<{ id: number }>('select id from users where username ~ $1 order by id', ['^p\\d+$'])).map(({ id }) => id)
}

test(`${MOVED} of ${PEOPLE} members leave and join within the statement timeout, each with a history of their own, and all get an event`, async () => {
  const ids = await settle()
  const { id } = (await portal.admin.post('/groups', { name: 'All', userIds: ids })).body
  for (const userIds of [ids.slice(MOVED), ids]) {
    const { audit, histories, events } = await portal.traces(async () =>
      assert.equal((await portal.admin.patch(`/groups/${id}`, { userIds })).body.memberCount, userIds.length),
    )
    assert.deepEqual([audit.length, histories.length, ...events.map(({ to }) => to!.length)], [1, 1 + MOVED, MOVED, MOVED])
  }

  const preview = (change: object) => portal.admin.post('/admin/impact', { changes: [{ kind: 'group', id, ...change }] })
  const { body: impact } = await preview({ add: { roleIds: [3] }, remove: { userIds: ids.slice(0, 9) } })
  assert.deepEqual([impact.gainsCount, impact.gains.length, impact.losesCount, impact.unaffectedCount], [PEOPLE - 9, 50, 0, 9])
  const deletion = () => preview({ delete: true })
  const statements = await statementsDuring(deletion)
  assert.ok(statements.length < 30, statements.join('\n'))
  const rows = await rowsDuring(deletion)
  assert.ok(rows.reduce((sum, some) => sum + some) < PEOPLE + 200, String(rows))

  assert.equal((await portal.admin.delete(`/groups/${id}/users/${ids[0]}`)).status, 204)
  assert.equal((await portal.admin.delete(`/groups/${id}?force=true`)).status, 204)
})

test(`an entry about one of ${PEOPLE} members names only that one, and can be reverted like an older entry with whole sets`, async () => {
  const ids = (await portal.sql<{ id: number }>('select id from users where username ~ $1 order by id', ['^p\\d+$'])).map(({ id }) => id)
  const [moved, ...others] = ids as [number, ...number[]]
  const { id } = (await portal.admin.post('/groups', { name: 'Shortened', userIds: ids })).body
  const remove = async () =>
    assert.equal((await portal.admin.patch(`/groups/${id}`, { members: { remove: [moved] } })).body.memberCount, others.length)
  const { audit } = await portal.traces(remove)
  const metadata = { changed: { userIds: { from: [moved], to: [] } } }
  assert.deepEqual(audit, [{ action: 'group.update', type: 'group', target: id, metadata }])

  await portal.sql(
    `insert into ledger (kind, action, target_type, target_id, facts) values ('group.updated', 'group.update', 'group', $1, $2)`,
    [id, JSON.stringify({ changed: { userIds: { from: ids, to: others } } })],
  )
  const { entries } = (await portal.admin.get(`/admin/audit-logs?action=group.update&targetId=${id}`)).body
  assert.equal(entries.length, 2)
  for (const entry of entries) {
    assert.deepEqual(Object.keys(entry.refs.users), [String(moved)])
    const { status, body } = await portal.admin.post(`/admin/history/audit/${entry.id}/revert`, {})
    assert.deepEqual([status, body.memberCount], [200, PEOPLE])
    await remove()
  }
})

test(`5000 of ${PEOPLE} people are changed at once within the statement timeout`, async () => {
  const people = await portal.sql<{ id: number }>('select id from users where username ~ $1 order by id limit 5000', ['^p\\d+$'])
  const ids = people.map(({ id }) => id)
  const { id } = (await portal.admin.post('/groups', { name: 'Former' })).body
  const { status, body } = await portal.admin.post('/users/bulk-change', { ids, set: { isActive: false, addGroupIds: [id] } })
  assert.deepEqual([status, body.changedIds, body.failed], [200, ids, []])
  const answer = await portal.admin.post('/users/bulk-change', { filter: { groupId: id, status: 'disabled' }, set: { isActive: true } })
  assert.equal(answer.body.changedIds.length, ids.length)
})
