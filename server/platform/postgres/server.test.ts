import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../../../test/client.ts'
import { answers, clusterOf, clusters, lockFileOf, query, readPostmaster, serversOf } from '../../../test/clusters.ts'
import { drill } from '../../../test/depth.ts'
import { findPrograms, runProgram } from './programs.ts'
import { borrowPostgres, startPostgres } from './server.ts'

const { makeFolder, makeCluster, start, runElsewhere } = clusters()

test('an empty folder becomes a database that knows Arabic', async () => {
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

test('a wrong password is refused, and the right ones are readable by their owner alone', async () => {
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

drill('a cluster from before the portal had a role of its own is given it, and keeps its data', async () => {
  const folder = await makeCluster()
  const first = await start(folder)
  await query(first, 'CREATE TABLE kept AS SELECT 7 AS value')
  await first.stop()
  rmSync(join(folder, 'postgres.portal-password'))
  const cluster = clusterOf(folder)
  await runProgram(findPrograms(cluster), 'postgres', ['--single', '-D', cluster, 'postgres'], 'DROP ROLE bawaba_portal\n')
  const second = await start(folder)
  assert.deepEqual(await query(second, 'SELECT value FROM kept'), [[7]])
  assert.deepEqual(await query({ owner: second.connection }, 'SELECT current_user'), [['bawaba_portal']])
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

test('stopping ends queries that run', async () => {
  const folder = await makeCluster()
  const postgres = await start(folder)
  const sleeping = query(postgres, `SELECT pg_sleep(600)`)
  const ended = assert.rejects(sleeping)
  await until('the query runs', async () => (await query(postgres, `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'`)).length)
  await postgres.stop()
  await ended
  assert.deepEqual(serversOf(folder), [])
})

drill('a second portal on the same folder is refused, and the first goes on', async () => {
  const folder = await makeCluster()
  const postgres = await start(folder)
  const refused = /^another portal is running on .+; stop it first, or give this one another DATA_DIR$/
  await assert.rejects(startPostgres(folder), (error: Error) => refused.test(error.message))
  const other = runElsewhere(folder, 'await startPostgres(folder).catch((error) => console.log(error.message))')
  const [said] = await once(other.stdout!, 'data')
  assert.match(String(said).trim(), refused)
  assert.ok(await answers(postgres))
})

drill('a task borrows the database of the portal that runs, or one of its own', async () => {
  const folder = join(makeFolder(), 'long '.repeat(20))
  const alone = await borrowPostgres(folder)
  await query(alone, 'CREATE TABLE kept AS SELECT 7 AS value')
  await alone.release()
  assert.deepEqual(serversOf(folder), [])
  const postgres = await start(folder)
  const shared = await borrowPostgres(folder)
  assert.deepEqual(await query(shared, 'SELECT value FROM kept'), [[7]])
  await shared.release()
  assert.ok(await answers(postgres))
})

drill('a path too long for a socket works', async () => {
  const folder = join(makeFolder(), 'ب'.repeat(40), 'long '.repeat(20))
  const postgres = await start(folder)
  assert.ok(await answers(postgres))
  assert.equal(statSync(postgres.connection.host).mode & 0o777, 0o700)
  await postgres.stop()
  assert.ok(!existsSync(postgres.connection.host))
})

drill('a path with spaces, commas and quotes works', async () => {
  assert.ok(await answers(await start(join(makeFolder(), `a b, "c" 'd'`))))
})

drill('a folder below one that only the account of the portal can enter works, restarts included', async () => {
  const folder = join(makeFolder(0o700), 'data')
  const first = await start(folder)
  await query(first, 'CREATE TABLE kept AS SELECT 7 AS value')
  await first.stop()
  const second = await start(folder)
  process.kill(readPostmaster(folder), 'SIGKILL')
  await until('the server is back', () => answers(second))
  assert.deepEqual(await query(second, 'SELECT value FROM kept'), [[7]])
})

drill('when a process of the server crashes, the server ends, and another is started', async () => {
  const folder = await makeCluster()
  const postgres = await start(folder)
  const server = readPostmaster(folder)
  const ofServer = serversOf(folder).find((pid) => pid !== server)!
  process.kill(ofServer, 'SIGKILL')
  await until('the server has ended', () => !serversOf(folder).includes(server))
  await until('another answers', () => answers(postgres))
})

test('PostgreSQL never runs as root', async () => {
  const folder = await makeCluster()
  await start(folder)
  assert.notEqual(statSync(lockFileOf(folder)).uid, 0)
})

test('a folder of something else in place of the database stops the start with one line', async () => {
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

test('a server that cannot start says why in one line', async () => {
  const folder = await makeCluster()
  const postgres = await start(folder)
  await postgres.stop()
  writeFileSync(join(clusterOf(folder), 'postgresql.conf'), 'no_such_setting = 1\n')
  await assert.rejects(startPostgres(folder), (error: Error) => /^PostgreSQL does not start: .*no_such_setting.*$/.test(error.message))
})
