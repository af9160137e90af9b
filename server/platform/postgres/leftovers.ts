import { execFileSync } from 'node:child_process'
import { closeSync, constants, ftruncateSync, openSync, readdirSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Holds the folder for this process and answers how to let go; throws one line when another process holds it. The lock is SQLite's
 * exclusive lock on an empty file: the kernel grants it to one process at a time and releases it when that process dies, however it dies.
 */
export function lockFolder(folder: string) {
  const file = join(folder, 'portal.lock')
  try {
    createPrivately(file)
    const lock = new DatabaseSync(file)
    lock.exec('BEGIN EXCLUSIVE')
    return () => lock.close()
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== 5) throw new Error(`${file} cannot be locked: ${(error as Error).message}`)
    throw new Error(`another portal is running on ${folder}; stop it first, or give this one another DATA_DIR`)
  }
}

/** Never opens a file that is there: closing it again would let go of a lock that this process holds on it. */
function createPrivately(file: string) {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Stops every process of a PostgreSQL that still serves `cluster`, and no other process; call it only under the folder's lock. */
export async function stopLeftovers(cluster: string, log: (line: string) => void) {
  const postmaster = readProcessId(join(cluster, 'postmaster.pid'))
  const found = findServers(cluster)
  if (found.length) log(`stopping the PostgreSQL left on ${cluster} (${found.length} processes)`)
  const findPostmaster = () => findServers(cluster).filter((pid) => pid === postmaster)
  await stopProcesses(findPostmaster, [
    ['SIGINT', 8_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ])
  // Backends outlive a killed postmaster until they notice; a new one must not start beside them.
  await stopProcesses(
    () => findServers(cluster),
    [
      ['SIGQUIT', 2_000],
      ['SIGKILL', 5_000],
    ],
  )
  disownLockFile(join(cluster, 'postmaster.pid'))
}

export type Escalation = [signal: NodeJS.Signals, patienceMs: number][]

/** Signals the processes that `find` names, each step harder than the one before, until it names none. */
export async function stopProcesses(find: () => number[], steps: Escalation) {
  for (const [signal, patienceMs] of steps) {
    const pids = find()
    for (const pid of pids) sendSignal(pid, signal)
    for (const deadline = Date.now() + patienceMs; find().length && Date.now() < deadline; ) await sleep(10)
  }
  if (find().length) throw new Error(`PostgreSQL processes ${find().join(', ')} cannot be stopped`)
}

/** Whether there is such a process, after sending it the signal (0 sends none) where we may. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0) {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The processes of PostgreSQL that serve this very folder: all of them work in it; where /proc is missing, the postmaster by its command. */
export function findServers(cluster: string): number[] {
  if (process.platform !== 'linux') return findByCommand(cluster)
  const folder = statSync(cluster, { throwIfNoEntry: false })
  if (!folder) return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && worksIn(pid, folder))
}

function worksIn(pid: number, folder: { dev: number; ino: number }) {
  try {
    if (readFileSync(`/proc/${pid}/comm`, 'utf8') !== 'postgres\n') return false
    const place = statSync(`/proc/${pid}/cwd`)
    return place.dev === folder.dev && place.ino === folder.ino
  } catch {
    return false
  }
}

function findByCommand(cluster: string) {
  return execFileSync('ps', ['-axwwo', 'pid=,command='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`/postgres -D ${cluster} `))
    .map((line) => Number.parseInt(line, 10))
}

function readProcessId(file: string) {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10)
  } catch {
    return undefined
  }
}

/**
 * PostgreSQL refuses a lock file whose process number lives, even when that number now belongs to a stranger. A number equal to its
 * parent's, ours, it takes for stale and asks the shared memory instead, so the file's other lines keep protecting the cluster.
 */
export function disownLockFile(file: string) {
  const pid = readProcessId(file)
  if (pid === undefined) return
  if (Number.isNaN(pid)) return unlinkSync(file)
  if (!sendSignal(pid, 0)) return
  const text = readFileSync(file, 'utf8').replace(/^-?\d+/, String(process.pid))
  const descriptor = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW)
  writeSync(descriptor, text, 0)
  ftruncateSync(descriptor, Buffer.byteLength(text))
  closeSync(descriptor)
}
