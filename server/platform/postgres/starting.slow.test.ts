import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../../../test/client.ts'
import { clusterOf, clusters, lockFileOf, query, serversOf } from '../../../test/clusters.ts'
import { startPostgres } from './server.ts'

const { makeFolder, makeCluster, start } = clusters()

test('a new database uses UTF-8 and handles Arabic letters, collation and trigrams', async () => {
  const folder = makeFolder()
  const postgres = await start(folder)
  const [row] = await query(
    postgres,
    `SELECT current_setting('server_encoding'), lower('ÉÀ'), 'ب' ~ '^[[:alpha:]]$', 'ا' < 'ب' COLLATE "ar-x-icu"`,
  )
  assert.deepEqual(row, ['UTF8', 'éà', true, true])
  await query(postgres, 'CREATE EXTENSION pg_trgm')
  assert.deepEqual(await query(postgres, `SELECT cardinality(show_trgm('بوابة')) > 3`), [[true]])
})

test('the portal is no superuser, commits reach the disk, and nothing listens on the network', async () => {
  const postgres = await start(await makeCluster())
  const settings = ['is_superuser', 'fsync', 'synchronous_commit', 'listen_addresses', 'max_connections', 'password_encryption']
  const [row] = await query(postgres, `SELECT ${settings.map((name) => `current_setting('${name}')`)}`)
  assert.deepEqual(row, ['off', 'on', 'on', '', '200', 'scram-sha-256'])
})

test('a wrong password is refused, and the files with the right ones are readable by their owner alone', async () => {
  const folder = await makeCluster()
  const { connection, owner } = await start(folder)
  for (const role of [connection, owner])
    await assert.rejects(query({ owner: { ...role, password: 'wrong' } }, 'SELECT 1'), { code: '28P01' })
  for (const file of ['postgres.password', 'postgres.portal-password']) assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600, file)
})

test('the portal owns nothing, and makes neither tables nor databases', async () => {
  const { connection } = await start(await makeCluster())
  for (const statement of ['CREATE TABLE own ()', 'CREATE SCHEMA own', 'CREATE DATABASE own', 'CREATE ROLE own', 'SET ROLE bawaba'])
    await assert.rejects(query({ owner: connection }, statement), { code: '42501' }, statement)
})

test('a restart keeps data and password, and stopping leaves no process and no socket', async () => {
  const folder = await makeCluster()
  const first = await start(folder)
  await query(first, 'CREATE TABLE kept AS SELECT 7 AS value')
  await first.stop()
  await first.exited
  assert.deepEqual(serversOf(folder), [])
  assert.ok(!existsSync(join(first.connection.host, '.s.PGSQL.5432')))
  const second = await start(folder)
  assert.deepEqual(second.connection, first.connection)
  assert.deepEqual(await query(second, 'SELECT value FROM kept'), [[7]])
})

test('stopping ends running queries', async () => {
  const folder = await makeCluster()
  const postgres = await start(folder)
  const sleeping = query(postgres, `SELECT pg_sleep(600)`)
  const ended = assert.rejects(sleeping)
  await until('the query runs', async () => (await query(postgres, `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'`)).length)
  await postgres.stop()
  await ended
  assert.deepEqual(serversOf(folder), [])
})

test('PostgreSQL never runs as root', async () => {
  const folder = await makeCluster()
  await start(folder)
  assert.notEqual(statSync(lockFileOf(folder)).uid, 0)
})

test('a folder with other content in place of the database stops the start with an error of one line', async () => {
  const folder = makeFolder()
  mkdirSync(clusterOf(folder))
  writeFileSync(join(clusterOf(folder), 'letter.txt'), 'dear')
  await assert.rejects(startPostgres(folder), /^Error: .+ is in the way: neither empty nor a database; move it elsewhere$/)
})

for (const [file, role, other] of [
  ['postgres.password', 'owner', 'connection'],
  ['postgres.portal-password', 'connection', 'owner'],
] as const)
  test(`a lost ${file} is replaced`, async () => {
    const folder = await makeCluster()
    const first = await start(folder)
    await first.stop()
    rmSync(join(folder, file))
    const second = await start(folder)
    assert.notEqual(second[role].password, first[role].password)
    assert.deepEqual(second[other], first[other])
    for (const one of [second.connection, second.owner]) assert.deepEqual(await query({ owner: one }, 'SELECT 1'), [[1]])
  })

test('if the server cannot start, the error gives the reason in one line', async () => {
  const folder = await makeCluster()
  const postgres = await start(folder)
  await postgres.stop()
  writeFileSync(join(clusterOf(folder), 'postgresql.conf'), 'no_such_setting = 1\n')
  await assert.rejects(startPostgres(folder), (error: Error) => /^PostgreSQL does not start: .*no_such_setting.*$/.test(error.message))
})
