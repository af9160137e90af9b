/** PDFs that are being made: waiting for them, repeated jobs, and their stored bytes. */
import assert from 'node:assert/strict'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { ARCHIVES, archiving, fileOf, newDay } from '../../../../test/archives.ts'
import { silence } from '../../../../test/makers.ts'
import { objectStore } from '../../../../test/object-stores.ts'
import { quiet, testPortal, until } from '../../../../test/portal.ts'
import { day } from '../../../../test/schedules.ts'
import { uploads } from '../../../../test/uploads.ts'
import type { JobContext } from '../../../platform/jobs/runner.ts'
import { makePdfArchive } from './jobs.ts'
import { printArchive } from './printing.ts'
import { typeset } from './typesetting.ts'

const portal = testPortal(objectStore('folder'))
const { contents } = uploads(portal)
const { meet, archive, read, ready, abandoned, print } = archiving(portal)
const context = () => ({ ...portal.instance, log: quiet }) as unknown as JobContext

describe('while the PDF is being made', () => {
  test('a hundred callers waiting for one file hold no database connections', async () => {
    const { id } = await archive(newDay())
    const one = await abandoned()
    // On a slow machine, making the file may take longer than one call waits.
    const patiently = async () => {
      for (;;) {
        const answer = await read(fileOf(one))
        if (answer.status !== 503) return answer
      }
    }
    const crowd = Promise.all(Array.from({ length: 100 }, patiently))
    for (let n = 0; n < 20; n++) assert.equal((await portal.admin.get('/auth/me')).status, 200)
    const day = `(select content from pdf_archives where id = ${id})`
    await portal.meddle('pdf_archive', one.id, `update pdf_archives set content = ${day} where id = ${one.id}`)
    await makePdfArchive({ id: one.id }, context())
    for (const { status } of await crowd) assert.equal(status, 200)
  })

  test('a stopping server ends the calls that wait for a file', async () => {
    const other = await portal.another()
    const one = await abandoned()
    const [{ asked }] = (await portal.sql<{ asked: Date }>('select clock_timestamp() as asked')) as [{ asked: Date }]
    const waiting = read(fileOf(one), {}, other.base)
    const looking = `select from pg_stat_activity where application_name = 'bawaba' and query like '%"sha256"%"pdf_archives"%' and query_start > $1`
    await until('it is looked for', async () => (await portal.sql(looking, [asked])).length > 0)
    await other.app.close()
    assert.equal((await waiting).status, 503)
  })
})

describe('a job that runs again', () => {
  test('leaves exactly one PDF if it runs several times at once', async () => {
    const before = await contents()
    const one = await archive(newDay())
    await Promise.all(Array.from({ length: 3 }, () => makePdfArchive({ id: one.id }, context())))
    const { sha256 } = await ready(one)
    await until('no bytes are left over', async () => (await contents()).length === before.length + 1)
    const stored = await portal.sql(`select from ledger where kind = 'pdf_archive.stored' and target_id = $1`, [one.id])
    assert.equal(stored.length, 1)
    await makePdfArchive({ id: one.id }, context())
    assert.equal((await ready(one)).sha256, sha256)
    assert.equal((await contents()).length, before.length + 1)
  })

  test('does nothing if its archive was deleted', async () => {
    const before = await contents()
    await makePdfArchive({ id: 2147483647 }, context())
    assert.deepEqual(await contents(), before)
  })

  test('makes the same bytes', async () => {
    const one = await archive(newDay())
    const { sha256 } = await ready(one)
    await portal.meddle(
      'pdf_archive',
      one.id,
      `update pdf_archives set key = null, size = null, sha256 = null, stored_at = null where id = ${one.id}`,
    )
    await makePdfArchive({ id: one.id }, context())
    assert.equal((await ready(one)).sha256, sha256)
  })
})

describe('an archive whose PDF cannot be made', () => {
  /** A typesetter that does not finish in time. */
  const tooLong = (day: string) => typeset(day, 1)
  const listed = async (date: string) => (await portal.admin.get(`${ARCHIVES}?from=${date}&to=${date}`)).body
  /** An archive as the log records it. */
  const recorded = (one: object) =>
    Object.fromEntries(Object.entries(one).filter(([name]) => !['stale', 'changedSince', 'creator'].includes(name)))
  const becomes = (id: number, status: string) => ({ event: 'pdf_archive_changed', data: { id, status }, to: [portal.admin.id] })
  const givenUp = (one: object, id: number) => ({
    ...silence,
    audit: [{ action: 'pdf_archive.delete', type: 'pdf_archive', target: id, metadata: { before: recorded(one), after: null } }],
    notices: [{ user: portal.admin.id, type: 'meeting', titleEn: 'A schedule could not be printed' }],
  })

  test('is removed if typesetting times out twice; the person who asked for it is notified and may ask again', async () => {
    const date = '2033-03-01'
    const one = await abandoned(date)
    const { events, ...traces } = await portal.traces(() => printArchive({ id: one.id }, context(), tooLong))
    const { events: _, ...expected } = givenUp(one, one.id)
    assert.deepEqual(traces, expected)
    const [{ id: _id, createdAt: _at, userId: _user, ...notification }] = (await portal.admin.get('/notifications?limit=1')).body
    assert.deepEqual(
      events.map(({ event, to }) => [event, to]),
      ['notification_created', 'pdf_archive_changed'].map((event) => [event, [portal.admin.id]]),
    )
    assert.deepEqual(notification, {
      type: 'meeting',
      titleAr: 'تعذّرت طباعة جدول اجتماعات',
      titleEn: 'A schedule could not be printed',
      bodyAr: 'تعذّرت طباعة جدول اجتماعات يوم الثلاثاء، 1 مارس 2033 (29 ذو القعدة 1454 هـ). اطبعه مرة أخرى.',
      bodyEn: 'The schedule for Tuesday, 1 March 2033 (29 Dhuʻl-Qiʻdah 1454 AH) could not be printed. Print it again.',
      isRead: false,
      joinUrl: null,
      relatedType: null,
      relatedId: null,
    })
    assert.deepEqual(await listed(date), [])
    assert.equal((await read(fileOf(one))).status, 404)
    await ready(await archive(date))
  })

  test('is tried up to its job’s limit and then removed', async () => {
    const date = newDay()
    const one = await abandoned(date)
    await print(one, 2)
    const failed = `select from graphile_worker.jobs where task_identifier = 'make_pdf_archive' and attempts = 1 and last_error is not null`
    await until('the first try has failed', async () => (await portal.sql(failed)).length > 0)
    assert.deepEqual(await listed(date), [one])
    await portal.sql(`update graphile_worker._private_jobs set run_at = now() where attempts = 1`)
    await until('it is removed', async () => (await listed(date)).length === 0)
  })

  test('stays if another job has just made its PDF', async () => {
    const one = await abandoned()
    const printable = JSON.stringify({ content: day('en', []), madeAt: one.createdAt })
    const overtaken = async () => {
      await printArchive({ id: one.id, userId: 2 }, context(), () => typeset(printable))
      return undefined
    }
    const traces = await portal.traces(() => printArchive({ id: one.id, userId: 1 }, context(), overtaken))
    assert.deepEqual([traces, (await ready(one)).id], [{ ...silence, events: [becomes(one.id, 'ready')] }, one.id])
  })

  test('notifies nobody if the person who asked for it was deleted', async () => {
    const one = await abandoned()
    await portal.meddle('pdf_archive', one.id, `update pdf_archives set created_by = null where id = ${one.id}`)
    const { audit, ...others } = await portal.traces(() => printArchive({ id: one.id }, context(), tooLong))
    const { audit: _, ...nothing } = silence
    const expected = { ...nothing, events: [becomes(one.id, 'removed')] }
    assert.deepEqual([audit.map(({ action }) => action), others], [['pdf_archive.delete'], expected])
  })
})

test('two instances make each PDF once', async () => {
  const other = Object.assign(portal.stranger(), { cookie: portal.admin.cookie })
  Object.assign(other, { base: (await portal.another()).base })
  const before = await contents()
  const date = newDay()
  await meet(date)
  const made = await Promise.all(Array.from({ length: 8 }, (_, n) => archive(date, { by: n % 2 ? portal.admin : other })))
  for (const one of made) await ready(one)
  assert.equal((await contents()).length, before.length + 8)
  assert.equal(new Set(made.map(({ objectPath }) => objectPath)).size, 8)
})

test('the sweep keeps old PDFs of archives, and removes objects that no archive refers to', async () => {
  const one = await archive(newDay())
  await ready(one)
  const lost = await portal.instance.objects.put(Readable.from([Buffer.from('lost')]), 4)
  const old = new Date(Date.now() - 48 * 3600 * 1000)
  for (const key of await contents()) await utimes(join(portal.instance.config.dataDir, 'objects', key), old, old)
  await portal.sql(`select from graphile_worker.add_job('sweep_objects')`)
  await until('the sweep is over', async () => (await portal.sql('select from graphile_worker.jobs')).length === 0)
  const keys = (await portal.sql<{ key: string }>('select key from pdf_archives where key is not null')).map(({ key }) => key)
  assert.ok(!keys.includes(lost))
  assert.deepEqual((await contents()).toSorted(), keys.toSorted())
  assert.equal((await read(fileOf(one))).status, 200)
})
