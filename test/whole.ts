/**
 * Runs all tests. Those of a room that need no process of their own share one: to start a process and load the portal costs more than
 * most files' tests, each of which still has its own portal and database.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deep } from './depth.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'node_modules', '.cache', 'together')
const MOST = 8
/** The journeys that every run makes; the others are made at full depth. */
const JOURNEYS = '{receiving/journey,services/journey}'

/** What takes longest begins first, at full depth in two parts: the runner takes files in the order of their paths. */
const LONGEST = 'test/hostile.test.ts'
const PARTS = deep(2)
/** Tests that start programs, change or measure their process, have a snapshot beside them, or wait while they are loaded. */
const alone =
  /\/(process|programs|clusters|memory|growth|testing\/portal)\.ts'|assert\.snapshot\(|\bmock\.|process\.(env\[.*\] =|on\(|memoryUsage|cpuUsage)|\bspawn\(|^(const .* = )?await /m
const isAlone = (file: string) => alone.test(readFileSync(join(root, file), 'utf8'))
const roomOf = (file: string) => file.split('/').slice(0, -1).join('-')

/** Groups of test files, by room, of at most eight. */
function groupsOf(files: readonly string[]) {
  const rooms = Map.groupBy(files, roomOf)
  return [...rooms].flatMap(([room, some]) => {
    const count = Math.ceil(some.length / MOST)
    return Array.from({ length: count }, (_, index) => ({
      name: `${room}-${index + 1}`,
      files: some.filter((_, place) => place % count === index),
    }))
  })
}

/** A program that runs files, or that part of them, one after the other, each as a suite. */
const programOf = (files: readonly string[], part = '1/1') =>
  `process.env.TEST_PART = '${part}'\nconst { suite } = require('node:test')\nfor (const file of ${JSON.stringify(files)})\n  suite(file, () => void require(${JSON.stringify(root)} + '/' + file))\n`

if (import.meta.main) {
  const files = globSync('{server,test}/**/*.test.ts', { cwd: root }).toSorted()
  const others = files.filter((file) => file !== LONGEST)
  const parts = Array.from({ length: PARTS }, (_, index) => ({
    name: `0-longest-${index + 1}`,
    files: [LONGEST],
    part: `${index + 1}/${PARTS}`,
  }))
  const groups = [...parts, ...groupsOf(others.filter((file) => !isAlone(file)))]
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const programs = groups.map(({ name, files, part }: { name: string; files: readonly string[]; part?: string }) => {
    const path = join(folder, `${name}.test.cjs`)
    writeFileSync(path, programOf(files, part))
    return path
  })
  const journeys = globSync(`web/${deep(2) === 2 ? '**/*' : JOURNEYS}.spec.ts`, { cwd: root }).toSorted()
  const reporters = ['spec', './test/slowest.ts'].flatMap((name) => [`--test-reporter=${name}`, '--test-reporter-destination=stdout'])
  const running = spawn(
    process.execPath,
    [
      '--test',
      '--test-timeout=1800000',
      '--test-global-setup=test/setup.ts',
      '--test-concurrency=5',
      ...reporters,
      ...others.filter(isAlone),
      ...programs,
      ...journeys,
    ],
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
  const [status] = await once(running, 'exit')
  process.exitCode = status ?? 1
}
