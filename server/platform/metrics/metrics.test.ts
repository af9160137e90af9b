import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type pg from 'pg'
import { AggregatorRegistry, type Registry } from 'prom-client'
import { testPortal, until } from '../../../test/portal.ts'
import { needing } from '../../../test/programs.ts'
import { login } from '../../identity/accounts/routes.ts'
import { figures } from '../../lists/gauges.ts'
import { addJob } from '../jobs/runner.ts'
import { measure, measureMain, serveMeasures } from './metrics.ts'

const portal = testPortal({ RATE_LIMITS: 'on' })
const build = { version: '1.2.3', build: 'source' }

/** Serves the metrics of the portal with those of the main process, and reads them as text. */
async function measured(t: TestContext, connection: pg.PoolConfig = portal.connection) {
  const registry = measure(portal.instance, login)
  const { port, close } = await serveMeasures(
    measureMain({ connection, figures, build }, () => registry.metrics()),
    { metricsPort: 0, metricsHost: '127.0.0.1' },
  )
  t.after(close)
  const base = `http://127.0.0.1:${port}`
  return { base, read: async () => (await fetch(`${base}/metrics`)).text() }
}
const readValue = (text: string, name: string) => {
  const found = text.split('\n').find((line) => line.startsWith(`${name} `))
  return found && Number(found.slice(name.length))
}

test('answers are counted by duration; streams and connections show their present numbers', async (t) => {
  const { base } = await measured(t)
  const stream = await portal.admin.listen()
  assert.equal((await portal.stranger().get('/healthz')).status, 200)
  const answer = await fetch(`${base}/metrics`)
  const text = await answer.text()
  stream.close()
  assert.match(answer.headers.get('content-type')!, /^text\/plain/)
  const bounds = [...text.matchAll(/_bucket\{le="([^"]+)",method="GET",route="\/api\/healthz",status="200"\}/g)].map(([, bound]) => bound)
  assert.deepEqual(bounds, ['0.001', '0.003', '0.01', '0.03', '0.1', '0.3', '1', '3', '10', '+Inf'])
  assert.match(text, /^event_streams 1$/m)
  for (const state of ['open', 'idle', 'waited for'])
    assert.match(text, new RegExp(`^database_connections\\{pool="write",state="${state}"\\} \\d+$`, 'm'))
  for (const [path, method] of [
    ['/', 'GET'],
    ['/metrics', 'POST'],
  ] as const)
    assert.equal((await fetch(base + path, { method })).status, 404)
})

test('attempts to sign in are counted by outcome, and so are failed and due jobs', async (t) => {
  const { read } = await measured(t)
  await portal.person('huda')
  await portal.stranger().signIn('huda')
  assert.equal((await portal.stranger().post('/auth/login', { username: 'huda', password: 'wrong' })).status, 401)
  await portal.instance.db.writes.transaction().execute((tx) => addJob(tx, 'send_push', { notificationId: 1, subscriptionId: -1 }))
  await portal.sql(`select graphile_worker.add_job('nobody_runs_this', run_at => now() - interval '1 hour')`)
  await portal.sql(`select graphile_worker.add_job('make_pdf_archive', payload => '{"id": "none"}', max_attempts => 1)`)
  const text = await until('the job has failed', async () => {
    const now = await read()
    const isCounted = now.includes('jobs_given_up_total{job="make_pdf_archive"} 1')
    // The worker counts a failure before it records it; the other job and the event may take longer.
    const isSettled = Object.entries({ jobs_given_up: 1, jobs_due: 1, event_lag_seconds: 0 }).every(
      ([name, value]) => readValue(now, name) === value,
    )
    return isCounted && isSettled ? now : null
  })
  for (const result of ['right', 'wrong']) assert.match(text, new RegExp(`^sign_ins_total\\{result="${result}"\\} [1-9]`, 'm'))
  assert.match(text, /^job_failures_total\{job="make_pdf_archive"\} 1$/m)
  assert.ok(Number(readValue(text, 'jobs_due_seconds')) >= 3600)
  assert.ok(Number(readValue(text, 'ledger_unsealed_seconds')) > 0)
  assert.deepEqual(
    [readValue(text, 'database_up'), readValue(text, 'database_standby'), readValue(text, 'database_commits_waiting')],
    [1, 0, 0],
  )
  assert.match(text, /^build_info\{version="1\.2\.3",build="source",node="24[\d.]+"\} 1$/m)
})

test('while the database is away, `database_up` is 0 and its other metrics are absent', async (t) => {
  const { read } = await measured(t, { host: '127.0.0.1', port: 1 })
  const text = await read()
  assert.equal(readValue(text, 'database_up'), 0)
  assert.equal(readValue(text, 'jobs_due'), undefined)
  assert.match(text, /^event_streams \d/m)
})

const ALERTS = new URL('../../../docs/alerts.yaml', import.meta.url)

test('every metric that an alert uses exists', async (t) => {
  const { read } = await measured(t)
  const exported = new Set([...(await read()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!))
  const expressions = [...readFileSync(ALERTS, 'utf8').matchAll(/^ +expr: (.*)$/gm)].map(([, expression]) => expression!)
  assert.ok(expressions.length > 10)
  const asked = expressions.flatMap((text) => text.replace(/"[^"]*"/g, '').match(/\b[a-z]\w+_\w+\b/g) ?? [])
  const isExported = (name: string) => exported.has(name) || exported.has(name.replace(/_(count|sum|bucket)$/, ''))
  assert.deepEqual(
    asked.filter((name) => !isExported(name) && !/^(histogram_quantile|sum_over_time)$/.test(name)),
    [],
  )
})

test('promtool finds nothing wrong with the metrics and the alerts', needing('promtool'), async (t) => {
  const { read } = await measured(t)
  const input = await read()
  assert.equal(String(execFileSync('promtool', ['check', 'metrics'], { input, stdio: 'pipe' })), '')
  assert.match(String(execFileSync('promtool', ['check', 'rules', ALERTS.pathname])), /SUCCESS/)
})

/** The values of a metric, one a minute for an hour: constant, or growing by `step`. */
const always = (value: number) => `${value}x60`
const growing = (step: number) => `0+${step}x60`
/** A series as Prometheus stores it, with the labels of its source. */
const scraped = (series: string) => {
  const [name, labels = '}'] = series.split('{')
  return `${name}{instance="portal:9464",job="bawaba",${labels}`
}
/** The series in which each alert is due, as a portal with two workers exports them. */
const trouble: Record<string, Record<string, string>> = {
  PortalDown: { up: always(0) },
  DatabaseAway: { database_up: always(0) },
  DatabaseIsStandby: { database_standby: always(1) },
  WritesWaitForStandby: { database_commits_waiting_seconds: always(11) },
  AnswersFail: {
    'http_request_duration_seconds_count{route="/api/apps",status="200"}': growing(90),
    'http_request_duration_seconds_count{route="/api/apps",status="503"}': growing(10),
  },
  AnswersLate: {
    'http_request_duration_seconds_bucket{route="/api/apps",le="1"}': growing(50),
    'http_request_duration_seconds_bucket{route="/api/apps",le="5"}': growing(100),
    'http_request_duration_seconds_bucket{route="/api/apps",le="+Inf"}': growing(100),
  },
  ConnectionsWaitedFor: {
    'database_connections{worker="1",pool="writes",state="waited for"}': always(6),
    'database_connections{worker="2",pool="writes",state="waited for"}': always(6),
  },
  EventsLate: { 'event_lag_seconds{worker="1"}': always(31) },
  JobsLate: { jobs_due_seconds: always(601) },
  JobsGivenUp: { jobs_given_up: always(1) },
  PushesFail: { 'pushes_total{result="failed"}': growing(6), 'pushes_total{result="sent"}': growing(4) },
  LedgerUnsealed: { ledger_unsealed_seconds: always(901) },
  AuditStreamBehind: { audit_stream_lag_seconds: always(61) },
  SignInsFail: { 'sign_ins_total{result="wrong"}': growing(100) },
  ObjectStoreFails: { 'object_store_errors_total{operation="put"}': growing(1) },
  Restarts: {
    database_restarts_total: always(0),
    worker_restarts_total: growing(1),
    'job_runner_restarts_total{worker="1"}': always(0),
    'job_runner_restarts_total{worker="2"}': always(0),
  },
  DescriptorsUsedUp: { 'process_open_fds{worker="1"}': always(90), 'process_max_fds{worker="1"}': always(100) },
}

test('every alert fires in the trouble that it is for', needing('promtool'), async (t) => {
  const names = [...readFileSync(ALERTS, 'utf8').matchAll(/^ +- alert: (.*)$/gm)].map(([, name]) => name!)
  assert.deepEqual(Object.keys(trouble), names)
  const tests = names.map((name) => ({
    name,
    interval: '1m',
    input_series: Object.entries(trouble[name]!).map(([series, values]) => ({ series: scraped(series), values })),
    promql_expr_test: [
      { expr: `count(ALERTS{alertname="${name}",alertstate="firing"})`, eval_time: '1h', exp_samples: [{ labels: '{}', value: 1 }] },
    ],
  }))
  const folder = mkdtempSync(join(tmpdir(), 'alerts-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'tests.json')
  writeFileSync(file, JSON.stringify({ rule_files: [ALERTS.pathname], evaluation_interval: '1m', tests }))
  assert.match(String(execFileSync('promtool', ['test', 'rules', file], { stdio: 'pipe' })), /SUCCESS/)
})

test('a worker answers the main process with its own metrics, labelled with its number', async (t) => {
  const answered = t.mock.method(AggregatorRegistry, 'setRegistries')
  const { answerMain } = await import('./metrics.ts')
  const registry: Registry = measure(portal.instance, login, '3')
  answerMain(registry)
  assert.deepEqual(
    answered.mock.calls.map(({ arguments: [registries] }) => registries),
    [[registry]],
  )
  assert.match(await registry.metrics(), /^event_streams\{worker="3"\} \d+$/m)
})

test('metrics that cannot be collected are answered with 503', async (t) => {
  const measures = { contentType: 'text/plain', metrics: () => Promise.reject(new Error('a worker is gone')) }
  const { port, close } = await serveMeasures(measures, { metricsPort: 0, metricsHost: '127.0.0.1' })
  t.after(close)
  assert.equal((await fetch(`http://127.0.0.1:${port}/metrics`)).status, 503)
})

test('metrics are served only to requests that name the listener by its own names and addresses', async (t) => {
  const { port, close } = await serveMeasures(
    { contentType: 'text/plain', metrics: async () => 'x' },
    { metricsPort: 0, metricsHost: '127.0.0.1' },
  )
  t.after(close)
  const statusFor = async (host: string) => {
    const [answer] = await once(get({ port, host: '127.0.0.1', path: '/metrics', headers: { host } }), 'response')
    answer.resume()
    return answer.statusCode
  }
  for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST.', hostname()]) assert.equal(await statusFor(`${host}:${port}`), 200, host)
  for (const host of ['rebound.example.org', '10.0.0.1', '[::1]', 'localhost.example.org', 'x@localhost'])
    assert.equal(await statusFor(`${host}:${port}`), 421, host)
})

test('a collector that waits for its answer does not delay the stop', async () => {
  const asked = Promise.withResolvers<void>()
  const metrics = () => {
    asked.resolve()
    return new Promise<string>(() => {})
  }
  const { port, close } = await serveMeasures({ contentType: 'text/plain', metrics }, { metricsPort: 0, metricsHost: '127.0.0.1' })
  const cut = assert.rejects(fetch(`http://127.0.0.1:${port}/metrics`))
  await asked.promise
  await close()
  await cut
})
