/** Starts the portal (configuration, database, first administrator, server), and stops it without dropping a request. */
import cluster from 'node:cluster'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Logger } from 'pino'
import { assertWhole } from './commands/backup.ts'
import { type Connections, configuredConnections, describe, prepareDb } from './commands/prepare.ts'
import { startWorkers, workerNumber } from './commands/workers.ts'
import { type Config, readConfig, settlePort } from './platform/config.ts'
import { addressOf, connectionsOf } from './platform/database/db.ts'
import { probeObjects } from './platform/objects/open.ts'
import { startPostgres } from './platform/postgres/server.ts'
import { watchDescriptors } from './platform/process/file-descriptors.ts'
import { openLog } from './platform/process/log.ts'
import { settleSecretsKey } from './platform/secrets/key.ts'
import { ensurePages, readBuiltPages } from './site/pages/built.ts'

const STOP_WITHIN_MS = 9000

/** Loaded only by processes that measure. */
const loadMeasures = () => import('./lists/metrics.ts')

/** The context of a start. `open` is disposed of in reverse order; once `stopping` is aborted, the start does not continue. */
interface Start {
  config: Config
  log: Logger
  open: AsyncDisposableStack
  stopping: AbortSignal
}

async function startMain(given: Start) {
  const { stopping } = given
  await ensurePages(console.log)
  stopping.throwIfAborted()
  const connections = await openDatabase(given)
  const { connection } = connections
  stopping.throwIfAborted()
  const config = await prepareDatabase(given, connections)
  const start = { ...given, config }
  stopping.throwIfAborted()
  await probeObjects(config, (line) => start.log.warn(line))
  stopping.throwIfAborted()
  if (config.workers === 1) await answerHere(start, connection)
  else await answerElsewhere(start, connection)
  stopping.throwIfAborted()
  process.send?.({ isReady: true }, () => {})
  console.log(`Bawaba is ready at ${config.publicUrl} (listening on ${config.host}:${config.port})`)
}

/** Connects to the database of DATABASE_URL, or starts the embedded one. */
async function openDatabase({ config, log, open, stopping }: Start): Promise<Connections> {
  const configured = configuredConnections(config)
  if (configured) return configured
  assertWhole(config.dataDir)
  const { connection, owner, stop } = await startPostgres(config.dataDir, (line) => log.warn({ part: 'postgres' }, line), {
    connections: connectionsOf(config.workers),
    signal: stopping,
  })
  open.defer(stop)
  return { connection, owner }
}

/**
 * Prints a generated password at once: if a later step failed, it would be lost. Returns the configuration with the key of secrets, which
 * has been checked against the database.
 */
async function prepareDatabase({ config, log }: Start, connections: Connections) {
  await prepareDb(config, connections, (line) => log.warn(line))
  const settled = await settleSecretsKey(config, connections.connection)
  const { ensureFirstAdmin } = await import('./commands/first-admin.ts')
  const password = await ensureFirstAdmin(connections.connection, config)
  if (password) console.log(`First administrator: ${config.admin.username}, password ${password} (shown only once)`)
  return settled
}

/** Serves requests in this process, alone or as one of the workers. */
async function answerHere({ config, log, open, stopping }: Start, connection: pg.PoolConfig) {
  const stopWatching = watchDescriptors(log)
  open.defer(async () => stopWatching())
  // Loaded only here: a start that fails earlier does not need it, nor does the main process of workers.
  const { openPortal } = await import('./portal.ts')
  const portal = await openPortal(config, connection, log, { pages: readBuiltPages() })
  open.defer(portal.close)
  stopping.throwIfAborted()
  if (config.metricsPort !== undefined) {
    const { answerMain, measurePortal } = await loadMeasures()
    const measured = measurePortal(portal, workerNumber)
    if (cluster.isPrimary) await showMeasures(connection, () => measured.metrics(), { config, log, open })
    else answerMain(measured)
  }
  await listen(portal.app, config, log)
}

/** Listens, but suppresses Fastify's own log line, which would only repeat that the portal is ready. */
async function listen(app: FastifyInstance, { port, host }: Config, log: Logger) {
  const { level } = log
  log.level = 'silent'
  try {
    await app.listen({ port, host })
  } finally {
    log.level = level
  }
  log.debug(`listening at ${host}:${port}`)
}

/** Starts workers to serve requests. They receive the database's password and SECRETS_KEY in their environment, which is private. */
async function answerElsewhere(start: Start, connection: pg.PoolConfig) {
  const { config, log, open, stopping } = start
  if (config.metricsPort !== undefined) {
    const { gatherMeasures } = await loadMeasures()
    await showMeasures(connection, gatherMeasures(), start)
  }
  const env = {
    DATABASE_URL: config.databaseUrl ?? addressOf(connection),
    PORT: String(config.port),
    ...(config.secretsKey && { SECRETS_KEY: config.secretsKey }),
  }
  const workers = startWorkers(config.workers, env, log)
  open.defer(workers.stop)
  stopping.addEventListener('abort', workers.stop)
  await workers.ready
}

/** Serves the metrics of the processes that answer requests, and of the main process. */
async function showMeasures(connection: pg.PoolConfig, serving: () => Promise<string>, { config, log, open }: Omit<Start, 'stopping'>) {
  const { measureHere, serveMeasures } = await loadMeasures()
  const { port, close } = await serveMeasures(measureHere(connection, serving), config)
  open.defer(close)
  log.info({ port }, 'metrics are served at /metrics')
}

/** Chooses a free port, for port 0, before the server listens, because links contain it. */
async function settleConfig() {
  const config = readConfig()
  // No child process needs to know the owner's password.
  delete process.env['DATABASE_OWNER_URL']
  if (config.port !== 0) return config
  const probe = createServer().listen(0, config.host)
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return settlePort(config, port)
}

/** Prints the failure and exits; a worker sends it to the main process instead. */
function fail(error: unknown) {
  const failure = describe(error)
  if (cluster.isWorker) return void process.send!({ failure }, () => process.exit(1))
  console.error(`Bawaba cannot start: ${failure}`)
  process.exit(1)
}

const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Runs `stop` once, on a signal or an uncaught error. A Ctrl-C also reaches workers, which ignore it: the main process stops them. */
function stopGracefully(log: Logger, stop: () => Promise<void>) {
  const logger = { error: (error: unknown) => log.error({ err: error }, 'the shutdown was cut short') }
  const grace = closeWithGrace({ delay: STOP_WITHIN_MS, skip: [...STOP_SIGNALS], logger }, async ({ err }) => {
    if (err) log.fatal({ err }, 'stopping')
    await stop()
  })
  // A second signal must not cut the stop short: the terminal sends a Ctrl-C to the portal, and npm forwards the same one.
  let isStopping = false
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (isStopping || (cluster.isWorker && signal !== 'SIGTERM')) return
      isStopping = true
      grace.close()
    })
  }
  // If the supervisor (`start.ts`) is gone, nothing else stops this process.
  if (cluster.isPrimary)
    process.once('disconnect', () => {
      if (isStopping) return
      isStopping = true
      grace.close()
    })
  return grace
}

async function run() {
  const config = await settleConfig()
  const open = new AsyncDisposableStack()
  const stopping = new AbortController()
  const { log, close } = openLog(config.logLevel, cluster.isWorker ? { worker: process.pid } : {})
  open.defer(close)
  const start = { config, log, open, stopping: stopping.signal }
  // Delayed by a tick, so that the signal handlers are installed before the start begins.
  const started = Promise.resolve().then(() =>
    cluster.isPrimary ? startMain(start) : answerHere(start, configuredConnections(config)!.connection),
  )
  const grace = stopGracefully(log, async () => {
    stopping.abort()
    await started.catch(() => {})
    await open.disposeAsync()
  })
  try {
    await started
  } catch (error) {
    if (stopping.signal.aborted) return
    grace.uninstall()
    await open.disposeAsync()
    throw error
  }
}

run().catch(fail)
