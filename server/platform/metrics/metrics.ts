/** Metrics for Prometheus, on a separate port that should not be public. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Db } from '../database/db.ts'
import type { Hub } from '../events/hub.ts'
import { counters, mainCounters } from './counters.ts'
import { type Figure, showFigures } from './gauges.ts'

/** A source of metrics in the text format of Prometheus. */
export interface Measures {
  contentType: string
  metrics(): Promise<string>
  close?(): Promise<void>
}

/** Gauges of the library whose names end in `_total`, an ending that is reserved for counters. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

interface Measured {
  app: FastifyInstance
  db: Db
  hub: Hub
}

/** Outcomes of an attempt to sign in, by status. */
const SIGNED_IN: Record<number, string> = { 200: 'right', 401: 'wrong', 429: 'limited' }

/** Starts measuring a portal. `signIn` is the endpoint at which people sign in; with `worker`, every metric has its number as a label. */
export function measure({ app, db, hub }: Measured, signIn: { at: string }, worker?: string): Registry {
  const [signInMethod, signInPath] = signIn.at.split(' ')
  const registry = new Registry()
  if (worker !== undefined) registry.setDefaultLabels({ worker })
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  for (const counter of Object.values(counters)) registry.registerMetric(counter)
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  })
  watchers.set(app, (method, route, status, seconds) => {
    durations.observe({ method, route, status }, seconds)
    if (method === signInMethod && route === `/api${signInPath}`) counters.signIns.inc({ result: SIGNED_IN[status] ?? 'failed' })
  })
  new Gauge({
    name: 'event_streams',
    help: 'Open event streams.',
    registers: [registry],
    collect() {
      this.set(hub.size)
    },
  })
  new Gauge({
    name: 'event_lag_seconds',
    help: 'Age of the oldest event that the streams have not been sent.',
    registers: [registry],
    async collect() {
      const lag = await hub.lag().catch(() => null)
      if (lag === null) this.remove()
      else this.set(lag)
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
  return registry
}

/** Metrics of the main process: the build, its restarts of other processes, and figures of the database. */
export interface MainMeasures {
  connection: pg.PoolConfig
  figures: readonly Figure[]
  build: { version: string; build: string }
}

/** The metrics that exist once for all workers, followed by those of the workers, which `others` returns. */
export function measureMain({ connection, figures, build }: MainMeasures, others: () => Promise<string>): Measures {
  const registry = new Registry()
  for (const counter of Object.values(mainCounters)) registry.registerMetric(counter)
  const info = new Gauge({
    name: 'build_info',
    help: 'The running version.',
    labelNames: ['version', 'build', 'node'],
    registers: [registry],
  })
  info.set({ ...build, node: process.versions.node }, 1)
  const close = showFigures(registry, connection, figures)
  return {
    contentType: registry.contentType,
    metrics: async () => [await registry.metrics(), await others()].join('\n'),
    close,
  }
}

/** Answers the main process, when it asks this worker for its metrics. */
export function answerMain(registry: Registry) {
  AggregatorRegistry.setRegistries([registry])
  new AggregatorRegistry()
}

/** Asks all workers for their metrics. */
export function gatherMeasures() {
  const all = new AggregatorRegistry()
  return () => all.clusterMetrics()
}

/** The name or address of a `Host` header, in lower case, without its port and the brackets of IPv6. */
const hostIn = (header = '') =>
  header
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

/** Whether the request names this listener. When another site's name is made to lead here (DNS rebinding), the browser sends that name. */
function isOwnHost({ headers, socket }: IncomingMessage, metricsHost: string) {
  const own = [metricsHost.toLowerCase(), hostname().toLowerCase(), 'localhost', socket.localAddress?.replace(/^::ffff:(?=\d+\.)/, '')]
  return own.includes(hostIn(headers.host))
}

/** Serves `GET /metrics`; port 0 means any free port. */
export async function serveMeasures(measures: Measures, { metricsPort, metricsHost }: { metricsPort?: number; metricsHost: string }) {
  const server = createServer(async (request, response) => {
    if (!isOwnHost(request, metricsHost)) return response.writeHead(421).end()
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
      await measures.close?.()
    },
  }
}

type Watcher = (method: string, route: string, status: number, seconds: number) => void
const watchers = new WeakMap<object, Watcher>()

/** Adds an answered request to the metrics of its server, if the server is measured. */
export const observeAnswer = (app: FastifyInstance, ...answer: Parameters<Watcher>) => watchers.get(app)?.(...answer)
