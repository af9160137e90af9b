/**
 * Runs the tests of a mutant in a sandbox. A mutant might signal any process or remove any file, so the sandbox sees only its own
 * processes and can write only to one folder, which is removed with it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { scratch } from '../scratch.ts'
import type { Edit } from './edit.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))
/** A folder that is kept between runs but never committed. */
export const cache = join(root, 'node_modules', '.cache', 'mutations')

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const namespaces = ['--mount', '--pid', '--ipc', '--fork', '--kill-child', '--mount-proc']
/** The shell stays as process 1, to reap orphans. Databases are named by process ids, so each sandbox starts counting at another. */
const ENTER = `echo "$1" > /proc/sys/kernel/ns_last_pid; mount --bind "$2" "$2" && mount --bind "$3" "$3" && mount -o remount,bind,ro / || exit 99
shift 3; "$@"; exit $?`

export interface Run {
  /** Whether every test passed. */
  passed: boolean
  isLate: boolean
  ms: number
  /** The last lines of output, which name the failed test. */
  said: string
  /** The first process id in the sandbox. */
  firstPid: number
}
export interface Manner {
  mutant?: Edit & { url: string }
  /** The subfolder for coverage data. */
  coverage?: boolean
  mostMs?: number
}

const running = new Set<ChildProcess>()
/** Kills all running tests with their sandboxes. */
export function endTests() {
  for (const child of running) child.kill('SIGKILL')
}

const PIDS_EACH = 150
let sandboxes = 0

/** Runs a test file. `look` may read what it left in its folder. */
export async function runTests(
  test: string,
  { mutant, coverage = false, mostMs = 300_000 }: Manner,
  look: (folder: string) => void = () => {},
): Promise<Run> {
  const folder = mkdtempSync(join(scratch, 'bw-'))
  const compiled = join(cache, 'compiled')
  mkdirSync(compiled, { recursive: true })
  const firstPid = 1000 + (sandboxes++ % 150) * PIDS_EACH
  const asRoot = process.getuid!() === 0 ? [] : ['--map-root-user']
  const env = {
    ...process.env,
    TMPDIR: folder,
    NODE_COMPILE_CACHE: compiled,
    TEST_KEEP_DATABASES: '1',
    // The folder for provoked refusals cannot be reached from here.
    TEST_PROVOKED: '',
    ...(mutant && { MUTANT: JSON.stringify(mutant), NODE_OPTIONS: `--import=${here('hook.ts')}` }),
    ...(coverage && { NODE_V8_COVERAGE: join(folder, 'coverage') }),
  }
  const node = ['node', '--max-old-space-size=800', ...(mutant ? [`--test-reporter=${here('bail.ts')}`] : []), test]
  const begun = performance.now()
  const child = spawn('unshare', [...asRoot, ...namespaces, 'sh', '-c', ENTER, 'sh', String(firstPid), folder, compiled, ...node], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said = (said + text).slice(-20_000)))
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, mostMs)
  const code = await new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject))
  clearTimeout(timer)
  running.delete(child)
  if (code === 99) throw new Error(`no sandbox: ${said}`)
  look(folder)
  rmSync(folder, { recursive: true, force: true })
  return { passed: code === 0, isLate, ms: Math.round(performance.now() - begun), said, firstPid }
}

const server = () => JSON.parse(process.env['TEST_POSTGRES']!) as pg.ClientConfig

/** Runs `work` with its own connection to a database of the tests' server. */
export async function inDatabase<T>(database: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...server(), database })
  client.on('error', () => {})
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}

/** The databases left by the tests of a sandbox. */
export async function databasesOf({ firstPid }: Run) {
  const { rows } = await inDatabase('postgres', (client) => client.query<{ name: string }>('select datname as name from pg_database'))
  const pidOf = (name: string) => Number(/_(\d+)_\d+$/.exec(name)?.[1])
  return rows.map(({ name }) => name).filter((name) => pidOf(name) >= firstPid && pidOf(name) < firstPid + PIDS_EACH)
}

export const dropDatabases = (names: string[]) =>
  inDatabase('postgres', async (client) => {
    for (const name of names) await client.query(`drop database if exists ${name} (force)`)
  })
