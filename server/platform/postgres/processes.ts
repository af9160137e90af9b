/** Finds and stops PostgreSQL's processes. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** The PostgreSQL processes whose working directory is this folder. Without /proc, only the postmaster, found by its command. */
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

/** Which signals to send, and how long to wait after each. SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate one. */
export type Escalation = [signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL', patienceMs: number][]

/** Sends each signal in turn to the processes that `find` returns, until it returns none. Throws if some survive the last signal. */
export async function stopProcesses(find: () => number[], steps: Escalation) {
  for (const [signal, patienceMs] of steps) {
    for (const pid of find()) sendSignal(pid, signal)
    await untilNone(find, patienceMs)
  }
  const left = find()
  if (left.length) throw new Error(`PostgreSQL processes ${left.join(', ')} cannot be stopped`)
}

async function untilNone(find: () => number[], patienceMs: number) {
  const deadline = Date.now() + patienceMs
  while (find().length && Date.now() < deadline) await sleep(10)
}

/** Sends the signal (0: none) and returns whether the process exists, even if it may not be signalled. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0) {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
