/** Measurements for Prometheus, on a port of their own that is not for the public. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Db } from './db.ts'
import type { Hub } from './events.ts'

/** Answers `GET /metrics` on `port`, on every address. */
export async function startMetrics({ app, db, hub }: { app: FastifyInstance; db: Db; hub: Hub }, port: number) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  })
  watchers.set(app, (method, route, status, seconds) => durations.observe({ method, route, status }, seconds))
  new Gauge({ name: 'event_streams', help: 'Open event streams.', registers: [registry], collect() { this.set(hub.size) } })
  new Gauge({
    name: 'database_connections',
    help: 'Connections by pool and state.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(db.pools)) {
        this.set({ pool, state: 'open' }, totalCount)
        this.set({ pool, state: 'idle' }, idleCount)
        this.set({ pool, state: 'waited for' }, waitingCount)
      }
    },
  })
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics())
  })
  server.listen(port)
  await once(server, 'listening')
  return { port: (server.address() as { port: number }).port, close: async () => void server.close() }
}

type Watcher = (method: string, route: string, status: number, seconds: number) => void
const watchers = new WeakMap<object, Watcher>()

/** Hands each answered request to the metrics of its server, where there are any. */
export const observeAnswer = (app: FastifyInstance, ...answer: Parameters<Watcher>) => watchers.get(app)?.(...answer)
