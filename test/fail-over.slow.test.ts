/** A database that comes back without its last commits, as after a fail-over to a standby that lagged behind. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { migrateFor } from '../server/commands/migrate.ts'
import { addressOf } from '../server/platform/database/db.ts'
import { identityOf } from '../server/platform/database/roles.ts'
import { sendSignal } from '../server/platform/postgres/processes.ts'
import { type Postgres, startPostgres } from '../server/platform/postgres/server.ts'
import { clusterOf, query, readPostmaster } from './clusters.ts'
import { addPerson, signedIn } from './people.ts'
import { Client, type Instance, openInstance, until } from './portal.ts'
import { portals } from './process.ts'
import { scratch } from './scratch.ts'

const { runScript } = portals()

// The database server of this file does not know the role of the tests’ shared server.
delete process.env['TEST_ROLE']

const folder = mkdtempSync(join(scratch, 'bawaba-test-'))
chmodSync(folder, 0o711)
let postgres: Postgres | undefined
let instance: Instance | undefined
after(async () => {
  await instance?.close()
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const open = async (connection: Postgres['connection']) => {
  instance = await openInstance(connection)
  return instance
}
const close = async () => {
  await instance?.close()
  instance = undefined
}

const cookies = { admin: '', huda: '' }
let huda = { id: 0, username: 'huda' }

before(async () => {
  postgres = await startPostgres(folder)
  await migrateFor(await identityOf(postgres.connection), postgres.owner)
  const first = await open(postgres.connection)
  const [{ id }] = (await first.db.reads.selectFrom('users').select('id').execute()) as [{ id: number }]
  const author = { id, username: 'admin' }
  cookies.admin = (await signedIn(first, author)).cookie
  huda = await addPerson(first, author, 'huda', {})
  cookies.huda = (await signedIn(first, huda)).cookie
  await close()
})

test('after a fail-over that lost commits, lost rights stay lost, and no stream misses later events', async () => {
  const older = `${folder}/older`
  await postgres!.stop()
  execFileSync('cp', ['-a', clusterOf(folder), older])

  postgres = await startPostgres(folder)
  const { base } = await open(postgres.connection)
  const as = (name: 'admin' | 'huda') => Object.assign(new Client(base), { cookie: cookies[name] })
  const stream = await as('huda').listen()
  assert.equal((await as('admin').post(`/users/${huda.id}/roles`, { roleName: 'admin' })).status, 200)
  assert.equal((await as('huda').get('/users')).status, 200)
  await stream.next('me_changed')
  const { lastId } = stream
  const versionOf = async () => (await query(postgres!, `select version from user_access where user_id = ${huda.id}`))[0]![0]
  const lost = await versionOf()

  await postgres.stop()
  rmSync(clusterOf(folder), { recursive: true })
  execFileSync('mv', [older, clusterOf(folder)])
  writeFileSync(join(clusterOf(folder), 'standby.signal'), '')
  postgres = await startPostgres(folder)
  await until('the standby answers', () =>
    query(postgres!, 'select').then(
      () => true,
      () => false,
    ),
  )
  for (const path of ['/healthz', '/auth/me', '/users']) assert.equal((await as('admin').get(path)).status, 503, path)
  assert.equal((await as('admin').post('/notes', { title: 'Lost' })).status, 503)
  writeFileSync(join(clusterOf(folder), 'promote'), '')
  sendSignal(readPostmaster(folder), 'SIGUSR1')
  await until('it is served again', async () => (await as('admin').get('/healthz')).status === 200)

  // Makes as many changes as were lost, so that a version that only counts them would repeat.
  assert.equal((await as('admin').post(`/users/${huda.id}/roles`, { roleName: 'order_receiver' })).status, 200)
  assert.equal((await as('huda').get('/users')).status, 403)
  assert.notEqual(await versionOf(), lost)
  await stream.next('resync')
  await until('the event of the change arrives', () => stream.seen('me_changed').length === 2)
  const again = await as('huda').listen(lastId)
  await again.next('resync')
  again.close()
  stream.close()
})

test('a stream resumes after a restart, but not after an operator has declared the database restored', async () => {
  const resume = async () => {
    await close()
    const { base } = await open(postgres!.connection)
    return Object.assign(new Client(base), { cookie: cookies.huda })
  }
  const stream = await (await resume()).listen()
  const { lastId } = stream
  stream.close()
  const resumed = await (await resume()).listen(lastId)
  assert.deepEqual(resumed.seen('resync'), [])
  resumed.close()
  await close()
  const leaps = async () =>
    (await query(postgres!, `select from audit_stream_places where note ->> 'event' = 'audit_stream.database_restored'`)).length
  const before = await leaps()
  const { out } = await runScript('admin', ['restored'], { DATABASE_URL: addressOf(postgres!.owner) })
  assert.match(out, /load everything again/)
  const again = await (await resume()).listen(lastId)
  await again.next('resync')
  again.close()
  // The ids leap, because a collector may already have received those that would come next.
  await until('the ids of the audit stream leap', async () => (await leaps()) > before)
})
