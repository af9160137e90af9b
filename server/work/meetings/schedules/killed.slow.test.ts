import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { ADMIN_PASSWORD, until } from '../../../../test/portal.ts'
import { portals } from '../../../../test/process.ts'

const { makeFolder, makeMigratedDatabase, startPortal } = portals()

/** Makes every transaction that stores a PDF wait for this session. */
const HOLD = `
  create function wait_for_test() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
  create trigger wait_for_test before update on pdf_archives for each row execute function wait_for_test();
  select pg_advisory_lock(1)`
const WAITING = `from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`

test('if a server is killed while it makes a PDF, the next server makes the PDF once', async () => {
  const { url, connection } = await makeMigratedDatabase()
  const settings = { DATABASE_URL: url, DATA_DIR: makeFolder(), ADMIN_PASSWORD, LOG_LEVEL: 'silent' }
  const database = new pg.Client(connection)
  await database.connect()
  const count = async (table: string, condition: string) =>
    (await database.query(`select count(*)::int as count from ${table} where ${condition}`)).rows[0].count as number
  try {
    await database.query(HOLD)
    const first = await startPortal(settings)
    const admin = await first.stranger().signIn('admin', ADMIN_PASSWORD)
    const { status, body } = await admin.post('/executive-meetings/pdf-archives', { date: '2031-01-01', language: 'ar' })
    assert.equal(status, 201)
    await until('it is about to be stored', async () => (await database.query(`select ${WAITING}`)).rowCount)
    await first.stop('SIGKILL')
    await database.query(`select pg_terminate_backend(pid) ${WAITING}`)
    await database.query('select pg_advisory_unlock(1)')
    assert.equal(await count('graphile_worker.jobs', `task_identifier = 'make_pdf_archive' and locked_by is not null`), 1)
    assert.equal(await count('pdf_archives', 'key is not null'), 0)

    const second = await startPortal(settings)
    const back = await second.stranger().signIn('admin', ADMIN_PASSWORD)
    await database.query(`update graphile_worker._private_jobs set locked_at = locked_at - interval '1 minute' where locked_at is not null`)
    await database.query(`select graphile_worker.add_job('free_lost_jobs')`)
    await until('it is made', () => count('pdf_archives', 'key is not null'))
    assert.equal((await back.get(`/executive-meetings/pdf-archives/${body.id}/file`)).status, 200)
    assert.equal(await count('ledger', `kind = 'pdf_archive.stored'`), 1)
    await second.stop()
  } finally {
    await database.end()
  }
})
