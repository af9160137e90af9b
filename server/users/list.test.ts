import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPortal } from '../../test/portal.ts'

const portal = testPortal()

test('a list of thousands is complete and in order, and a client that hangs up midway breaks nothing', async () => {
  await portal.sql(`
    begin;
    with made as (
      insert into users (username, email, password_hash, display_name_en)
      select 'crowd-' || n, 'crowd-' || n || '@example.org', '-', 'Crowd ' || lpad(n::text, 5, '0') from generate_series(1, 3000) as n returning id)
    insert into ledger (kind, target_type, target_id, facts) select 'test.filled', 'user', id, '{}' from made;
    commit`)
  const hungUp = new AbortController()
  const { body } = await fetch(`${portal.base}/api/users`, { headers: { cookie: portal.admin.cookie }, signal: hungUp.signal })
  await body!.getReader().read()
  hungUp.abort()
  const crowd: { username: string }[] = (await portal.admin.get('/users?q=crowd-')).body
  assert.deepEqual(
    crowd.map(({ username }) => username),
    Array.from({ length: 3000 }, (_, n) => `crowd-${n + 1}`),
  )
  assert.deepEqual((await portal.admin.get('/users?q=nobody-of-this-name')).body, [])
})
