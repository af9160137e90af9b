/** Runs once before all test files: starts one PostgreSQL with a migrated database that each file clones. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Postgres, startPostgres } from '../server/platform/postgres/server.ts'
import { migrateDb } from '../server/portal.ts'
import { findUnprovoked, provokedFolder } from './provoked.ts'

export const TEMPLATE = 'bawaba_test_template'

/** Settings without durability. Tests that kill the server have one of their own. */
const careless = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

let postgres: Postgres | null = null
let folder = ''
let heard = ''

export async function globalSetup() {
  heard = await mkdtemp(join(tmpdir(), 'bawaba-heard-'))
  provokedFolder(heard)
  let connection: pg.ClientConfig = { connectionString: process.env['DATABASE_URL'] }
  if (!process.env['DATABASE_URL']) {
    folder = await mkdtemp(join(tmpdir(), 'bawaba-test-'))
    postgres = await startPostgres(folder, undefined, undefined, careless)
    connection = postgres.connection
  }
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`drop database if exists ${TEMPLATE} (force)`)
  await client.query(`create database ${TEMPLATE} template template0 encoding 'UTF8'`)
  const { host, port, user, password } = client
  await client.end()
  process.env['TEST_POSTGRES'] = JSON.stringify({ host, port, user, password, database: 'postgres' })
  await migrateDb({ host, port, user, password: password ?? undefined, database: TEMPLATE })
}

export async function globalTeardown() {
  await postgres?.stop()
  const unprovoked = findUnprovoked(heard)
  await rm(heard, { recursive: true, force: true })
  if (folder) await rm(folder, { recursive: true, force: true })
  // Only a run of all tests can tell.
  if (!process.env['TEST_WHOLE'] || unprovoked.length === 0) return
  console.error(`\nDeclared in \`refuses\`, and provoked by no test:\n  ${unprovoked.join('\n  ')}`)
  process.exitCode = 1
}
