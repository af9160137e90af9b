import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { ADMIN_PASSWORD, until } from '../../../test/house.ts'
import { makeFolder, makeMigratedDatabase, startPortal } from '../../../test/process.ts'

test('a PDF that a killed server was making is made once by the next', async () => {
  const { url, connection } = await makeMigratedDatabase()
  const settings = { DATABASE_URL: url, DATA_DIR: makeFolder(), ADMIN_PASSWORD, LOG_LEVEL: 'silent' }
  const database = new pg.Pool({ ...connection, max: 1 })
  database.on('error', () => {})
  const count = async (table: string, condition: string) =>
    (await database.query(`select count(*)::int as count from ${table} where ${condition}`)).rows[0].count as number
  try {
    const first = await startPortal(settings)
    const admin = await first.stranger().signIn('admin', ADMIN_PASSWORD)
    const { status, body } = await admin.post('/executive-meetings/pdf-archives', { date: '2031-01-01', language: 'ar' })
    assert.equal(status, 201)
    await until('it is being made', () => count('graphile_worker.jobs', `task_identifier = 'make_pdf_archive' and locked_by is not null`))
    await first.stop('SIGKILL')
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
