/** Metrics for Prometheus, on a separate port that should not be public. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Db } from '../database/db.ts'
import type { Hub } from '../events/hub.ts'

/** A source of metrics in the text format of Prometheus. */
export interface Measures {
  contentType: string
  metrics(): Promise<string>
}

/** Starts measuring a portal. */
export function measure({ app, db, hub }: { app: FastifyInstance; db: Db; hub: Hub }): Measures {
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
  new Gauge({
    name: 'event_streams',
    help: 'Open event streams.',
    registers: [registry],
    collect() {
      this.set(hub.size)
    },
  })
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
  AggregatorRegistry.setRegistries([registry])
  return registry
}

/** The metrics of all workers together. A worker calls it, too: that makes it answer the primary's requests for its own. */
export function gatherMeasures(): Measures {
  const all = new AggregatorRegistry()
  return { contentType: all.contentType, metrics: () => all.clusterMetrics() }
}

/** Serves `GET /metrics`; port 0 means any free port. */
export async function serveMeasures(measures: Measures, { metricsPort, metricsHost }: { metricsPort?: number; metricsHost: string }) {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end()
    const text = await measures.metrics().catch(() => null)
    if (text === null) return response.writeHead(503).end()
    return response.writeHead(200, { 'content-type': measures.contentType }).end(text)
  })
  server.listen(metricsPort, metricsHost)
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

type Watcher = (method: string, route: string, status: number, seconds: number) => void
const watchers = new WeakMap<object, Watcher>()

/** Adds an answered request to the metrics of its server, if it is measured. */
export const observeAnswer = (app: FastifyInstance, ...answer: Parameters<Watcher>) => watchers.get(app)?.(...answer)
