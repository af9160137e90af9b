/** The portal behind PgBouncer. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { PASSWORD, until } from './portal.ts'
import { portals } from './process.ts'
import { needing } from './programs.ts'
import { openWay } from './tcp-way.ts'

const { makeDatabase, makeFolder, startInVain, startPortal } = portals()

const programs: ChildProcess[] = []
after(async () => {
  for (const program of programs) {
    if (program.exitCode !== null || program.signalCode !== null) continue
    program.kill('SIGKILL')
    await once(program, 'exit')
  }
})

/** Starts PgBouncer, which refuses to run as root, in front of a new database; returns the address to use. */
async function pooled(mode: 'session' | 'transaction') {
  const { connection } = await makeDatabase()
  const { user, password, database } = connection
  const way = await openWay(connection)
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port: front } = free.address() as { port: number }
  free.close()
  const folder = makeFolder()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
${database} = host=127.0.0.1 port=${way} user=${user} password='${password}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${front}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 40
`,
  )
  chmodSync(file, 0o644)
  programs.push(spawn('pgbouncer', [...(process.getuid!() === 0 ? ['-u', 'nobody'] : []), file], { stdio: 'ignore' }))
  const probe = () => fetch(`http://127.0.0.1:${front}`).catch((error) => error.cause.code !== 'ECONNREFUSED')
  await until('it listens', probe)
  return `postgres://${user}:x@127.0.0.1:${front}/${database}`
}

test('behind a pooler in session mode the portal works, and reads stay read-only', needing('pgbouncer'), async () => {
  const url = await pooled('session')
  const portal = await startPortal({ DATABASE_URL: url, ADMIN_PASSWORD: PASSWORD })
  const admin = await portal.stranger().signIn('admin')
  const stream = await admin.listen()
  assert.equal((await admin.post('/notes', { title: 'Through a pooler' })).status, 201)
  assert.equal((await admin.get('/notes')).body.length, 1)
  stream.close()
  assert.equal((await portal.stop()).code, 0)
})

test('a pooler in transaction mode stops the start with one line', needing('pgbouncer'), async () => {
  const { code, out, err } = await startInVain({ DATABASE_URL: await pooled('transaction') })
  assert.match(err, /^Bawaba cannot start: DATABASE_URL: a pooler gives each transaction another session [^\n]*pool_mode=session\)\n$/)
  assert.deepEqual([code, out], [1, ''])
})
