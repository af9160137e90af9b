import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AggregatorRegistry } from 'prom-client'
import { house } from '../../../test/house.ts'
import { measure, serveMeasures } from './metrics.ts'

const portal = house()

test('answers are counted by how long they took, streams and connections as they are now', async () => {
  const { port, close } = await serveMeasures(measure(portal.instance), { metricsPort: 0, metricsHost: '127.0.0.1' })
  const base = `http://127.0.0.1:${port}`
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
  await close()
})

test('a worker answers with its own measurements when the primary process asks for them', (t) => {
  const answered = t.mock.method(AggregatorRegistry, 'setRegistries')
  const registry = measure(portal.instance)
  assert.deepEqual(
    answered.mock.calls.map(({ arguments: [registries] }) => registries),
    [[registry]],
  )
})

test('measurements that cannot be had are not made up', async () => {
  const measures = { contentType: 'text/plain', metrics: () => Promise.reject(new Error('a worker is gone')) }
  const { port, close } = await serveMeasures(measures, { metricsPort: 0, metricsHost: '127.0.0.1' })
  assert.equal((await fetch(`http://127.0.0.1:${port}/metrics`)).status, 503)
  await close()
})

test('a collector that waits for its answer does not hold up the end', async () => {
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
