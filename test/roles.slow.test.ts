/** A portal whose schema belongs to another role does everything, and cannot get past the locks of the ledger. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import pg from 'pg'
import { withClient } from '../server/platform/database/client.ts'
import { addressOf } from '../server/platform/database/db.ts'
import { PASSWORD, until } from './portal.ts'
import { portals } from './process.ts'
import { portalRole } from './setup.ts'

const { makeDatabase, makeMigratedDatabase, runScript, startInVain, startPortal } = portals()

const role = portalRole()
const skip = role ? false : 'the tests have one role only'

async function makeRoles(make = makeMigratedDatabase) {
  const { url, connection } = await make()
  const own = { ...connection, ...role }
  return { connection: own, owner: connection, env: { DATABASE_URL: addressOf(own), DATABASE_OWNER_URL: url, ADMIN_PASSWORD: PASSWORD } }
}

/** Runs each statement in a transaction that is rolled back; returns the resulting SQLSTATEs. */
const endsOf = (connection: pg.PoolConfig, statements: readonly string[]) =>
  withClient(connection, async (client) => {
    const ends: (string | undefined)[] = []
    for (const statement of statements) {
      await client.query('begin')
      ends.push(
        await client.query(statement).then(
          () => 'done',
          (error: pg.DatabaseError) => error.code,
        ),
      )
      await client.query('rollback')
    }
    return ends
  })
const endOf = async (connection: pg.PoolConfig, statement: string) => (await endsOf(connection, [statement]))[0]

const childrenOf = (pid: number) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
const environmentOf = (pid: number) => readFileSync(`/proc/${pid}/environ`, 'utf8')

const recorded = ['ledger', 'permission_history', 'audit_seals']
const months = 'ledger_default'
const ATTACKS = [
  ...[...recorded, months].flatMap((table) => [
    `update ${table} set at = at`,
    `delete from ${table}`,
    `truncate ${table}`,
    `alter table ${table} disable trigger all`,
    `alter table ${table} disable trigger append_only`,
    `drop trigger append_only on ${table}`,
    `create trigger own before insert on ${table} for each row execute function refuse_rewriting()`,
    `create rule own as on delete to ${table} do instead nothing`,
    `alter table ${table} owner to current_user`,
    `alter table ${table} rename to other`,
    `drop table ${table} cascade`,
    `lock table ${table} in access exclusive mode`,
  ]),
  'alter table ledger detach partition ledger_default',
  `create table own partition of ledger for values from ('2000-01-01') to ('2000-02-01')`,
  `alter table users disable trigger demand_change`,
  'truncate users cascade',
  'create or replace function refuse_rewriting() returns trigger language plpgsql as $$ begin return new; end $$',
  'create or replace function demand_change() returns trigger language plpgsql as $$ begin return null; end $$',
  'alter function demand_change() set search_path = pg_temp',
  'drop function refuse_rewriting() cascade',
  'create function ensure_month(text, text) returns void language sql as $$ select $$',
  'create table own ()',
  'create temporary table ledger ()',
  'create schema own',
  'drop schema public cascade',
  'set session_replication_role = replica',
  'set role bawaba',
  `update migrations set hash = ''`,
  'delete from graphile_worker.migrations',
  `select setval('ledger_id_seq', 1)`,
  `insert into audit_seals (id, last_id, ids, contents, wholes, hash) values (1000000, 9000000000000000000, '{}', '{}', '{}', '')`,
  'update seal_horizon set last_id = 0',
  'delete from seal_horizon',
  'truncate seal_horizon',
  `insert into seal_horizon values (true, 9000000000000000000, '3') on conflict (only_row) do update set last_id = excluded.last_id`,
  'alter table ledger disable trigger number_row',
  'create or replace function number_ledger_row() returns trigger language plpgsql as $$ begin return new; end $$',
  'create or replace function seal_ledger() returns int language sql as $$ select 0 $$',
  'create policy own on ledger using (true)',
  'alter default privileges in schema public grant all on tables to public; create table own ()',
  'create role own',
]

async function assertLocked(connection: pg.PoolConfig) {
  const ends = await endsOf(connection, ATTACKS)
  assert.deepEqual(
    ATTACKS.filter((_, at) => ends[at] !== '42501'),
    [],
  )
}

test('a portal with its own role starts, works and restarts; its workers never learn the owner’s password', {
  skip,
}, async () => {
  const { env, connection, owner } = await makeRoles(makeDatabase)
  for (const workers of ['1', '2']) {
    const running = await startPortal({ ...env, WORKERS: workers })
    const admin = await running.stranger().signIn('admin')
    const stream = await admin.listen()
    assert.equal((await admin.post('/groups', { name: `Group ${workers}` })).status, 201)
    const { body: service } = await admin.post('/services', { nameAr: 'قهوة', nameEn: 'Coffee' })
    assert.equal((await admin.post('/orders', { serviceId: service.id })).status, 201)
    await stream.next('order_incoming_changed')
    stream.close()
    assert.deepEqual(
      running.logged().filter(({ level }) => Number(level) >= 40),
      [],
    )
    assert.doesNotMatch(running.printed.out + running.printed.err, new RegExp(String(owner.password)))
    const children = process.platform === 'linux' ? childrenOf(running.child.pid!) : []
    assert.equal(children.length, process.platform === 'linux' && workers === '2' ? 2 : 0)
    for (const pid of children) assert.doesNotMatch(environmentOf(pid), /OWNER/)
    assert.equal((await running.stop()).code, 0)
  }
  await assertLocked(connection)
})

test('after a separate migration, the portal starts without the owner’s password', { skip }, async () => {
  const { env, connection, owner } = await makeRoles(makeDatabase)
  const { DATABASE_OWNER_URL: _, ...without } = env
  // Every role may create objects in `public`, as in PostgreSQL 14. If the refused migration created any as the portal's role, they would
  // block the owner.
  await withClient(owner, (client) => client.query('grant create on schema public to public'))
  const refused = await runScript('admin', ['migrate'], without)
  assert.match(refused.err, /^DATABASE_URL: [^\n]+ \(only the owner of the schema can migrate it: set DATABASE_OWNER_URL\)\n$/)
  for (const _again of [1, 2]) {
    const { code, out, err } = await runScript('admin', ['migrate'], env)
    assert.deepEqual({ code, out, err }, { code: 0, out: 'The database has the schema of this version.\n', err: '' })
  }
  const running = await startPortal(without)
  assert.equal((await (await running.stranger().signIn('admin')).post('/groups', { name: 'New' })).status, 201)
  await running.stop()
  assert.match((await runScript('admin', ['recount'], without)).out, /^Every count is correct\.$/m)
  await assertLocked(connection)
})

test('a portal with its own role prepares months and seals the ledger, but cannot change the record', { skip }, async () => {
  const { env, connection, owner } = await makeRoles()
  const running = await startPortal(env)
  const admin = await running.stranger().signIn('admin')
  const client = new pg.Client(connection)
  await client.connect()
  const count = async (what: string) => Number((await client.query(`select count(*) as count from ${what}`)).rows[0].count)
  const months = `pg_inherits where inhparent = 'ledger'::regclass`
  const before = await count(months)
  for (const job of ['prepare_months', 'seal_ledger']) await client.query('select graphile_worker.add_job($1)', [job])
  await until('both are done', async () => (await count('graphile_worker.jobs')) === 0)
  assert.ok((await count(months)) > before)
  assert.deepEqual([(await admin.get('/admin/audit-logs/verify')).body.valid, (await count('audit_seals')) > 0], [true, true])
  await client.end()
  // The check includes the months that `prepare_months` has just added: on tables that are created later, only the owner has rights.
  const asOwner = new pg.Client(owner)
  await asOwner.connect()
  const { rows } = await asOwner.query(`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'ledger'::regclass`)
  await asOwner.end()
  for (const { name } of rows) assert.equal(await endOf(connection, `delete from ${name}`), '42501', name)
  await running.stop()
})

test('the portal may use the tables of a later version, and loses rights that somebody granted it', { skip }, async () => {
  const { env, connection, owner } = await makeRoles()
  for (const given of [
    'create table later (id int)',
    `create table later_history (id int); create trigger append_only before update or delete on later_history
       for each row execute function refuse_rewriting()`,
    `grant all on ledger, audit_seals to ${role!.user}`,
    `grant update (removed) on permission_history to ${role!.user}`,
    `grant create on schema public to ${role!.user}`,
  ]) {
    const client = new pg.Client(owner)
    await client.connect()
    await client.query(given)
    await client.end()
  }
  assert.equal(await endOf(connection, 'alter table ledger disable trigger all'), '42501')
  assert.equal(await endOf(connection, 'create table own ()'), 'done')
  const running = await startPortal(env)
  assert.equal(await endOf(connection, 'insert into later values (1); update later set id = 2; delete from later'), 'done')
  assert.equal(await endOf(connection, 'insert into later_history values (1)'), 'done')
  assert.equal(await endOf(connection, 'delete from later_history'), '42501')
  await assertLocked(connection)
  await running.stop()
})

test('a portal with one role for everything switches to two, and continues', { skip }, async () => {
  const { env, connection } = await makeRoles(makeDatabase)
  const former = { DATABASE_URL: env.DATABASE_OWNER_URL, ADMIN_PASSWORD: PASSWORD }
  const first = await startPortal(former)
  assert.equal((await (await first.stranger().signIn('admin')).post('/groups', { name: 'Before' })).status, 201)
  assert.match(
    (await startInVain({ ...former, DATABASE_URL: env.DATABASE_URL })).err,
    /^Bawaba cannot start: DATABASE_URL: [^\n]+ \(only the owner of the schema can migrate it: set DATABASE_OWNER_URL\)\n$/,
  )
  const second = await startPortal(env)
  for (const running of [first, second]) {
    const admin = await running.stranger().signIn('admin')
    assert.equal((await admin.get('/groups')).body.length, 2)
    assert.equal((await admin.get('/admin/audit-logs/verify')).body.valid, true)
    await running.stop()
  }
  await assertLocked(connection)
})

test('a wrong DATABASE_OWNER_URL stops the start with one line that shows no password', { skip }, async () => {
  const { env, connection, owner } = await makeRoles()
  const own = addressOf(connection)
  const refused: [env: Record<string, string>, line: RegExp][] = [
    [{ ...env, DATABASE_OWNER_URL: own }, /DATABASE_OWNER_URL: it has the role of DATABASE_URL, \w+: the owner needs one of its own$/],
    [
      { ...env, DATABASE_OWNER_URL: addressOf({ ...owner, database: 'postgres' }) },
      /DATABASE_OWNER_URL: it leads to another database than DATABASE_URL$/,
    ],
    [
      { ...env, DATABASE_URL: env.DATABASE_OWNER_URL, DATABASE_OWNER_URL: own },
      /DATABASE_OWNER_URL: the table \S+ belongs to \w+, not to \w+$/,
    ],
    [
      { ...env, DATABASE_OWNER_URL: addressOf({ ...owner, password: 'hidden' }) },
      /DATABASE_OWNER_URL: password authentication failed for user "\w+"$/,
    ],
    [
      { ...env, DATABASE_OWNER_URL: 'mysql://me:hidden@db/x' },
      /DATABASE_OWNER_URL: got a value that is not shown, takes a postgres or postgresql URL$/,
    ],
    [{ DATABASE_OWNER_URL: own }, /DATABASE_URL: got nothing while DATABASE_OWNER_URL is set, takes a postgres or postgresql URL$/],
  ]
  for (const [given, line] of refused) {
    const { code, out, err } = await startInVain(given)
    assert.match(err.trimEnd(), new RegExp(`^Bawaba cannot start: ${line.source}`))
    assert.deepEqual([code, out, err.trimEnd().includes('\n'), /hidden/.test(err)], [1, '', false, false])
  }
})
