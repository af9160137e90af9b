import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { silence } from '../../../test/makers.ts'
import { openInstance, testPortal, until, untilClosed } from '../../../test/portal.ts'
import { recordRefusal } from '../../../test/provoked.ts'
import { isStopping } from '../../platform/process/draining.ts'

const portal = testPortal()

test('the portal is healthy while its database answers', async () => {
  const { status, body } = await portal.stranger().get('/healthz')
  assert.deepEqual([status, body], [200, { status: 'ok' }])
})

test('a health check while the portal stops gets 503, and its connection is closed', async () => {
  const other = await openInstance(portal.connection)
  const taken = once(other.app.server, 'connection')
  const socket = connect(Number(new URL(other.base).port), '127.0.0.1')
  await taken
  const closed = other.close()
  await until('it stops', () => isStopping(other.app))
  const chunks: string[] = []
  socket.setEncoding('utf8').on('data', (text: string) => chunks.push(text))
  socket.write('GET /api/healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await Promise.all([closed, untilClosed(socket)])
  const [head, body] = chunks.join('').split('\r\n\r\n')
  assert.match(head!, /^HTTP\/1\.1 503 .*\r\nconnection: close\r\n/is)
  const { status, code } = JSON.parse(body!)
  assert.deepEqual([status, code], ['unavailable', 'unavailable'])
  recordRefusal('GET', '/healthz', code)
})

const health = async () => {
  const { status, body, text } = await portal.admin.get('/admin/health')
  assert.equal(status, 200, text)
  return body
}
const addJob = async (name: string, set = 'run_at = run_at') => {
  const [job] = await portal.sql<{ id: number }>(`select id from graphile_worker.add_job($1)`, [name])
  await portal.sql(`update graphile_worker._private_jobs set ${set} where id = $1`, [job!.id])
  return Number(job!.id)
}

test('administrators see the state of the portal, including jobs that have failed for good', async () => {
  const before = await health()
  assert.ok(Math.abs(Date.parse(before.startedAt) - performance.timeOrigin) < 1000)
  assert.match(before.version.version, /^\d/)
  assert.deepEqual([before.database.ok, before.database.ms > 0, before.database.size > 1_000_000], [true, true, true])
  assert.deepEqual([before.mail, before.pushes], [{ configured: false }, { waiting: 0, configured: false }])
  assert.ok(before.storage.free > 0)
  assert.deepEqual(before.auditStream, { state: 'off', lagSeconds: 0 })
  assert.deepEqual([before.secrets.configured, Math.abs(before.clock.aheadSeconds) < 2], [false, true])
  const [{ rows }] = (await portal.sql('select count(*)::int as rows from ledger')) as unknown as [{ rows: number }]
  assert.deepEqual([before.ledger.rows, before.ledger.valid], [rows, null])

  await addJob('seal_ledger')
  await until('the ledger is sealed', async () => (await health()).ledger.valid === true)
  await portal.admin.post('/groups', { name: 'Counted' })
  assert.equal((await health()).ledger.rows, rows + 1)
  await portal.sql(
    `begin; alter table audit_seals disable trigger user; grant update on audit_seals to current_user; update audit_seals set hash = 'x'; commit`,
  )
  assert.deepEqual([(await health()).ledger.valid, (await health()).ledger.rows], [false, rows + 1])

  const stop = new AbortController()
  const streams = before.streams
  await fetch(`${portal.base}/api/events`, { headers: { cookie: portal.admin.cookie }, signal: stop.signal })
  assert.equal((await health()).streams, streams + 1)
  stop.abort()
})

test('the health report says how far the portal’s clock is ahead of the database’s', async (t) => {
  const { now } = Date
  t.mock.method(Date, 'now', () => now() + 90_000)
  assert.ok(Math.abs((await health()).clock.aheadSeconds - 90) < 2)
})

test('a job that has failed for good is listed without its payload, and retried on demand', async () => {
  const given = `attempts = max_attempts, last_error = E'it failed\n    at secret', run_at = now() - interval '1 hour'`
  const id = await addJob('no_such_job', given)
  const found = async () => (await health()).queue.givenUp.find((job: { id: number }) => job.id === id)
  const { attempts, ...job } = await found()
  assert.deepEqual(job, { id, task: 'no_such_job', error: 'it failed' })
  const traces = await portal.traces(async () => assert.equal((await portal.admin.post(`/admin/jobs/${id}/retry`)).status, 204))
  const metadata = { task: 'no_such_job', attempts }
  assert.deepEqual(traces, { ...silence, audit: [{ action: 'job.retry', type: 'job', target: id, metadata }] })
  const { queue } = await health()
  assert.deepEqual([await found(), queue.due >= 1], [undefined, true])
  assert.deepEqual(await portal.traces(async () => assert.equal((await portal.admin.post(`/admin/jobs/${id}/retry`)).status, 204)), silence)
  assert.equal((await portal.admin.post('/admin/jobs/2147483647/retry')).status, 404)
})

test('the state is sampled, and samples are stored for 24 hours', async () => {
  await portal.sql(
    `insert into health_samples values (now() - interval '25 hours', 1, 0, 0, 0, 0, 0, 0), (now() - interval '23 hours', 1, 2, 3, 4, 5, 6, 7)`,
  )
  await addJob('note_health')
  await until('it is noted', async () => (await health()).last24h.length === 2)
  const [{ at: _, ...earlier }, now] = (await health()).last24h
  assert.deepEqual(earlier, { databaseMs: 1, due: 2, oldestSeconds: 3, givenUp: 4, pushesWaiting: 5, streams: 6, unsealedSeconds: 7 })
  assert.ok(now.databaseMs > 0 && Math.abs(Date.now() - Date.parse(now.at)) < 600_000)
  assert.deepEqual(await portal.sql('select count(*)::int as count from health_samples'), [{ count: 2 }])
})
