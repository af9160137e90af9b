/** Portals as operators run them: in their own processes, started by the command of `npm start`. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach } from 'node:test'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { withClient } from '../server/platform/database/client.ts'
import { addressOf } from '../server/platform/database/db.ts'
import { sendSignal } from '../server/platform/postgres/processes.ts'
import { borrowPostgres } from '../server/platform/postgres/server.ts'
import { copyCluster, serversOf } from './clusters.ts'
import { Client, copyTemplate, dropDatabase, onServer, PASSWORD, until } from './portal.ts'
import { copyPrepared } from './prepared.ts'
import { scratch } from './scratch.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts as Record<string, string>

const server = () => JSON.parse(process.env['TEST_POSTGRES']!) as pg.ClientConfig

type Settings = Record<string, string | undefined>

/**
 * The variables that a portal inherits from the tests: those that every program needs, and those of runs that measure mutations or
 * coverage.
 */
function environment(settings: Settings) {
  const { HOME, PATH, TMPDIR, NODE_COMPILE_CACHE, NODE_OPTIONS, NODE_V8_COVERAGE, MUTANT } = process.env
  return {
    HOME,
    TMPDIR,
    NODE_COMPILE_CACHE,
    NODE_OPTIONS,
    NODE_V8_COVERAGE,
    MUTANT,
    PATH: `${join(root, 'node_modules', '.bin')}:${PATH}`,
    PORT: '0',
    RATE_LIMITS: 'off',
    ...settings,
  }
}

/** Queries the database of a folder directly, as its owner, while a portal may run on it. */
export async function look<Row extends pg.QueryResultRow>(folder: string, text: string, values: unknown[] = []) {
  const { owner, release } = await borrowPostgres(folder)
  try {
    return await withClient(owner, async (client) => (await client.query<Row>(text, values)).rows)
  } finally {
    await release()
  }
}

interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  out: string
  err: string
}

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

/** The command of a script, with `exec`, so that signals reach the script and not the shell. */
const byLine = (script: string, args: string[] = []) => ['sh', '-c', [scripts[script]!.replace(/^(exec )?/, 'exec '), ...args].join(' ')]
/** `npm start` with its supervisor. Other tests start the server alone, and signal only that. */
export const KEEPING = byLine('start')
const portalLine = KEEPING.map((part) => part.replace('server/start.ts', 'server/main.ts'))

const READY = /^Bawaba is ready at (\S+) \(listening on (\S+)\)$/m

export type Running = ReturnType<typeof describe>

function describe(child: ChildProcess, printed: { out: string; err: string }, ended: Promise<Ended>, [, publicUrl, address]: string[]) {
  const base = `http://${address}`
  return {
    child,
    printed,
    base,
    publicUrl: publicUrl!,
    port: Number(new URL(base).port),
    ended,
    stranger: () => new Client(base),
    /** The portal's log so far, parsed. */
    logged: () =>
      printed.out
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    /** Sends a signal and waits until the portal exits. */
    stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** Starts portals for the tests of one file; after each test, stops them and removes their files. */
export function portals() {
  const folders: string[] = []
  const databases: string[] = []
  const children = new Set<ChildProcess>()

  afterEach(async () => {
    for (const child of children) await end(child, 'SIGKILL')
    for (const folder of folders.splice(0)) {
      for (const pid of serversOf(folder)) sendSignal(pid, 'SIGKILL')
      await until('the database is gone', () => serversOf(folder).length === 0)
      rmSync(folder, { recursive: true, force: true })
    }
    for (const database of databases.splice(0)) await dropDatabase(database)
  })

  /** An empty folder that every account may enter. */
  function makeFolder() {
    const folder = mkdtempSync(join(scratch, 'bawaba-start-'))
    chmodSync(folder, 0o711)
    folders.push(folder)
    return folder
  }

  /**
   * A copy of the folder of a portal that was started and stopped, with the administrator `admin`. Copying saves the time of a first start,
   * most of which goes into creating the database.
   */
  const makeUsedFolder = () =>
    copyPrepared(
      'used',
      async (used) => {
        await (await startPortal({ DATA_DIR: await copyCluster(used), ADMIN_PASSWORD: PASSWORD })).stop()
        // A portal treats a ledger that has been unsealed for ten minutes as one that lost its seals, and tests may use a copy later than
        // that.
        await until('the ledger is sealed', async () => {
          // Each call needs a transaction of its own.
          await look(used, 'select seal_ledger()')
          return (await look(used, 'select from audit_seals')).length
        })
      },
      makeFolder(),
    )

  /** A database on the tests' server, as a `DATABASE_URL`. */
  async function provideDatabase(create: (database: string) => Promise<unknown>) {
    const database = `bawaba_start_${process.pid}_${databases.length}`
    databases.push(database)
    await dropDatabase(database)
    await create(database)
    const connection = { ...server(), database } as pg.PoolConfig
    return { url: addressOf(connection), connection }
  }

  /** An empty database. */
  const makeDatabase = (options = `encoding 'UTF8'`) =>
    provideDatabase((database) => onServer(`create database ${database} template template0 ${options}`))

  /** A migrated database without people. */
  const makeMigratedDatabase = () => provideDatabase(copyTemplate)

  /** Starts a script of package.json, or an npm command, and collects its output. */
  function spawnCommand(command: string[], settings: Settings, stdout: 'pipe' | number = 'pipe') {
    const options: SpawnOptions = { cwd: root, env: environment(settings), stdio: ['ignore', stdout, 'pipe'] }
    const child = spawn(command[0]!, command.slice(1), options)
    children.add(child)
    const printed = { out: '', err: '' }
    child.stdout?.setEncoding('utf8').on('data', (text) => (printed.out += text))
    child.stderr!.setEncoding('utf8').on('data', (text) => (printed.err += text))
    const ended = once(child, 'close').then(([code, signal]): Ended => {
      children.delete(child)
      return { code, signal, ...printed }
    })
    return { child, printed, ended }
  }

  /** Starts a script of package.json. */
  const startScript = (script: string, args: string[], settings: Settings) => spawnCommand(byLine(script, args), settings)

  /** Runs a script of package.json until it exits. */
  const runScript = (...started: Parameters<typeof startScript>) => startScript(...started).ended

  /** Starts a portal that should fail, and waits until it exits. */
  const startInVain = (settings: Settings, command = portalLine) => spawnCommand(command, settings).ended

  /** Starts a portal and waits until it is ready. */
  async function startPortal(settings: Settings, command = portalLine) {
    const { child, printed, ended } = spawnCommand(command, settings)
    const found = await until(
      'the portal is ready or has ended',
      async () => READY.exec(printed.out) ?? (child.exitCode !== null ? await ended : null),
    )
    if ('code' in found) throw new Error(`the portal ended: ${JSON.stringify(found)}`)
    return describe(child, printed, ended, found)
  }

  /** Starts a portal without reading its `stdout`, so its port must be given. */
  function startUnseen(settings: Settings & { PORT: string }, stdout: 'pipe' | number) {
    const { child, printed, ended } = spawnCommand(portalLine, settings, stdout)
    return describe(child, printed, ended, ['', `http://localhost:${settings.PORT}`, `127.0.0.1:${settings.PORT}`])
  }

  return { makeFolder, makeUsedFolder, makeDatabase, makeMigratedDatabase, startScript, runScript, startInVain, startPortal, startUnseen }
}

export const untilHealthy = (base: string) =>
  until('the portal answers', async () => (await fetch(`${base}/api/healthz`).catch(() => null))?.status === 200)
