/**
 * A reporter that writes the sorted list of the tests that ran to `node_modules/.cache/tests-ran.txt`, and the seconds of each file beside
 * it, and prints the slowest files.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

const root = join(import.meta.dirname, '..')
const LIST = join(root, 'node_modules', '.cache', 'tests-ran.txt')
const SECONDS = join(root, 'node_modules', '.cache', 'tests-seconds.txt')
const SHOWN = 20

export default async function* ran(events: AsyncIterable<TestEvent>) {
  const tests: string[] = []
  const seconds: { file: string; time: number }[] = []
  for await (const { type, data } of events) {
    if (type !== 'test:complete' || !data.file) continue
    const file = relative(root, data.file)
    const { name, nesting, details } = data
    // Node reports each file as a test.
    if (name === file) seconds.push({ file, time: details.duration_ms / 1000 })
    else tests.push(`${file} ${'  '.repeat(nesting)}${name}${'skip' in data ? ' (skipped)' : ''}`)
  }
  mkdirSync(dirname(LIST), { recursive: true })
  writeFileSync(LIST, `${tests.sort().join('\n')}\n`)
  const slowest = seconds
    .toSorted((one, other) => other.time - one.time)
    .map(({ file, time }) => `${time.toFixed(1).padStart(7)}  ${file}\n`)
  writeFileSync(SECONDS, slowest.join(''))
  if (seconds.length > 1) yield '\nThe slowest files, in seconds:\n'
  yield* slowest.slice(0, SHOWN)
  yield `The tests that ran: ${relative(root, LIST)}\n`
}
