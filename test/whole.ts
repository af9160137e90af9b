/**
 * Runs all tests: a few processes take file after file from one queue (`queue.ts`), each file with its own portal and database. Files that
 * change or measure their process, and journeys through the pages, have one of their own.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deep, FULL_DEPTH } from './depth.ts'
import { leftIn, listOf, MOST_FILES } from './queue.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'node_modules', '.cache', 'whole')
const queue = join(folder, 'queue')
/** How many processes run at once. Many tests wait for a program that they started, or for the database. */
const PROCESSES = 6
const isFull = deep(FULL_DEPTH) === FULL_DEPTH
/** The journeys that every run makes; the others are made at full depth. */
const JOURNEYS = isFull ? '**/*' : '{receiving/journey,services/journey}'

/** What takes longest begins first, at full depth in two parts. */
const LONGEST = ['test/hostile.test.ts', 'test/image.test.ts']
const PARTS = deep(2)
/** Files that change their process for those after them, count what it has counted, or measure it. */
const alone =
  /\/(memory|counting|locking|metrics|testing\/portal)\.ts'|process\.(on\(|memoryUsage|getActiveResourcesInfo|\w*[cC]puUsage|env\[.*\] =)|delete process\.env/
const lengthy = /\/(process|clusters)\.ts'/
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Their order in the queue: those that start programs first, then the long ones. */
function byLength(one: string, other: string) {
  const [first, second] = [one, other].map((file) => Number(lengthy.test(read(file))))
  return second! - first! || statSync(join(root, other)).size - statSync(join(root, one)).size
}

/** Programs that the runner starts in the order of their names. */
function writePrograms(programs: readonly string[]) {
  return programs.map((text, index) => {
    const path = join(folder, `${String(index).padStart(3, '0')}.test.mjs`)
    writeFileSync(path, text)
    return path
  })
}
const calling = (name: string, argument: string) =>
  `const { ${name} } = await import(${JSON.stringify(join(root, 'test/queue.ts'))})\nawait ${name}(${JSON.stringify(argument)})\n`
const ownProcess = (file: string, part = '1/1') => `process.env.TEST_PART = '${part}'\n${calling('runFile', file)}`

if (import.meta.main) {
  const files = globSync('{server,test}/**/*.test.ts', { cwd: root }).toSorted()
  const isAlone = (file: string) => LONGEST.includes(file) || alone.test(read(file))
  const others = files.filter(isAlone).filter((file) => !LONGEST.includes(file))
  const journeys = globSync(`web/${JOURNEYS}.spec.ts`, { cwd: root }).toSorted()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(queue, { recursive: true })
  const queued = files.filter((file) => !isAlone(file)).toSorted(byLength)
  writeFileSync(listOf(queue), JSON.stringify(queued))
  const [hostile, image] = LONGEST as [string, string]
  const programs = writePrograms([
    ...Array.from({ length: PARTS }, (_, index) => ownProcess(hostile, `${index + 1}/${PARTS}`)),
    ownProcess(image),
    ...[...others, ...journeys].map((file) => ownProcess(file)),
    ...Array.from({ length: Math.ceil(queued.length / MOST_FILES) }, () => calling('runQueue', queue)),
  ])
  const reporters = ['spec', './test/slowest.ts'].flatMap((name) => [`--test-reporter=${name}`, '--test-reporter-destination=stdout'])
  const running = spawn(
    process.execPath,
    ['--test', '--test-timeout=2400000', '--test-global-setup=test/setup.ts', `--test-concurrency=${PROCESSES}`, ...reporters, ...programs],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        // Its parts draw different rounds of the same run.
        FC_SEED: String(Date.now() % 2 ** 31),
        ...process.env,
        TEST_WHOLE: '1',
        NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
      },
    },
  )
  // Interrupted, the runner says what hangs, and ends.
  process.on('SIGINT', () => {})
  const [status] = (await once(running, 'exit')) as [number | null]
  const left = leftIn(queue)
  if (left.length) console.error(`Run by no process:\n  ${left.join('\n  ')}`)
  process.exitCode = left.length ? 1 : (status ?? 1)
}
