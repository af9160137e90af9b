/**
 * A reporter that writes the sorted list of the tests that ran to `node_modules/.cache/tests-ran.txt`, and the seconds of each file beside
 * it. It prints the slowest files, and the minutes of each part, summed over its files.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

const root = join(import.meta.dirname, '..')
const LIST = join(root, 'node_modules', '.cache', 'tests-ran.txt')
const SECONDS = join(root, 'node_modules', '.cache', 'tests-seconds.txt')
const SHOWN = 10

interface Timed {
  file: string
  seconds: number
}

function partOf(file: string) {
  if (!file.startsWith('web/')) return file.startsWith('test/') ? 'everything together (test/)' : 'the server (server/)'
  const text = readFileSync(join(root, file), 'utf8')
  if (text.includes('testing/parts.ts')) return 'single parts in a browser (web/)'
  return text.includes('testing/browser.ts') || file.includes('.slow.') ? 'journeys (web/)' : 'pages without a browser (web/)'
}

function* summary(files: Timed[]) {
  const total = files.reduce((sum, { seconds }) => sum + seconds, 0)
  yield '\nMinutes of each part, and its share:\n'
  for (const [part, some] of Map.groupBy(files, ({ file }) => partOf(file)).entries()) {
    const seconds = some.reduce((sum, one) => sum + one.seconds, 0)
    yield `${(seconds / 60).toFixed(1).padStart(7)} ${String(Math.round((100 * seconds) / total)).padStart(3)}%  ${part}, ${some.length} files\n`
  }
}

export default async function* ran(events: AsyncIterable<TestEvent>) {
  const tests: string[] = []
  const times: Timed[] = []
  for await (const { type, data } of events) {
    if (type !== 'test:complete' || !data.file) continue
    const { name, nesting, details } = data
    // Node or `in-turn.ts` reports each file as a test. The programs that `run.ts` writes are left out.
    if (existsSync(join(root, name)) && /\.(test|spec)\.ts$/.test(name)) times.push({ file: name, seconds: details.duration_ms / 1000 })
    else if (details.type !== 'suite' && !name.endsWith('.test.mjs'))
      tests.push(`${relative(root, data.file)} ${'  '.repeat(nesting)}${name}${'skip' in data ? ' (skipped)' : ''}`)
  }
  mkdirSync(dirname(LIST), { recursive: true })
  writeFileSync(LIST, `${tests.sort().join('\n')}\n`)
  const slowest = times.toSorted((one, other) => other.seconds - one.seconds)
  const lines = slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)}  ${file}\n`)
  writeFileSync(SECONDS, lines.join(''))
  if (times.length > 1) {
    yield '\nThe slowest files, in seconds:\n'
    yield* lines.slice(0, SHOWN)
    yield* summary(slowest)
  }
  yield `The tests that ran: ${relative(root, LIST)}\n`
}
