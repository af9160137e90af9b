/**
 * Runs one file of tests in a sandbox. A mutant might signal any process or remove any file, so the sandbox sees only its own processes
 * and can write only to one folder, which is removed afterwards. Its databases are on the server of `test/setup.ts`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { dropDatabase } from '../../test/portal.ts'
import { scratch } from '../../test/scratch.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

const NAMESPACES = ['--mount', '--pid', '--ipc', '--fork', '--kill-child', '--mount-proc']
/** Exits with 99 where the sandbox could write to the repository. The shell stays as process 1, to reap orphans. */
const ENTER = `
while read -r _ at _; do mount -o remount,bind,ro "$at"; done < /proc/self/mounts 2> /dev/null
mount --bind "$1" "$1" && mount -o remount,bind,rw "$1" && ! [ -w . ] || exit 99
shift; "$@"; exit $?`

interface Run {
  verdict: 'passed' | 'failed' | 'late'
  ms: number
  /** The end of the output. */
  said: string
}

let running: ChildProcess | undefined
export const endTests = () => running?.kill('SIGKILL')

interface Manner {
  timeout: number
  /** More environment variables for each process. */
  env?: Record<string, string>
  /** Called with the folder of the coverage of each process, as V8 writes it. */
  readCoverage?: (folder: string) => void
}

/** Runs a file of tests until the first fails. */
export async function runTests(test: string, { timeout, env = {}, readCoverage }: Manner): Promise<Run> {
  const folder = mkdtempSync(join(scratch, 'bawaba-mutant-'))
  const kept = await listDatabases()
  const coverage = join(folder, 'coverage')
  const asRoot = process.getuid!() === 0 ? [] : ['--map-root-user']
  const node = ['node', '--max-old-space-size=800', '--test-reporter=tap', test]
  const begun = performance.now()
  const child = spawn('unshare', [...asRoot, ...NAMESPACES, 'sh', '-c', ENTER, 'sh', folder, ...node], {
    cwd: root,
    env: {
      ...process.env,
      TMPDIR: folder,
      // `TEST_PROVOKED` names a folder to which the sandbox cannot write.
      TEST_PROVOKED: '',
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
      ...(readCoverage && { NODE_V8_COVERAGE: coverage }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout,
    killSignal: 'SIGKILL',
  })
  running = child
  let said = ''
  let hasFailed = false
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-20_000)
      if (!/^ *not ok /m.test(said)) return
      hasFailed = true
      child.kill('SIGKILL')
    })
  const code = await new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject))
  running = undefined
  if (code === 99) throw new Error(`no sandbox: ${said}`)
  readCoverage?.(coverage)
  rmSync(folder, { recursive: true, force: true })
  for (const name of await listDatabases()) if (!kept.includes(name)) await dropDatabase(name)
  const verdict = code === 0 ? 'passed' : code === null && !hasFailed ? 'late' : 'failed'
  return { verdict, ms: Math.round(performance.now() - begun), said }
}

async function listDatabases() {
  const client = new pg.Client(JSON.parse(process.env['TEST_POSTGRES']!))
  await client.connect()
  try {
    return (await client.query<{ name: string }>('select datname as name from pg_database')).rows.map(({ name }) => name)
  } finally {
    await client.end()
  }
}
