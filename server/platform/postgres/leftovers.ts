/**
 * Clears away what a killed portal left of its PostgreSQL before a new server starts. The new server would refuse to start in any of
 * these cases (`CreateLockFile` in src/backend/utils/init/miscinit.c):
 *
 * 1. The process whose id stands in postmaster.pid is alive, whichever process that is; only the new server's own id, its parent's
 *    and its grandparent's are ignored. So an old postmaster must be stopped, and an id that the system has since given to another
 *    program must be replaced.
 * 2. No such process is alive, but another still uses the shared memory named in postmaster.pid (`PGSharedMemoryIsInUse` in
 *    src/backend/port/sysv_shmem.c), because two servers writing to one cluster would destroy it. Backends of a killed postmaster do
 *    so until they notice. So they must be stopped.
 * 3. The file is empty or does not begin with a number. So it must be removed.
 */
import { closeSync, constants, ftruncateSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { findServers, sendSignal, stopProcesses } from './processes.ts'

/** Stops every PostgreSQL process that still serves `cluster`, and no other process. Call it only while holding the folder's lock. */
export async function stopLeftovers(cluster: string, log: (line: string) => void) {
  const lockFile = join(cluster, 'postmaster.pid')
  const left = findServers(cluster)
  if (left.length) log(`stopping the PostgreSQL left on ${cluster} (${left.length} processes)`)
  await stopPostmaster(cluster, readProcessId(lockFile))
  await stopBackends(cluster)
  disownLockFile(lockFile)
}

/** A postmaster that is told to stop ends its backends first. */
const stopPostmaster = (cluster: string, postmaster: number | undefined) =>
  stopProcesses(
    () => findServers(cluster).filter((pid) => pid === postmaster),
    [
      ['SIGINT', 8_000],
      ['SIGQUIT', 5_000],
      ['SIGKILL', 5_000],
    ],
  )

/** Stops the backends that outlived their postmaster. */
const stopBackends = (cluster: string) =>
  stopProcesses(
    () => findServers(cluster),
    [
      ['SIGQUIT', 2_000],
      ['SIGKILL', 5_000],
    ],
  )

/**
 * Makes PostgreSQL ignore a lock file whose process id now belongs to another program, by writing our own id: we will be the new server's
 * parent. The other lines stay, because they name the shared memory. Removes a file that does not begin with a number. Call it only once no
 * server is left.
 */
export function disownLockFile(file: string) {
  const pid = readProcessId(file)
  if (pid === undefined) return
  if (Number.isNaN(pid)) return unlinkSync(file)
  // A single-user server writes its id as a negative number.
  const isTaken = sendSignal(Math.abs(pid), 0)
  if (isTaken) overwrite(file, readFileSync(file, 'utf8').replace(/^-?\d+/, String(process.pid)))
}

/** Overwrites in place, so that the file keeps its owner, and never follows a link. */
function overwrite(file: string, text: string) {
  const descriptor = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW)
  writeSync(descriptor, text, 0)
  ftruncateSync(descriptor, Buffer.byteLength(text))
  closeSync(descriptor)
}

/** The number at the beginning of the file: NaN without one, undefined without a file. */
function readProcessId(file: string) {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10)
  } catch {
    return undefined
  }
}
