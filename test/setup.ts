/** Runs once before all test files: starts one PostgreSQL with a migrated database that each file clones. */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { migrateDb, migrateFor } from '../server/commands/migrate.ts'
import { withClient } from '../server/platform/database/client.ts'
import { identityOf } from '../server/platform/database/roles.ts'
import { type Postgres, startPostgres } from '../server/platform/postgres/server.ts'
import { provokedFolder } from './provoked.ts'
import { scratch } from './scratch.ts'
import { seed } from './suite.ts'

export const TEMPLATE = 'bawaba_test_template'

/**
 * Settings without durability. Tests that kill the server start a server of their own. The databases of the ordinary suite are small and
 * live for seconds: there, planning a statement anew for its values costs more time than it saves.
 */
const careless = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  ...(process.env['TEST_SUITE'] === 'ordinary' && { plan_cache_mode: 'force_generic_plan' }),
}

/** Enough connections for the portals of all files that run at once; a file has up to five portals. */
const CONNECTIONS = 600

let postgres: Postgres | null = null
let folder = ''
let shared = ''

/** A folder that all files of a run share and that is removed at the end. */
export const sharedFolder = () => process.env['TEST_SHARED']!

/** The database role of the portals under test. Null, as with `TEST_ROLES=1`, if they use the tests' own role, which owns the databases. */
export const portalRole = (): { user: string; password: string } | null =>
  process.env['TEST_ROLE'] && process.env['TEST_ROLES'] !== '1' ? JSON.parse(process.env['TEST_ROLE']) : null

/** Sets `scram_iterations` to 1: the tests open thousands of connections. */
const easePassword = (role: pg.ClientConfig) =>
  withClient(role, (client) => client.query(`set scram_iterations = 1; alter role ${role.user} password '${role.password}'`))

export async function globalSetup() {
  console.log(`TEST_SEED=${seed}`)
  shared = await mkdtemp(join(scratch, 'bawaba-shared-'))
  // Let other accounts enter the folder, because database servers in it run under an account of their own.
  await chmod(shared, 0o711)
  process.env['TEST_SHARED'] = shared
  await mkdir(join(shared, 'provoked'))
  provokedFolder(join(shared, 'provoked'))
  let connection: pg.ClientConfig = { connectionString: process.env['DATABASE_URL'] }
  if (!process.env['DATABASE_URL']) {
    folder = await mkdtemp(join(scratch, 'bawaba-test-'))
    postgres = await startPostgres(folder, undefined, { connections: CONNECTIONS, settings: careless })
    for (const role of [postgres.owner, postgres.connection]) await easePassword(role)
    connection = postgres.owner
    const { user, password } = postgres.connection
    process.env['TEST_ROLE'] = JSON.stringify({ user, password })
  }
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`drop database if exists ${TEMPLATE} (force)`)
  await client.query(`create database ${TEMPLATE} template template0 encoding 'UTF8'`)
  const { host, port, user, password } = client
  await client.end()
  process.env['TEST_POSTGRES'] = JSON.stringify({ host, port, user, password, database: 'postgres' })
  const owner = { host, port, user, password: password ?? undefined, database: TEMPLATE }
  const role = portalRole()
  if (role) await migrateFor(await identityOf({ ...owner, ...role }), owner)
  else await migrateDb(owner)
}

export async function globalTeardown() {
  await postgres?.stop()
  await rm(shared, { recursive: true, force: true })
  if (folder) await rm(folder, { recursive: true, force: true })
}
