/** Measures the cost of a start: the CPU time of the portal until it is ready, against that of loading its largest packages. Linux only. */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { note } from './figures.ts'
import { startLine, startProcess, stop } from './portal.ts'

const ROUNDS = 15
const PACKAGES = ['fastify', 'graphile-worker', 'kysely', 'pg', 'pino', 'typebox']
const floorProgram = `await Promise.all(${JSON.stringify(PACKAGES)}.map((name) => import(name))); console.log('ready'); setInterval(() => {}, 1e6)`
/** The clock ticks per second of `/proc`. */
const TICKS_PER_SECOND = 100

/** The CPU seconds of a process and its threads: proc_pid_stat(5), utime and stime. */
function computed({ pid }: ChildProcess) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

async function costOf(...started: Parameters<typeof startProcess>) {
  const { child } = await startProcess(...started)
  const seconds = computed(child)
  await stop(child)
  return seconds
}

export async function benchStarts() {
  const dataDir = await mkdtemp(join(tmpdir(), 'bawaba-bench-'))
  const settings = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', ADMIN_PASSWORD: 'bench password' }
  const ofPortal = () => costOf('sh', ['-c', startLine], settings, /is ready at/)
  const cache = { NODE_COMPILE_CACHE: join(dataDir, 'compiled') }
  const ofPackages = () => costOf('node', ['--input-type=module', '-e', floorProgram], cache, /ready/)
  try {
    for (const warmUp of [ofPortal, ofPackages]) await warmUp()
    const [rounds, floor]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push(await ofPortal())
      floor.push(await ofPackages())
    }
    return note({ what: 'processor time of a start', unit: 's', rounds, floor, atMost: 3 })
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
