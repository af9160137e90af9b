/**
 * What a portal that was killed left of its PostgreSQL. It is dealt with before another server starts, because of how PostgreSQL
 * itself looks for another server on its folder (`CreateLockFile` in src/backend/utils/init/miscinit.c):
 *
 * 1. A process with the number in postmaster.pid lives: it gives up, whoever that process is. So a postmaster left over must be
 *    stopped, and a number that the system has given to a stranger since must not stand there. The only numbers it lets pass are its
 *    own, its parent's and its grandparent's.
 * 2. None does, but a process still uses the shared memory that postmaster.pid names (`PGSharedMemoryIsInUse` in
 *    src/backend/port/sysv_shmem.c): it gives up as well, for two servers that write one cluster would destroy it. That is what
 *    backends do whose postmaster was killed, until they notice. So they must be stopped.
 * 3. The file is empty, or does not begin with a number: it gives up.
 */
import { closeSync, constants, ftruncateSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { findServers, sendSignal, stopProcesses } from './processes.ts'

/** Stops every process of a PostgreSQL that still serves `cluster`, and no other process; call it only under the folder's lock. */
export async function stopLeftovers(cluster: string, log: (line: string) => void) {
  const lockFile = join(cluster, 'postmaster.pid')
  const left = findServers(cluster)
  if (left.length) log(`stopping the PostgreSQL left on ${cluster} (${left.length} processes)`)
  await stopPostmaster(cluster, readProcessId(lockFile))
  await stopBackends(cluster)
  disownLockFile(lockFile)
}

/** A postmaster that is told to stop stops its backends first. */
const stopPostmaster = (cluster: string, postmaster: number | undefined) =>
  stopProcesses(
    () => findServers(cluster).filter((pid) => pid === postmaster),
    [
      ['SIGINT', 8_000],
      ['SIGQUIT', 5_000],
      ['SIGKILL', 5_000],
    ],
  )

/** Those that outlived their postmaster. */
const stopBackends = (cluster: string) =>
  stopProcesses(
    () => findServers(cluster),
    [
      ['SIGQUIT', 2_000],
      ['SIGKILL', 5_000],
    ],
  )

/**
 * Once no server is left, has PostgreSQL pass over the number in its lock file, where a stranger bears that number now: ours takes its
 * place, the parent's of the server that starts. The file's other lines stay, for they name the shared memory.
 */
export function disownLockFile(file: string) {
  const pid = readProcessId(file)
  if (pid === undefined) return
  if (Number.isNaN(pid)) return unlinkSync(file)
  const isTaken = sendSignal(pid, 0)
  if (isTaken) overwrite(file, readFileSync(file, 'utf8').replace(/^-?\d+/, String(process.pid)))
}

/** In place, so that the file keeps its owner; and never through a link. */
function overwrite(file: string, text: string) {
  const descriptor = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW)
  writeSync(descriptor, text, 0)
  ftruncateSync(descriptor, Buffer.byteLength(text))
  closeSync(descriptor)
}

/** What the file begins with: NaN where that is no number, undefined where there is no such file. */
function readProcessId(file: string) {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10)
  } catch {
    return undefined
  }
}
