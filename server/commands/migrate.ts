/** Brings the schema of a database to this version. Loads only the modules that migrating needs. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { migrate } from 'postgres-migrations'
import { completeLooks } from '../people/users/complete-looks.ts'
import { withClient } from '../platform/database/client.ts'
import { assertOwner, grantRights, type Identity, wayPastLocks } from '../platform/database/roles.ts'
import { assertSuitable, excessiveRights, knowsLetters, LETTERS_UNKNOWN } from '../platform/database/suitable.ts'
import { beginAnewAfterRestore } from '../platform/events/event-log.ts'
import { migrateJobs } from '../platform/jobs/migrate.ts'
import { replaceFormerMigrations } from './former-migrations.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

/** Throws an error of one line if a newer version has migrated the database. */
async function assertNotNewer(client: pg.Client) {
  if (!(await client.query(`select to_regclass('migrations')`)).rows[0].to_regclass) return
  const { rows } = await client.query<{ id: number; name: string }>('select id, name from migrations where id > 0 order by id desc limit 1')
  const last = rows[0]
  if (last && last.id > readdirSync(MIGRATIONS).length)
    throw new Error(`a newer version has migrated the database (${last.name}): start that version`)
}

/**
 * Migrates the database to this version's schema, one instance at a time. Throws an error of one line if the database is not suitable;
 * lesser problems go to `warn`.
 */
export async function migrateDb(owner: pg.PoolConfig, warn: (line: string) => void = () => {}) {
  await withClient(owner, async (client) => {
    await assertSuitable(client)
    await replaceFormerMigrations(client, MIGRATIONS)
    await assertNotNewer(client)
    await migrate({ client }, MIGRATIONS)
    await completeLooks(client)
    if (!(await knowsLetters(client))) warn(LETTERS_UNKNOWN)
    if (await beginAnewAfterRestore(client)) warn('the database was restored from elsewhere: event streams start over')
  })
  await migrateJobs(owner)
}

/** Migrates as the owner of the schema, then gives the portal's role, which owns nothing, its rights. */
export async function migrateFor(portal: Identity, owner: pg.PoolConfig, warn?: (line: string) => void) {
  await assertOwner(owner, portal)
  await migrateDb(owner, warn)
  await grantRights(owner, portal.role)
}

/** A warning if the portal's role has too many rights, otherwise undefined; `hasOwner` is whether another role should own the schema. */
export const warningOf = (connection: pg.PoolConfig, hasOwner: boolean) =>
  withClient(connection, async (client) => (await excessiveRights(client)) ?? (hasOwner ? await wayPastLocks(client) : undefined))
