import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findServers } from './processes.ts'
import { borrowPostgres, type Postgres, startPostgres } from './server.ts'

const made: string[] = []
const running = new Set<Postgres>()
const children = new Set<ChildProcess>()

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const postgres of running) await postgres.stop()
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
  children.clear()
  running.clear()
  made.length = 0
})

/** A new folder, which every account may pass through unless `mode` says otherwise. */
function makeFolder(mode = 0o711) {
  const folder = mkdtempSync(join(tmpdir(), 'bawaba-test-'))
  chmodSync(folder, mode)
  made.push(folder)
  return folder
}

async function start(folder: string, log?: (line: string) => void) {
  const postgres = await startPostgres(folder, log)
  running.add(postgres)
  return postgres
}

async function query(postgres: Pick<Postgres, 'connection'>, text: string) {
  const client = new pg.Client(postgres.connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows as unknown[][]
  } finally {
    await client.end().catch(() => {})
  }
}

async function waitUntil(isTrue: () => unknown) {
  while (!(await isTrue())) await sleep(10)
}

const clusterOf = (folder: string) => join(folder, 'postgres')
const serversOf = (folder: string) => findServers(clusterOf(folder))
const lockFileOf = (folder: string) => join(clusterOf(folder), 'postmaster.pid')
const readPostmaster = (folder: string) => Number.parseInt(readFileSync(lockFileOf(folder), 'utf8'), 10)

/** Another process that runs `code` with `startPostgres` and the folder at hand. */
function runElsewhere(folder: string, code: string) {
  const script = `import { startPostgres } from ${JSON.stringify(import.meta.resolve('./server.ts'))}
    const folder = ${JSON.stringify(folder)}
    ${code}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.add(child)
  return child
}

async function startElsewhere(folder: string) {
  const child = runElsewhere(folder, 'console.log(JSON.stringify(await startPostgres(folder)))')
  const [line] = await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')])
  return { child, ...(JSON.parse(line) as Pick<Postgres, 'connection'>) }
}

async function killHard(child: ChildProcess) {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

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
  const postgres = await start(makeFolder())
  const settings = ['is_superuser', 'fsync', 'synchronous_commit', 'listen_addresses', 'max_connections', 'password_encryption']
  const [row] = await query(postgres, `SELECT ${settings.map((name) => `current_setting('${name}')`)}`)
  assert.deepEqual(row, ['off', 'on', 'on', '', '200', 'scram-sha-256'])
})

test('a wrong password is refused, and the right one is readable by its owner alone', async () => {
  const folder = makeFolder()
  const { connection } = await start(folder)
  await assert.rejects(query({ connection: { ...connection, password: 'wrong' } }, 'SELECT 1'), { code: '28P01' })
  assert.equal(statSync(join(folder, 'postgres.password')).mode & 0o777, 0o600)
})

test('a restart keeps data and password, and stopping leaves no process and no socket', async () => {
  const folder = makeFolder()
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
  const folder = makeFolder()
  const postgres = await start(folder)
  const sleeping = query(postgres, `SELECT pg_sleep(600)`)
  const ended = assert.rejects(sleeping)
  await waitUntil(async () => (await query(postgres, `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'`)).length)
  await postgres.stop()
  await ended
  assert.deepEqual(serversOf(folder), [])
})

test('a start takes over from a portal that was killed and keeps what was committed', async () => {
  const folder = makeFolder()
  const { child, connection } = await startElsewhere(folder)
  await query({ connection }, 'CREATE TABLE kept AS SELECT 7 AS value')
  await killHard(child)
  const left = serversOf(folder)
  assert.ok(left.includes(readPostmaster(folder)))
  const postgres = await start(folder)
  assert.ok(!serversOf(folder).some((pid) => left.includes(pid)))
  assert.deepEqual(await query(postgres, 'SELECT value FROM kept'), [[7]])
})

test('a portal that ends without stopping takes its server along', async () => {
  const folder = makeFolder()
  await once(runElsewhere(folder, 'await startPostgres(folder); process.exit(1)'), 'exit')
  await waitUntil(() => !serversOf(folder).length)
})

test('a killed postmaster is replaced by itself, and no acknowledged commit is lost', async () => {
  const folder = makeFolder()
  const lines: string[] = []
  const postgres = await start(folder, (line) => lines.push(line))
  await query(postgres, 'CREATE TABLE written (value int)')
  const acknowledged: number[] = []
  for (let round = 0; round < 3; round++) {
    const killed = readPostmaster(folder)
    const before = acknowledged.length
    const writing = writeUntilFailure(postgres, acknowledged)
    await waitUntil(() => acknowledged.length > before + 20)
    process.kill(killed, 'SIGKILL')
    await writing
    await waitUntil(() => answers(postgres))
  }
  const written = await query(postgres, 'SELECT value FROM written')
  assert.deepEqual(new Set(acknowledged).difference(new Set(written.flat())), new Set())
  assert.equal(lines.filter((line) => /ended by SIGKILL; starting it again/.test(line)).length, 3)
})

async function writeUntilFailure(postgres: Postgres, acknowledged: number[]) {
  const client = new pg.Client(postgres.connection)
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

const answers = (postgres: Postgres) =>
  query(postgres, 'SELECT 1').then(
    () => true,
    () => false,
  )

test('a start under a killed postmaster whose backend still works waits for that backend to end', async () => {
  const folder = makeFolder()
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
  const folder = makeFolder()
  const postgres = await start(folder)
  process.kill(readPostmaster(folder), 'SIGKILL')
  await postgres.stop()
  assert.deepEqual(serversOf(folder), [])
})

test('a second portal on the same folder is refused, and the first goes on', async () => {
  const folder = makeFolder()
  const postgres = await start(folder)
  const refused = /^another portal is running on .+; stop it first, or give this one another DATA_DIR$/
  await assert.rejects(startPostgres(folder), (error: Error) => refused.test(error.message))
  const other = runElsewhere(folder, 'await startPostgres(folder).catch((error) => console.log(error.message))')
  const [said] = await once(other.stdout!, 'data')
  assert.match(String(said).trim(), refused)
  assert.ok(await answers(postgres))
})

test('a task borrows the database of the portal that runs, or one of its own', async () => {
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

test('a folder below one that only the account of the portal can enter works, restarts included', async () => {
  const folder = join(makeFolder(0o700), 'data')
  const first = await start(folder)
  await query(first, 'CREATE TABLE kept AS SELECT 7 AS value')
  await first.stop()
  const second = await start(folder)
  process.kill(readPostmaster(folder), 'SIGKILL')
  await waitUntil(() => answers(second))
  assert.deepEqual(await query(second, 'SELECT value FROM kept'), [[7]])
})

test('PostgreSQL never runs as root', async () => {
  const folder = makeFolder()
  await start(folder)
  assert.notEqual(statSync(lockFileOf(folder)).uid, 0)
})

test('what a start killed while making the database left is removed', async () => {
  const folder = makeFolder()
  const child = runElsewhere(folder, 'await startPostgres(folder)')
  await waitUntil(() => halfMade(folder).length)
  await killHard(child)
  assert.equal(halfMade(folder).length, 1)
  assert.ok(await answers(await start(folder)))
  assert.deepEqual(halfMade(folder), [])
})

const halfMade = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('postgres.new-'))

test('a folder of something else in place of the database stops the start with one line', async () => {
  const folder = makeFolder()
  mkdirSync(clusterOf(folder))
  writeFileSync(join(clusterOf(folder), 'letter.txt'), 'dear')
  await assert.rejects(startPostgres(folder), /^Error: .+ is in the way: neither empty nor a database; move it elsewhere$/)
})

test('a lost password file is replaced', async () => {
  const folder = makeFolder()
  const first = await start(folder)
  await first.stop()
  rmSync(join(folder, 'postgres.password'))
  const second = await start(folder)
  assert.notEqual(second.connection.password, first.connection.password)
  assert.ok(await answers(second))
})

test('a server that cannot start says why in one line', async () => {
  const folder = makeFolder()
  const postgres = await start(folder)
  await postgres.stop()
  writeFileSync(join(clusterOf(folder), 'postgresql.conf'), 'no_such_setting = 1\n')
  await assert.rejects(startPostgres(folder), (error: Error) => /^PostgreSQL does not start: .*no_such_setting.*$/.test(error.message))
})

/** The lock file of a server that is gone, with a process number of our choice. */
async function leaveLockFile(folder: string, change: (text: string) => string) {
  const postgres = await start(folder)
  const text = readFileSync(lockFileOf(folder), 'utf8')
  const { uid, gid } = statSync(lockFileOf(folder))
  await postgres.stop()
  writeFileSync(lockFileOf(folder), change(text), { mode: 0o600 })
  chownSync(lockFileOf(folder), uid, gid)
}

test('a lock file whose process number now belongs to a stranger is overcome, and the stranger lives', async () => {
  const folder = makeFolder()
  const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)', '--', '-D', clusterOf(folder)])
  children.add(stranger)
  await leaveLockFile(folder, (text) => text.replace(/^\d+/, String(stranger.pid)))
  assert.ok(await answers(await start(folder)))
  assert.deepEqual([stranger.exitCode, stranger.signalCode], [null, null])
})

test('a PostgreSQL of another folder is no leftover of this one', async () => {
  const [folder, other] = [makeFolder(), makeFolder()]
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
  test(`a lock file ${what} is overcome`, async () => {
    const folder = makeFolder()
    await leaveLockFile(folder, change)
    assert.ok(await answers(await start(folder)))
  })
