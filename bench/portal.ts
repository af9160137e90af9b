/** A portal to measure: started as by an operator, in an empty folder, and filled by SQL. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { unset } from '../server/platform/config.ts'
import { addressOf } from '../server/platform/database/db.ts'
import { borrowPostgres } from '../server/platform/postgres/server.ts'
import { freePort } from '../test/free-port.ts'

/** The command of `npm start` without its supervisor. */
export const startLine = (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).scripts.start as string).replace(
  'server/start.ts',
  'server/main.ts',
)

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Starts a program in the repository's folder, and waits until its output matches. Of the portal's variables, the program gets only those
 * in `env`.
 */
export async function startProcess(program: string, args: string[], env: Record<string, string>, ready: RegExp) {
  const path = `${file('../node_modules/.bin')}:${process.env['PATH']}`
  const child = spawn(program, args, {
    cwd: file('..'),
    env: { ...process.env, ...unset, PATH: path, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  const isReady = Promise.withResolvers<void>()
  child.stdout.on('data', (chunk) => {
    text += chunk
    if (ready.test(text)) isReady.resolve()
  })
  child.on('exit', () => isReady.reject(new Error(`${program} ${args.join(' ')} did not start: ${text}`)))
  await isReady.promise
  return { child, printed: () => text }
}

export async function stop(child: ChildProcess) {
  child.kill('SIGTERM')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

export interface BenchPortal {
  base: string
  child: ChildProcess
  dataDir: string
  connection: pg.PoolConfig
  /** Milliseconds from the start of the process to the first 200: cold in an empty folder, warm in that folder again. */
  coldMs: number
  warmMs: number
  sql<T>(text: string, values?: unknown[]): Promise<T[]>
  rssMb(): number
  /** Starts a further instance on the same database and folder; returns its address. `close` stops it. */
  addInstance(env: Record<string, string>): Promise<string>
  close(): Promise<void>
}

async function untilFirst200(base: string) {
  while ((await fetch(`${base}/api/healthz`).catch(() => null))?.status !== 200);
}

export async function openBenchPortal(env: Record<string, string> = {}): Promise<BenchPortal> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bawaba-bench-'))
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(port),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    ADMIN_PASSWORD: 'bench password',
    ...env,
  }
  const start = async () => {
    const begun = performance.now()
    const { child } = await startProcess('sh', ['-c', startLine], settings, /is ready at/)
    await untilFirst200(base)
    return { child, ms: performance.now() - begun }
  }
  const cold = await start()
  await stop(cold.child)
  const warm = await start()
  const { owner: connection, release } = await borrowPostgres(dataDir)
  const pool = new pg.Pool({ ...connection, max: 2 })
  const further: ChildProcess[] = []
  return {
    base,
    child: warm.child,
    dataDir,
    connection,
    coldMs: cold.ms,
    warmMs: warm.ms,
    sql: async (text, values) => (await pool.query(text, values)).rows,
    rssMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${warm.child.pid}/status`, 'utf8'))![1]) / 1024,
    async addInstance(env) {
      const port = await freePort()
      const all = { ...settings, DATABASE_URL: addressOf(connection), PORT: String(port), ...env }
      further.push((await startProcess('sh', ['-c', startLine], all, /is ready at/)).child)
      const address = `http://127.0.0.1:${port}`
      await untilFirst200(address)
      return address
    },
    async close() {
      await Promise.all(further.map(stop))
      await pool.end()
      await release()
      await stop(warm.child)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
