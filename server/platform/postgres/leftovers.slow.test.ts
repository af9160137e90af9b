/** Starting after a crash that left processes, lock files or unfinished clusters. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chownSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import pg from 'pg'
import { until } from '../../../test/client.ts'
import { answers, clusterOf, clusters, killHard, lockFileOf, query, readPostmaster, serversOf } from '../../../test/clusters.ts'
import type { Postgres } from './server.ts'

const { makeFolder, makeCluster, start, startElsewhere, runElsewhere, spawnNode } = clusters()

test('a start takes over from a killed portal, and keeps the committed data', async () => {
  const folder = await makeCluster()
  const { child, owner } = await startElsewhere(folder)
  await query({ owner }, 'CREATE TABLE kept AS SELECT 7 AS value')
  await killHard(child)
  const left = serversOf(folder)
  assert.ok(left.includes(readPostmaster(folder)))
  const postgres = await start(folder)
  assert.ok(!serversOf(folder).some((pid) => left.includes(pid)))
  assert.deepEqual(await query(postgres, 'SELECT value FROM kept'), [[7]])
})

test('a portal that ends without stopping ends its server too', async () => {
  const folder = await makeCluster()
  await once(runElsewhere(folder, 'await startPostgres(folder); process.exit(1)'), 'exit')
  await until('the server is gone', () => !serversOf(folder).length)
})

test('a killed postmaster is restarted, and no acknowledged commit is lost', async () => {
  const folder = await makeCluster()
  const lines: string[] = []
  const postgres = await start(folder, (line) => lines.push(line))
  const linesMatching = (text: RegExp) => lines.filter((line) => text.test(line)).length
  await query(postgres, 'CREATE TABLE written (value int)')
  const acknowledged: number[] = []
  for (let round = 0; round < 3; round++) {
    const killed = readPostmaster(folder)
    const before = acknowledged.length
    const writing = writeUntilFailure(postgres, acknowledged)
    await until('some are acknowledged', () => acknowledged.length > before + 20)
    process.kill(killed, 'SIGKILL')
    await writing
    // The server answers queries a little before this is logged.
    await until('the server is known to be back', () => linesMatching(/runs again/) === round + 1)
  }
  const written = await query(postgres, 'SELECT value FROM written')
  assert.deepEqual(new Set(acknowledged).difference(new Set(written.flat())), new Set())
  assert.equal(linesMatching(/ended by SIGKILL; starting it again/), 3)
})

async function writeUntilFailure(postgres: Postgres, acknowledged: number[]) {
  const client = new pg.Client(postgres.owner)
  client.on('error', () => {})
  await client.connect()
  try {
    for (;;) {
      const value = acknowledged.length
      await client.query('INSERT INTO written VALUES ($1)', [value])
      acknowledged.push(value)
    }
  } catch {
    await client.end().catch(() => {})
  }
}

test('a start after the postmaster was killed ends a backend that is still at work', async () => {
  const folder = await makeCluster()
  const { child, connection } = await startElsewhere(folder)
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  const [backend] = (await client.query('SELECT pg_backend_pid() AS pid')).rows
  const counting = assert.rejects(client.query('SELECT count(*) FROM generate_series(1, 1e12)'))
  process.kill(backend.pid, 'SIGSTOP')
  const postmaster = readPostmaster(folder)
  await killHard(child)
  process.kill(postmaster, 'SIGKILL')
  const postgres = await start(folder)
  assert.ok(!serversOf(folder).includes(backend.pid))
  assert.ok(await answers(postgres))
  await counting
})

test('stopping right after a crash leaves no process', async () => {
  const folder = await makeCluster()
  const postgres = await start(folder)
  process.kill(readPostmaster(folder), 'SIGKILL')
  await postgres.stop()
  assert.deepEqual(serversOf(folder), [])
})

test('the leftovers of a start that was killed while it made the database are removed', async () => {
  const folder = makeFolder()
  const child = runElsewhere(folder, 'await startPostgres(folder)')
  await until('the cluster is being made', () => halfMade(folder).length)
  await killHard(child)
  assert.equal(halfMade(folder).length, 1)
  assert.ok(await answers(await start(folder)))
  assert.deepEqual(halfMade(folder), [])
})

const halfMade = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('postgres.new-'))

/** Leaves the lock file of a server that has stopped, with its text changed. */
async function leaveLockFile(folder: string, change: (text: string) => string) {
  const postgres = await start(folder)
  const text = readFileSync(lockFileOf(folder), 'utf8')
  const { uid, gid } = statSync(lockFileOf(folder))
  await postgres.stop()
  writeFileSync(lockFileOf(folder), change(text), { mode: 0o600 })
  chownSync(lockFileOf(folder), uid, gid)
}

test('a lock file whose process id belongs to another program is replaced, and that program lives', async () => {
  const folder = await makeCluster()
  const stranger = spawnNode('-e', 'setInterval(() => {}, 1e6)', '--', '-D', clusterOf(folder))
  await leaveLockFile(folder, (text) => text.replace(/^\d+/, String(stranger.pid)))
  assert.ok(await answers(await start(folder)))
  assert.deepEqual([stranger.exitCode, stranger.signalCode], [null, null])
})

test('a PostgreSQL of another folder is not stopped', async () => {
  const [folder, other] = [await makeCluster(), await makeCluster()]
  const neighbour = await start(other)
  const pid = readPostmaster(other)
  await leaveLockFile(folder, (text) => text.replace(/^\d+/, String(pid)))
  assert.ok(await answers(await start(folder)))
  assert.equal(readPostmaster(other), pid)
  assert.ok(await answers(neighbour))
})

for (const [what, change] of [
  ['of a dead process', (text: string) => text.replace(/^\d+/, '4194303')],
  ['that is empty', () => ''],
] as const)
  test(`a start succeeds with a lock file ${what}`, async () => {
    const folder = await makeCluster()
    await leaveLockFile(folder, change)
    assert.ok(await answers(await start(folder)))
  })
