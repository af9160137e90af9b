/**
 * Runs a suite. `node test/run.ts` runs the ordinary suite, at the same time as the checks; `node test/run.ts slow` runs the slow suite.
 * The files of a folder share a process, in which each is a suite of its own. A file `*.alone.test.ts` has a process to itself, because it
 * changes shared state. Fails if a test or a check failed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'

const root = join(import.meta.dirname, '..')
const cache = join(root, 'node_modules', '.cache')
const entries = join(cache, 'tests')
const suite = process.argv[2] === 'slow' ? 'slow' : 'ordinary'

/**
 * The number of test processes at once. It exceeds the number of processors, because journeys spend much of their time waiting for pages or
 * the portal.
 */
const AT_ONCE = 4
/** The most bytes of tests in one process, so that all processors are busy until the end. */
const MOST_BYTES = suite === 'slow' ? 20_000 : 120_000
/** A process that runs longer is stopped, and its tests fail. */
const LONGEST_MS = 40 * 60_000

const isSlow = (file: string) => /\.slow\.\w+\.ts$/.test(file)
const files = globSync(['{server,demo,test}/**/*.test.ts', 'web/**/*.spec.ts'], { cwd: root })
  .filter((file) => isSlow(file) === (suite === 'slow'))
  .toSorted()

/** The size of a file in bytes. For a slow file that only imports an ordinary one, the size of the ordinary file. */
function bytesOf(file: string) {
  const [content, ordinary] = [readFileSync(join(root, file)), join(root, file.replace('.slow.', '.'))]
  return content.length < 200 ? readFileSync(ordinary).length : content.length
}

/** The first two levels of a file's folder, as one name. Files with different names never come into one group. */
const folderOf = (file: string) => dirname(file).split('/').slice(0, 2).join('-')

interface Group {
  name: string
  files: string[]
  bytes: number
}

/** How many times longer the tests of pages and the fuzz take per byte than the tests of the server. */
const timesOf = (name: string) => (name === 'test-fuzz' ? 100 : name.startsWith('web') ? 10 : 1)

/** Puts files into groups. The groups that take longest come first, so that none of them runs alone at the end. */
function groupsOf(all: string[]) {
  const groups: Group[] = []
  for (const file of all) {
    const [folder, bytes, last] = [folderOf(file), bytesOf(file), groups.at(-1)]
    if (last?.name === folder && last.bytes + bytes <= MOST_BYTES) {
      last.files.push(file)
      last.bytes += bytes
    } else groups.push({ name: folder, files: [file], bytes })
  }
  const weight = ({ name, bytes }: Group) => timesOf(name) * bytes
  return groups.toSorted((one, other) => weight(other) - weight(one))
}

/** Writes a program that imports the files of a group. In the slow suite, its name contains `.slow`: see `suite.ts`. */
function entryOf({ name, files }: Group, place: number) {
  const entry = join(entries, `${String(place).padStart(3, '0')}-${name}${suite === 'slow' ? '.slow' : ''}.test.mjs`)
  writeFileSync(entry, `import { inTurn } from '../../../test/in-turn.ts'\ninTurn(${JSON.stringify(files)})\n`)
  return entry
}

rmSync(entries, { recursive: true, force: true })
mkdirSync(entries, { recursive: true })
const isAlone = (file: string) => file.includes('.alone.')
const programs = [...groupsOf(files.filter((file) => !isAlone(file))).map(entryOf), ...files.filter(isAlone)]

const options = [
  `--test-concurrency=${AT_ONCE}`,
  `--test-timeout=${LONGEST_MS}`,
  '--test-global-setup=test/setup-all.ts',
  ...['--test-reporter=spec', '--test-reporter-destination=stdout', '--test-reporter=./test/ran.ts', '--test-reporter-destination=stdout'],
]
const env = { ...process.env, NODE_COMPILE_CACHE: join(cache, 'node'), TEST_SUITE: suite }
// Ignore Ctrl+C here: the test runner handles it, and names the tests that hang.
process.on('SIGINT', () => {})
const checks =
  suite === 'ordinary' && spawn(process.execPath, ['tools/check.ts', 'beside-tests'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
const found = checks && Promise.all([text(checks.stdout), text(checks.stderr), once(checks, 'close')])
const tests = spawn(process.execPath, ['--test', ...options, ...process.argv.slice(suite === 'slow' ? 3 : 2), ...programs], {
  cwd: root,
  env,
  stdio: 'inherit',
})
const [code] = await once(tests, 'close')
if (found) {
  const [output, errors, [failed]] = await found
  console.log(`\n${output}${errors}`)
  if (failed !== 0) process.exitCode = 1
}
if (code !== 0) process.exitCode = 1
