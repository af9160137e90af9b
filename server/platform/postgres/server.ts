import { mkdirSync } from 'node:fs'
import { readFile, rmdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { supervise } from '../supervise.ts'
import { prepareCluster, prepareSocketFolder, roleName } from './cluster.ts'
import { lockFolder } from './folder-lock.ts'
import { boundLog, type Connection, launch, type Site, stopOrphans, tryConnection } from './launch.ts'
import { stopLeftovers } from './leftovers.ts'
import { sendSignal } from './processes.ts'
import { findPrograms } from './programs.ts'

export interface Postgres {
  connection: Connection
  /** Ends the server (fast shutdown, harder after 4 s) and lets go of the folder. */
  stop(): Promise<void>
  /** Settles when the server has ended for good, which only `stop` brings about: one that dies is started again. */
  exited: Promise<void>
}

/**
 * Runs PostgreSQL on the cluster in `dataDir`/postgres, made when missing, until `stop`. One process at a time may do so on a folder; a
 * server that a killed portal left is stopped first, and one that dies is started again. Failures are Errors of one line. `settings`
 * are PostgreSQL's, and win over the portal's own.
 */
export async function startPostgres(
  dataDir: string,
  log: (line: string) => void = () => {},
  connections = 200,
  settings: Record<string, string> = {},
): Promise<Postgres> {
  const folder = resolve(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  const unlock = lockFolder(folder)
  try {
    const site = await prepareSite(folder, log, connections, settings)
    const stopping = new AbortController()
    const first = await launch(site, stopping.signal)
    const relaunch = async () => {
      const server = await launch(site, stopping.signal)
      log('PostgreSQL runs again')
      return server
    }
    const { current, ended } = supervise(first, relaunch, stopping.signal, (ending, pauseMs) =>
      log(`${ending}; starting it again in ${pauseMs} ms`),
    )
    const bounding = setInterval(() => boundLog(site.logFile), 60_000).unref()
    const leave = () => current().isRunning() && sendSignal(current().pid, 'SIGINT')
    process.once('exit', leave)

    const end = async () => {
      stopping.abort()
      await ended
      await stopOrphans(site)
      process.off('exit', leave)
      clearInterval(bounding)
      if (site.socketFolder !== site.cluster) await rmdir(site.socketFolder).catch(() => {})
      unlock()
    }
    let ending: Promise<void> | undefined
    return { connection: site.connection, exited: ended, stop: () => (ending ??= end()) }
  } catch (error) {
    unlock()
    throw error
  }
}

/** The database of `dataDir` for a moment's work: the one a running portal uses, else one started for the purpose. */
export async function borrowPostgres(dataDir: string) {
  const cluster = join(resolve(dataDir), 'postgres')
  const password = await readFile(`${cluster}.password`, 'utf8').catch(() => null)
  if (password) {
    const host = await prepareSocketFolder(cluster, findPrograms(cluster).owner)
    const connection = { host, port: 5432, user: roleName, password, database: roleName }
    if (!(await tryConnection(connection))) return { connection, release: async () => {} }
  }
  const { connection, stop } = await startPostgres(dataDir)
  return { connection, release: stop }
}

async function prepareSite(
  folder: string,
  log: (line: string) => void,
  connections: number,
  settings: Record<string, string>,
): Promise<Site> {
  const cluster = join(folder, 'postgres')
  const programs = findPrograms(cluster)
  await stopLeftovers(cluster, log)
  const password = await prepareCluster(cluster, programs)
  const socketFolder = await prepareSocketFolder(cluster, programs.owner)
  const connection = { host: socketFolder, port: 5432, user: roleName, password, database: roleName }
  return { cluster, socketFolder, logFile: join(folder, 'postgres.log'), programs, connection, connections, settings, log }
}
