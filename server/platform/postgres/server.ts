import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { readFile, rmdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Running, supervise } from '../supervise.ts'
import { prepareCluster, prepareSocketFolder, roleName } from './cluster.ts'
import { disownLockFile, findServers, lockFolder, sendSignal, stopLeftovers, stopProcesses } from './leftovers.ts'
import { describeOutput, findPrograms, type Programs } from './programs.ts'

/** What a client of `pg` needs; `host` is the folder of a Unix socket, and nothing listens on the network. */
export interface Connection {
  host: string
  port: number
  user: string
  password: string
  database: string
}

export interface Postgres {
  connection: Connection
  /** Ends the server (fast shutdown, harder after 4 s) and lets go of the folder. */
  stop(): Promise<void>
  /** Settles when the server has ended for good, which only `stop` brings about: one that dies is started again. */
  exited: Promise<void>
}

interface Site {
  cluster: string
  socketFolder: string
  logFile: string
  programs: Programs
  connection: Connection
  /** How many it takes at once. */
  connections: number
  settings: Record<string, string>
  log: (line: string) => void
}

interface Server extends Running {
  pid: number
  isRunning(): boolean
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
    if (await answers(connection)) return { connection, release: async () => {} }
  }
  const { connection, stop } = await startPostgres(dataDir)
  return { connection, release: stop }
}

async function answers(connection: Connection) {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  const isUp = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end().catch(() => {})
  return isUp
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

/** Starts a server and answers when it takes queries; when it does not come up, none is left behind. */
async function launch(site: Site, stopping: AbortSignal): Promise<Server> {
  await stopLeftovers(site.cluster, site.log)
  disownLockFile(join(site.socketFolder, '.s.PGSQL.5432.lock'))
  boundLog(site.logFile)
  const log = openSync(site.logFile, 'a', 0o600)
  const before = statSync(site.logFile).size
  // A session of its own: a Ctrl-C on the terminal reaches the portal alone, which still needs the database to drain.
  const child = site.programs.spawn('postgres', serverArguments(site), ['ignore', log, log], true)
  closeSync(log)
  await once(child, 'spawn')
  const server = watchServer(child)
  try {
    await waitUntilReady(server, site, stopping)
    return server
  } catch (error) {
    const alive = server.isRunning()
    await server.stop()
    if (alive) throw error
    const said = readFileSync(site.logFile).subarray(before).toString()
    throw new Error(`PostgreSQL does not start: ${describeOutput(said) || (await server.ended)}`)
  }
}

function serverArguments({ cluster, socketFolder, connections, settings }: Site) {
  const all = {
    listen_addresses: '',
    port: '5432',
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: String(connections),
    fsync: 'on',
    synchronous_commit: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Errors of statements are the portal's to log; here stays what happens to the server.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    logging_collector: 'off',
    ...settings,
  }
  return ['-D', cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

function watchServer(child: ChildProcess): Server {
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    pid: child.pid!,
    isRunning,
    ended: once(child, 'exit').then(([code, signal]) =>
      signal ? `PostgreSQL was ended by ${signal}` : `PostgreSQL ended with code ${code}`,
    ),
    stop: () =>
      stopProcesses(
        () => (isRunning() ? [child.pid!] : []),
        [
          ['SIGINT', 4_000],
          ['SIGQUIT', 500],
          ['SIGKILL', 1_000],
        ],
      ),
  }
}

/** Backends outlive a postmaster that was killed until they notice. */
function stopOrphans({ cluster }: Site) {
  return stopProcesses(
    () => findServers(cluster),
    [
      ['SIGQUIT', 300],
      ['SIGKILL', 1_000],
    ],
  )
}

const patienceMs = 60_000

/** Returns once a query can run; a server that keeps answering that it is recovering is waited for, one silent for 60 s is not. */
async function waitUntilReady(server: Server, site: Site, stopping: AbortSignal) {
  for (let deadline = Date.now() + patienceMs; ; await sleep(20)) {
    stopping.throwIfAborted()
    if (!server.isRunning()) throw new Error(await server.ended)
    const refusal = await tryConnection(site.connection)
    if (!refusal) return
    if (refusal.code === '28P01')
      throw new Error(`PostgreSQL refuses the password in ${site.cluster}.password; delete the file to get a new one`)
    if (refusal.code === '57P03') deadline = Date.now() + patienceMs
    if (Date.now() > deadline) throw new Error(`PostgreSQL did not answer within ${patienceMs / 1000} s: ${refusal.message}`)
  }
}

async function tryConnection(connection: Connection): Promise<(Error & { code?: string }) | undefined> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    return error as Error
  } finally {
    await client.end().catch(() => {})
  }
}

const longestLog = 4 * 1024 * 1024

/** Keeps the log and one older copy, 4 MiB each; the server appends, so that it goes on at the start of the emptied file. */
function boundLog(file: string) {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size <= longestLog) return
  copyFileSync(file, `${file}.1`)
  truncateSync(file)
}
