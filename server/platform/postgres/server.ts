import { mkdirSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { mainCounters } from '../metrics/counters.ts'
import { supervise } from '../process/supervise.ts'
import { ownerName, portalName, prepareCluster, prepareSocketFolder, readPasswords } from './cluster.ts'
import { lockFolder } from './folder-lock.ts'
import { boundLog, type Connections, launch, stopOrphans, tryConnection } from './launch.ts'
import { stopLeftovers } from './leftovers.ts'
import { sendSignal } from './processes.ts'
import { findPrograms } from './programs.ts'

export interface Postgres extends Connections {
  /** Shuts the server down (PostgreSQL's fast shutdown and, after 4 s, its immediate one) and unlocks the folder. */
  stop(): Promise<void>
  /** Resolves once the server has ended for good, which only `stop` causes: a server that dies is restarted. */
  exited: Promise<void>
}

interface Options {
  /** PostgreSQL's `max_connections`. */
  connections?: number
  /** PostgreSQL settings; they override the portal's own. */
  settings?: Record<string, string>
  /** Aborts the start and ends its processes. */
  signal?: AbortSignal
}

/**
 * Runs PostgreSQL on the cluster in `dataDir`/postgres until `stop`, creating the cluster if it is missing. Only one process at a time
 * may do so in a folder. A server left by a killed portal is stopped first; one that dies is restarted. Every failure is an Error of
 * one line.
 */
export async function startPostgres(
  dataDir: string,
  log: (line: string) => void = () => {},
  { connections = 200, settings = {}, signal }: Options = {},
): Promise<Postgres> {
  const folder = resolve(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  const unlock = lockFolder(folder)
  try {
    const site = { ...(await prepareSite(folder, log, signal)), connections, settings, log }
    const stopping = new AbortController()
    const first = await launch(site, signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal)
    const relaunch = async () => {
      const server = await launch(site, stopping.signal)
      log('PostgreSQL runs again')
      return server
    }
    const { current, ended } = supervise(first, relaunch, stopping.signal, (ending, pauseMs) => {
      mainCounters.databaseRestarts.inc()
      log(`${ending}; starting it again in ${pauseMs} ms`)
    })
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
    return { connection: site.connection, owner: site.owner, exited: ended, stop: () => (ending ??= end()) }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Lends the database of `dataDir` to a short task: the running portal's, or else one started for the task. */
export async function borrowPostgres(dataDir: string) {
  const cluster = join(resolve(dataDir), 'postgres')
  const passwords = await readPasswords(cluster).catch(() => null)
  if (passwords) {
    const connections = connectionsAt(await prepareSocketFolder(cluster, findPrograms(cluster).owner), passwords)
    if (!(await tryConnection(connections.connection))) return { ...connections, release: async () => {} }
  }
  const { connection, owner, stop } = await startPostgres(dataDir)
  return { connection, owner, release: stop }
}

function connectionsAt(host: string, passwords: { owner: string; portal: string }): Connections {
  const place = { host, port: 5432, database: ownerName }
  return {
    connection: { ...place, user: portalName, password: passwords.portal },
    owner: { ...place, user: ownerName, password: passwords.owner },
  }
}

async function prepareSite(folder: string, log: (line: string) => void, signal?: AbortSignal) {
  const cluster = join(folder, 'postgres')
  const programs = findPrograms(cluster, signal)
  await stopLeftovers(cluster, log)
  const passwords = await prepareCluster(cluster, programs)
  const socketFolder = await prepareSocketFolder(cluster, programs.owner)
  const roles = connectionsAt(socketFolder, passwords)
  return { cluster, socketFolder, logFile: join(folder, 'postgres.log'), programs, ...roles }
}
