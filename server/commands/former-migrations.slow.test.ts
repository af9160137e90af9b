/** Databases of the versions with 65 migrations. */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type pg from 'pg'
import { migrate } from 'postgres-migrations'
import { portals } from '../../test/process.ts'
import { withClient } from '../platform/database/client.ts'
import { migrateDb } from './migrate.ts'

const { makeDatabase, makeMigratedDatabase } = portals()

const LAST = '39cc0ada7e80fa2e52e6a3e26a0983b9c27a4fe1'

const MIGRATIONS = 'server/migrations'

/** Migrates an empty database only by the ten files that replace the former ones. */
async function migrateByTen(client: pg.Client) {
  const folder = mkdtempSync(join(tmpdir(), 'bawaba-migrations-'))
  try {
    for (const file of readdirSync(MIGRATIONS).toSorted().slice(0, 10)) cpSync(join(MIGRATIONS, file), join(folder, file))
    await migrate({ client }, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Turns a new database into one of a former version: gives its schema the former names, and records only `count` former migrations. */
const age = (client: pg.Client, count: number, hashOfLast: string) =>
  client.query(`
    alter table memberships rename constraint memberships_pkey to group_users_pkey;
    alter table memberships rename constraint memberships_group_id_fkey to group_users_group_id_fkey;
    alter table memberships rename constraint memberships_user_id_fkey to group_users_user_id_fkey;
    alter index memberships_group_id_user_id_idx rename to group_users_group_id_user_id_idx;
    alter table direct_roles rename constraint direct_roles_pkey to user_roles_pkey;
    alter table direct_roles rename constraint direct_roles_user_id_fkey to user_roles_user_id_fkey;
    alter table direct_roles rename constraint direct_roles_role_id_fkey to user_roles_role_id_fkey;
    alter index direct_roles_role_id_user_id_idx rename to user_roles_role_id_user_id_idx;
    delete from migrations where id > 0;
    insert into migrations (id, name, hash)
      select n, case n when 1 then 'ledger' else 'former_' || n end, case n when ${count} then '${hashOfLast}' else 'x' end
      from generate_series(1, ${count}) as n`)

async function listsOf(client: pg.Client) {
  const { rows: migrations } = await client.query('select id, name, hash from migrations order by id')
  const { rows: names } = await client.query(`
    select conrelid::regclass::text as of, conname as name from pg_constraint where contype in ('p', 'f', 'u')
    union all select indrelid::regclass::text, indexrelid::regclass::text from pg_index where indexrelid >= 16384 and indrelid::regclass::text !~ '^pg_toast' order by 1, 2`)
  return { migrations, names }
}

test('a database that a former version has migrated completely counts as migrated by the new files', async () => {
  const [{ connection }, made] = [await makeDatabase(), await makeDatabase()]
  // Both are made now, because the migrations create the partitions of the present month.
  await migrateDb(made.connection)
  const fresh = await withClient(made.connection, listsOf)
  await withClient(connection, async (client) => {
    await migrateByTen(client)
    await age(client, 65, LAST)
    await Promise.all([migrateDb(connection), migrateDb(connection)])
    assert.deepEqual(await listsOf(client), fresh)
  })
})

for (const [count, hash] of [
  [64, 'another'],
  [65, 'another'],
  [66, 'another'],
] as const)
  test(`a database with ${count} former migrations, not all of them known, is refused in one line and not changed`, async () => {
    const { connection } = await makeMigratedDatabase()
    await withClient(connection, async (client) => {
      await age(client, count, hash)
      const before = await listsOf(client)
      await assert.rejects(migrateDb(connection), {
        message: `an early version has migrated the database (up to former_${count}): start the last version with 65 migrations on it first`,
      })
      assert.deepEqual(await listsOf(client), before)
    })
  })
