import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../../../test/client.ts'
import { answers, clusterOf, clusters, query, readPostmaster, serversOf } from '../../../test/clusters.ts'
import { findPrograms, runProgram } from './programs.ts'
import { borrowPostgres, startPostgres } from './server.ts'

const { makeFolder, makeCluster, start, runElsewhere } = clusters()

test('a cluster made before the portal had its own role gets that role, and keeps its data', async () => {
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

test('a second portal on the same folder is refused, and the first goes on', async () => {
  const folder = await makeCluster()
  const postgres = await start(folder)
  const refused = /^another portal is running on .+; stop it first, or give this one another DATA_DIR$/
  await assert.rejects(startPostgres(folder), (error: Error) => refused.test(error.message))
  const other = runElsewhere(folder, 'await startPostgres(folder).catch((error) => console.log(error.message))')
  const [said] = await once(other.stdout!, 'data')
  assert.match(String(said).trim(), refused)
  assert.ok(await answers(postgres))
})

test('a task borrows the running portal’s database, or one that is started for the task', async () => {
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

test('a path too long for a socket works', async () => {
  const folder = join(makeFolder(), 'ب'.repeat(40), 'long '.repeat(20))
  const postgres = await start(folder)
  assert.ok(await answers(postgres))
  assert.equal(statSync(postgres.connection.host).mode & 0o777, 0o700)
  await postgres.stop()
  assert.ok(!existsSync(postgres.connection.host))
})

test('a path with spaces, commas and quotes works', async () => {
  assert.ok(await answers(await start(join(makeFolder(), `a b, "c" 'd'`))))
})

test('a data folder inside a folder that only the portal’s account can enter works, restarts included', async () => {
  const folder = join(makeFolder(0o700), 'data')
  const first = await start(folder)
  await query(first, 'CREATE TABLE kept AS SELECT 7 AS value')
  await first.stop()
  const second = await start(folder)
  process.kill(readPostmaster(folder), 'SIGKILL')
  await until('the server is back', () => answers(second))
  assert.deepEqual(await query(second, 'SELECT value FROM kept'), [[7]])
})

test('when a process of the server crashes, the server ends, and another is started', async () => {
  const folder = await makeCluster()
  const postgres = await start(folder)
  const server = readPostmaster(folder)
  const ofServer = serversOf(folder).find((pid) => pid !== server)!
  process.kill(ofServer, 'SIGKILL')
  await until('the server has ended', () => !serversOf(folder).includes(server))
  await until('another answers', () => answers(postgres))
})
