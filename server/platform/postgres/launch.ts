import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, copyFileSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Running } from '../process/supervise.ts'
import { disownLockFile, stopLeftovers } from './leftovers.ts'
import { findServers, stopProcesses } from './processes.ts'
import { describeOutput, type Programs } from './programs.ts'

/** How `pg` connects. `host` is the folder of a Unix socket; nothing listens on the network. */
export interface Connection {
  host: string
  port: number
  user: string
  password: string
  database: string
}

/** The two roles of a database. */
export interface Connections {
  /** The role of the running portal. */
  connection: Connection
  /** The role that owns the schema and migrates it. */
  owner: Connection
}

/** A cluster, and how to run a server on it. */
export interface Site extends Connections {
  cluster: string
  socketFolder: string
  logFile: string
  programs: Programs
  /** PostgreSQL's `max_connections`. */
  connections: number
  settings: Record<string, string>
  log: (line: string) => void
}

export interface Server extends Running {
  pid: number
  isRunning(): boolean
}

/** Starts a server and waits until it answers queries. If it fails to start, no process is left behind. */
export async function launch(site: Site, stopping: AbortSignal): Promise<Server> {
  await stopLeftovers(site.cluster, site.log)
  disownLockFile(join(site.socketFolder, '.s.PGSQL.5432.lock'))
  boundLog(site.logFile)
  const log = openSync(site.logFile, 'a', 0o600)
  const before = statSync(site.logFile).size
  // The server has a process session of its own, so that Ctrl-C reaches only the portal, which still needs the database in order to drain.
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
    // The portal logs failed statements; this log is about the server itself.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    logging_collector: 'off',
    // When one of its processes crashes, the server ends, and the portal starts another. If the server restarted itself and that failed, as
    // on a full disk, PostgreSQL 18.4 could refuse connections for ever: `HandleChildCrash` in src/backend/postmaster/postmaster.c ignores
    // a startup process that ends while the first crash is still being handled.
    restart_after_crash: 'off',
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

/** Stops backends that have outlived a killed postmaster because they have not noticed its end yet. */
export function stopOrphans({ cluster }: Site) {
  return stopProcesses(
    () => findServers(cluster),
    [
      ['SIGQUIT', 300],
      ['SIGKILL', 1_000],
    ],
  )
}

const PATIENCE_MS = 60_000
const WRONG_PASSWORD = '28P01'
const STARTING_UP = '57P03'

/** Waits until the server takes connections: as long as it says that it is starting up, but at most 60 s while it says nothing. */
async function waitUntilReady(server: Server, { connection, owner, cluster }: Site, stopping: AbortSignal) {
  let deadline = Date.now() + PATIENCE_MS
  for (;;) {
    stopping.throwIfAborted()
    if (!server.isRunning()) throw new Error(await server.ended)
    const ofOwner = await tryConnection(owner)
    const refusal = ofOwner ?? (await tryConnection(connection))
    if (!refusal) return
    if (refusal.code === WRONG_PASSWORD) {
      const file = `${cluster}.${ofOwner ? '' : 'portal-'}password`
      throw new Error(`PostgreSQL refuses the password in ${file}; delete the file to get a new one`)
    }
    if (refusal.code === STARTING_UP) deadline = Date.now() + PATIENCE_MS
    if (Date.now() > deadline) throw new Error(`PostgreSQL did not answer within ${PATIENCE_MS / 1000} s: ${refusal.message}`)
    await sleep(20)
  }
}

/**
 * The error of an attempt to connect; undefined if it succeeds. Does not wait until the connection is closed, because a hung server keeps
 * it open.
 */
export async function tryConnection(connection: Connection): Promise<(Error & { code?: string }) | undefined> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    return error as Error
  } finally {
    client.end().catch(() => {})
  }
}

const LONGEST_LOG = 4 * 1024 * 1024

/**
 * Rotates a log of more than 4 MiB, replacing the older copy; without room for a copy, the next call tries again. The file can be truncated
 * while the server writes, because the server appends to it.
 */
export function boundLog(file: string) {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size <= LONGEST_LOG) return
  try {
    copyFileSync(file, `${file}.1`)
  } catch {
    return
  }
  truncateSync(file)
}
