/** Starts the portal: configuration, database, first administrator, server; and stops it without dropping a request. */
import { createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { readConfig, settlePort } from './platform/config.ts'
import { openLog } from './platform/log.ts'
import { startMetrics } from './platform/metrics.ts'
import { startPostgres } from './platform/postgres.ts'
import { ensureAdmin, migrateDb, openPortal } from './portal.ts'
import closeWithGrace from 'close-with-grace'

const STOP_WITHIN_MS = 9500

async function start() {
  const given = readConfig()
  const config = given.port === 0 ? settlePort(given, await findFreePort(given.host)) : given
  const { log, close: closeLog } = openLog(config.logLevel)
  const postgres = config.databaseUrl ? null : await startPostgres(config.dataDir, (line) => log.info({ part: 'postgres' }, line))
  const connection: pg.PoolConfig = postgres?.connection ?? { connectionString: config.databaseUrl }
  try {
    await migrateDb(connection)
    const portal = await openPortal(config, connection, log)
    const metrics = config.metricsPort === undefined ? null : await startMetrics(portal, config.metricsPort)
    closeWithGrace({ delay: STOP_WITHIN_MS, logger: { error: (error) => log.error({ err: error }) } }, async ({ err }) => {
      if (err) log.fatal({ err }, 'stopping')
      await portal.close()
      await metrics?.close()
      await postgres?.stop()
      await closeLog()
    })
    const password = await ensureAdmin(portal.perform, config)
    await portal.app.listen({ port: config.port, host: config.host, listenTextResolver: (address) => `listening at ${address}` })
    if (password) console.log(`First administrator: ${config.admin.username}, password ${password} (shown only now)`)
    console.log(`Bawaba is ready at ${config.publicUrl} (listening on ${config.host}:${config.port})`)
  } catch (error) {
    await postgres?.stop()
    throw error
  }
}

/** Links need the port before the server listens. */
async function findFreePort(host: string) {
  const probe = createServer().listen(0, host)
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

start().catch((error: Error) => {
  console.error(`Bawaba cannot start: ${error.message.split('\n')[0]}`)
  process.exit(1)
})
