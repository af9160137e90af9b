import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { makeCertificate } from './certificate.ts'
import { PASSWORD } from './portal.ts'
import { portals } from './process.ts'
import { listenSecurely } from './tcp-way.ts'

const { makeDatabase, makeFolder, makeMigratedDatabase, runScript, startInVain, startPortal } = portals()

async function query(connection: pg.PoolConfig, text: string) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Asserts that a start on this database fails with this one line. */
async function assertRefused(DATABASE_URL: string, message: RegExp) {
  const { code, out, err } = await startInVain({ DATABASE_URL })
  assert.match(err, message)
  assert.deepEqual([code, out], [1, ''])
}

test('a database given by URL is migrated at the first start, and reused at the second', async () => {
  const { url } = await makeDatabase()
  const first = await startPortal({ DATABASE_URL: url, ADMIN_PASSWORD: PASSWORD })
  await (await first.stranger().signIn('admin')).patch('/auth/me/language', { language: 'en' })
  assert.equal((await first.stop()).code, 0)
  const second = await startPortal({ DATABASE_URL: url })
  assert.equal((await (await second.stranger().signIn('admin')).get('/auth/me')).body.preferredLanguage, 'en')
  const link = await runScript('admin', ['reset-link', 'admin'], { DATABASE_URL: url })
  assert.match(link.out, /^http:\/\/\S+\/reset-password\?token=/)
})

test('passwords are hashed at full cost: of the first administrator, of people who register, and of created accounts', async () => {
  const { url, connection } = await makeMigratedDatabase()
  const portal = await startPortal({ DATABASE_URL: url, ADMIN_PASSWORD: PASSWORD })
  const account = (username: string) => ({ username, email: `${username}@example.org`, password: PASSWORD })
  assert.equal((await portal.stranger().post('/auth/register', account('huda'))).status, 201)
  assert.equal((await (await portal.stranger().signIn('admin')).post('/users', account('salem'))).status, 201)
  const hashes = await query(connection, 'select password_hash from users')
  assert.equal(hashes.length, 3)
  for (const { password_hash } of hashes) assert.match(password_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('two portals started at once on an empty database migrate it in turn, and both serve', async () => {
  const { url } = await makeDatabase()
  const start = () => startPortal({ DATABASE_URL: url, ADMIN_PASSWORD: PASSWORD })
  const [here, there] = await Promise.all([start(), start()])
  const { cookie } = await here.stranger().signIn('admin')
  assert.equal((await Object.assign(there.stranger(), { cookie }).get('/users')).body.length, 1)
  assert.deepEqual([(await here.stop()).code, (await there.stop()).code], [0, 0])
})

test('a database of a newer version stops the start and is not changed', async () => {
  const { url, connection } = await makeMigratedDatabase()
  await query(connection, `insert into migrations (id, name, hash) values (9999, 'to-come', 'x')`)
  await assertRefused(
    url,
    /^Bawaba cannot start: DATABASE_URL: a newer version has migrated the database \(to-come\): start that version$/m,
  )
})

test('a database that cannot be reached stops the start with one line that shows no password', () =>
  assertRefused(
    'postgres://portal:hidden@127.0.0.1:1/portal',
    /^Bawaba cannot start: DATABASE_URL: connect ECONNREFUSED 127\.0\.0\.1:1\n$/,
  ))

test('an unreachable database with several addresses stops the start with one line that shows no password', () =>
  assertRefused('postgres://portal:hidden@localhost:1/portal', /^Bawaba cannot start: DATABASE_URL: connect ECONNREFUSED [^\n]+:1\n$/))

test('a database whose certificate authority is unknown stops the start with one line that names the setting', async () => {
  const own = makeCertificate('localhost')
  const folder = makeFolder()
  writeFileSync(join(folder, 'ca.pem'), own.cert)
  const port = await listenSecurely(
    () => own,
    (near) => near.once('data', () => near.destroy()),
  )
  const address = `postgres://portal:hidden@localhost:${port}/portal`
  for (const mode of ['require', 'verify-full'])
    await assertRefused(
      `${address}?sslmode=${mode}`,
      /^Bawaba cannot start: DATABASE_URL: self-signed certificate \(name the file of its authority: sslmode=verify-full&sslrootcert=[^\n]*\n$/,
    )
  const named = `${address}?sslmode=verify-full&sslrootcert=`
  await assertRefused(`${named}${join(folder, 'ca.pem')}`, /^Bawaba cannot start: DATABASE_URL: Connection terminated unexpectedly\n$/)
  await assertRefused(`${named}/nowhere.pem`, /^Bawaba cannot start: DATABASE_URL: ENOENT[^\n]*\/nowhere\.pem[^\n]*\n$/)
})

test('a database that rejects the login stops the start with one line that shows no password', async () => {
  const { url } = await makeDatabase()
  await assertRefused(
    url.replace(/\/\/.*?@/, '//stranger:hidden@'),
    /^Bawaba cannot start: DATABASE_URL: (?!.*hidden)[^\n]*stranger[^\n]*\n$/,
  )
})

test('a database with an encoding other than UTF-8 is refused', async () => {
  const { connection } = await makeDatabase()
  const [{ version }] = await query(connection, `select current_setting('server_version_num')::int as version`)
  const provider = version >= 150_000 ? 'locale_provider libc' : ''
  const { url } = await makeDatabase(`encoding 'SQL_ASCII' ${provider} lc_collate 'C' lc_ctype 'C'`)
  await assertRefused(url, /^Bawaba cannot start: DATABASE_URL: the encoding of the database is SQL_ASCII: the portal needs UTF8\n$/)
})

test('a migration that was changed after it ran is reported in one line', async () => {
  const { url, connection } = await makeMigratedDatabase()
  await query(connection, `update migrations set hash = 'another' where name = 'record'`)
  await assertRefused(url, /^Bawaba cannot start: DATABASE_URL: Migration failed[^\n]+0001_record\.sql[^\n]*\n$/)
})

test('a database that lacks some of the earlier migrations stops the start with one line that says what to do', async () => {
  const { url, connection } = await makeMigratedDatabase()
  await query(connection, `update migrations set name = 'ledger' where id = 1`)
  await assertRefused(
    url,
    /^Bawaba cannot start: DATABASE_URL: an early version has migrated the database \(up to \w+\): start the last version with 65 migrations on it first\n$/,
  )
})

test('if no administrator is active and the name of the first one is taken, one line says so', async () => {
  const { url, connection } = await makeMigratedDatabase()
  await (await startPortal({ DATABASE_URL: url })).stop()
  await query(
    connection,
    `begin;
     insert into ledger (kind, target_type, target_id, facts) select 'test.meddled', 'user', id, '{}' from users;
     update users set is_active = false;
     commit`,
  )
  await assertRefused(url, /^Bawaba cannot start: ADMIN_USERNAME, ADMIN_EMAIL: there is no active administrator, and admin or [^\n]+\n$/)
  const portal = await startPortal({
    DATABASE_URL: url,
    ADMIN_USERNAME: 'salem',
    ADMIN_EMAIL: 'salem@example.org',
    ADMIN_PASSWORD: PASSWORD,
  })
  await portal.stranger().signIn('salem')
})

test('a database whose LC_CTYPE has no Arabic letters is used with a warning', async () => {
  const { url, connection } = await makeDatabase(`encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`)
  const portal = await startPortal({ DATABASE_URL: url })
  const [{ known }] = await query(connection, `select show_trgm('بوابة') <> '{}' as known`)
  const warned = portal.logged().filter(({ msg }) => /LC_CTYPE/.test(String(msg)))
  assert.deepEqual([known, warned.length], [false, 1])
  assert.equal((await portal.stranger().get('/healthz')).status, 200)
})

test('a portal whose role has too many rights logs that at the start', async () => {
  const { url, connection } = await makeMigratedDatabase()
  const warnings = async () => {
    const portal = await startPortal({ DATABASE_URL: url })
    await portal.stop()
    return portal.logged().filter(({ level, msg }) => level === 40 && /database role/.test(String(msg)))
  }
  assert.deepEqual(await warnings(), [])
  // The view shadows the catalogue's view of the same name.
  await query(
    connection,
    `create schema pretended;
     create view pretended.pg_roles as select current_user as rolname, true as rolsuper, false as rolbypassrls;
     alter database ${connection.database} set search_path = public, pretended, pg_catalog`,
  )
  const [warning, ...others] = await warnings()
  assert.match(String(warning?.['msg']), /is a superuser: give the portal an ordinary one/)
  assert.deepEqual(others, [])
})

test('compose.yaml gives the portal ordinary roles, and creates the database with a different role', () => {
  const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
  const compose = read('compose.yaml')
  const roles = [...compose.matchAll(/DATABASE_(?:OWNER_)?URL: postgres:\/\/(\w+):/g)].map(([, role]) => role!)
  const [, maker = 'postgres'] = /POSTGRES_USER: (\w+)/.exec(compose) ?? []
  assert.ok(roles.length > 0 && !roles.includes(maker), String(roles))
  const [, script] = /\.\/(\S+):\/docker-entrypoint-initdb\.d\//.exec(compose)!
  for (const role of roles)
    assert.match(
      read(script!),
      new RegExp(`^create role ${role} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls `, 'm'),
    )
})

test('after a restore from a server with higher transaction ids, streams resync and events arrive', async () => {
  const { url, connection } = await makeMigratedDatabase()
  const before = await startPortal({ DATABASE_URL: url, ADMIN_PASSWORD: PASSWORD })
  const { lastId } = await (await before.stranger().signIn('admin')).listen()
  await before.stop()
  await query(connection, `insert into events (tx, event, data) values ('9000000000', 'poke', '{}')`)

  const portal = await startPortal({ DATABASE_URL: url })
  const admin = await portal.stranger().signIn('admin')
  const stream = await admin.listen(lastId)
  await portal.stranger().post('/auth/forgot-password', { identifier: 'admin' })
  await stream.next('notification_created')
  assert.deepEqual(
    stream.events.map(({ event }) => event),
    ['resync', 'notification_created'],
  )
  assert.equal(portal.logged().filter(({ msg }) => /restored/.test(String(msg))).length, 1)
  stream.close()
})
