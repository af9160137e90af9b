/** The migration that links subscriptions to sessions. */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { migrate } from 'postgres-migrations'
import { portals } from '../../test/process.ts'
import { migrateDb } from '../migrate.ts'

const MIGRATIONS = 'server/migrations'
const { makeDatabase } = portals()

/** Migrates a new database up to the migration before this one. */
async function migrateBefore(suffix: string, client: pg.Client) {
  const folder = mkdtempSync(join(tmpdir(), 'bawaba-migrations-'))
  const files = readdirSync(MIGRATIONS).toSorted()
  const earlier = files.slice(
    0,
    files.findIndex((name) => name.endsWith(suffix)),
  )
  for (const file of earlier) cpSync(join(MIGRATIONS, file), join(folder, file))
  await migrate({ client }, folder).finally(() => rm(folder, { recursive: true }))
}

/** Huda used session b last, Salem's only one was ended, and Noura's only one has expired. */
const SUBSCRIPTIONS = `
  begin;
  insert into users (username, email, password_hash)
    values ('huda', 'huda@example.org', ''), ('salem', 'salem@example.org', ''), ('noura', 'noura@example.org', '');
  insert into ledger (kind, target_type, target_id, facts) select 'test', 'user', id, '{}' from users;
  insert into permission_history (kind, target_id, added, removed)
    select kind, id, '{}', '{}' from users, unnest(array['user.roles', 'user.groups']) as kind;
  insert into sessions (token_hash, user_id, expires_at, last_used_at, ended_at) values
    ('a', 1, now() + interval '1 day', now() - interval '2 days', null), ('b', 1, now() + interval '1 day', now() - interval '1 day', null),
    ('c', 1, now() + interval '1 day', now(), now()), ('d', 2, now() + interval '1 day', now(), now()), ('e', 3, now(), now(), null);
  insert into push_subscriptions (user_id, endpoint, p256dh, auth) values (1, 'x', '', ''), (1, 'y', '', ''), (2, 'z', '', ''), (3, 'w', '', '');
  commit`

/** Subscriptions from before the migration: those left after it, and the people whose lost subscription is recorded. */
async function migrated() {
  const { connection } = await makeDatabase()
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await migrateBefore('_pushes_of_sessions.sql', client)
    await client.query(SUBSCRIPTIONS)
    await migrateDb(connection)
    const { rows: left } = await client.query(
      `select endpoint, token_hash as session from push_subscriptions p left join sessions s on s.id = p.session_id order by endpoint`,
    )
    const { rows: recorded } = await client.query(`select target_id as id from ledger where kind = 'push.unsubscribed' order by 1`)
    return { left, recorded: recorded.map(({ id }) => id as number) }
  } finally {
    await client.end()
  }
}

test('an earlier subscription belongs to the last used session, and is removed and recorded if none is valid', async () => {
  const { left, recorded } = await migrated()
  assert.deepEqual(left, [
    { endpoint: 'x', session: 'b' },
    { endpoint: 'y', session: 'b' },
  ])
  assert.deepEqual(recorded, [2, 3])
})
