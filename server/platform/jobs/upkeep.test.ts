import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { testPortal, until } from '../../../test/portal.ts'
import { slowTest } from '../../../test/suite.ts'

const portal = testPortal()

/** Runs a job as the schedule does, and waits until it has succeeded. */
async function run(job: string) {
  await portal.sql('select graphile_worker.add_job($1)', [job])
  await until(`${job} is done`, async () => {
    const [waiting] = await portal.sql<{ error: string | null }>(
      'select last_error as error from graphile_worker.jobs where task_identifier = $1',
      [job],
    )
    assert.equal(waiting?.error ?? null, null)
    return !waiting
  })
}

const poke = (to: { id: number }, mark: string, age = '0') =>
  portal.sql(
    `insert into events (at, event, data, recipients) values (now() - $1::interval, 'poke', json_build_object('mark', $2::text), array[$3::int])`,
    [age, mark, to.id],
  )

test('events older than a day are deleted; a client that was away longer gets resync, one that was away for less resumes', async () => {
  const huda = await portal.person('huda')
  const stream = await huda.listen()
  const before = stream.lastId
  await poke(huda, 'old', '25 hours')
  await poke(huda, 'young', '23 hours')
  const { id: old } = await stream.next('poke', ({ mark }) => mark === 'old')
  await stream.next('poke', ({ mark }) => mark === 'young')
  await run('clean_up')

  const late = await huda.listen(before)
  await poke(huda, 'now')
  await late.next('poke', ({ mark }) => mark === 'now')
  assert.deepEqual(
    late.events.map(({ event }) => event),
    ['resync', 'poke'],
  )
  const inTime = await huda.listen(old)
  await inTime.next('poke', ({ mark }) => mark === 'now')
  assert.deepEqual(
    inTime.events.map(({ data }) => data.mark),
    ['young', 'now'],
  )
})

slowTest('a backlog of several batches is deleted', async () => {
  await portal.sql(
    `insert into events (at, event, data, recipients) select now() - interval '2 days', 'poke', '{}', '{1}' from generate_series(1, 45000)`,
  )
  await run('clean_up')
  assert.equal((await portal.sql(`select from events where at < now() - interval '1 day'`)).length, 0)
})

test('the horizon of events never moves back', async () => {
  const [before] = await portal.sql<{ tx: string; id: number }>('select tx::text, id from event_horizon')
  await portal.sql(`insert into events (tx, at, event, data, recipients) values ('1', now() - interval '2 days', 'poke', '{}', '{1}')`)
  await run('clean_up')
  assert.deepEqual((await portal.sql('select tx::text, id from event_horizon'))[0], before)
})

test('sessions are deleted a day after they ended', async () => {
  const huda = await portal.person('sessions')
  const [living, ended, longEnded, expired, longExpired] = [
    huda,
    ...(await Promise.all([1, 2, 3, 4].map(() => portal.stranger().signIn('sessions')))),
  ]
  const ids = await Promise.all(
    [living, ended, longEnded, expired, longExpired].map(
      async (one) => (await one!.get('/auth/me/sessions')).body.find((s: { current: boolean }) => s.current).id,
    ),
  )
  const move = (index: number, what: string) => portal.sql(`update sessions set ${what} where id = ${ids[index]}`)
  await move(1, `ended_at = now() - interval '23 hours'`)
  await move(2, `ended_at = now() - interval '25 hours'`)
  await move(3, `expires_at = now() - interval '23 hours'`)
  await move(4, `expires_at = now() - interval '25 hours'`)
  await run('clean_up')
  const stored = await portal.sql<{ id: number }>(`select id from sessions where user_id = ${huda.id} order by id`)
  assert.deepEqual(
    stored.map(({ id }) => id),
    [ids[0], ids[1], ids[3]].sort((a, b) => a - b),
  )
})

test('counts of tries are deleted after their window', async () => {
  await portal.sql(`insert into rate_limits values ('over', 1, 0, now()), ('running', 1, 0, now() + interval '1 minute')`)
  await run('clean_up')
  assert.deepEqual(await portal.sql('select key from rate_limits'), [{ key: 'running' }])
})

test('the hash of a text that may be used only once is deleted an hour after the text expires', async () => {
  await portal.sql(
    `insert into used_once values ('over', now() - interval '61 minutes'), ('just over', now() - interval '50 minutes'), ('not over', now())`,
  )
  await run('clean_up')
  assert.deepEqual(await portal.sql('select hash from used_once order by hash'), [{ hash: 'just over' }, { hash: 'not over' }])
})

const months = async () =>
  (
    await portal.sql<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent in ('ledger'::regclass, 'app_opens'::regclass) order by 1`,
    )
  ).map(({ name }) => name)
const part = (table: string, ahead: number) => {
  const now = new Date()
  return `${table}_${new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)).toISOString().slice(0, 7).replace('-', '_')}`
}

test('this month and the next two get partitions, and a month with rows in the default partition does not hold up the rest', async () => {
  await portal.sql(
    `insert into ledger (at, kind, target_type, target_id, facts) values (((now() at time zone 'UTC') + interval '2 months') at time zone 'UTC', 'test.early', 'user', 1, '{}')`,
  )
  await run('prepare_months')
  const expected = ['app_opens', 'ledger'].flatMap((table) => [0, 1, 2].map((ahead) => part(table, ahead)))
  // A month may have ended since the database was made.
  const isPast = (name: string) => name < part(name.startsWith('ledger') ? 'ledger' : 'app_opens', 0)
  assert.deepEqual(
    (await months()).filter((name) => !isPast(name)),
    [...expected.filter((name) => name !== part('ledger', 2)), 'app_opens_default', 'ledger_default'].sort(),
  )
  assert.equal((await portal.sql(`select from ledger where kind = 'test.early'`)).length, 1)
  await run('prepare_months')
})

test('preparing a month gives up while its table is being read, because writers would queue behind it, and succeeds later', async () => {
  const missing = part('app_opens', 2)
  await portal.sql(`drop table ${missing}`)
  const reader = new pg.Client(portal.connection)
  await reader.connect()
  await reader.query('begin; select from app_opens_default')
  const [job] = await portal.sql<{ id: number }>(`select id from graphile_worker.add_job('prepare_months')`)
  const read = async () =>
    (await portal.sql<{ failure: string | null }>('select last_error as failure from graphile_worker.jobs where id = $1', [job!.id]))[0]
  const { failure } = await until('it has given up', async () => {
    const found = await read()
    return found?.failure ? found : null
  })
  assert.match(failure!, /lock timeout/)
  await reader.end()
  await portal.sql('update graphile_worker._private_jobs set run_at = now() where id = $1', [job!.id])
  await until('it is there', async () => (await months()).includes(missing))
})
