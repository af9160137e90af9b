/** A reporter that lists the slowest files at the end of a run, in seconds. */

import type { TestEvent } from 'node:test/reporters'

const SHOWN = 20
const isFile = /\.(test|spec)\.ts$/

export default async function* slowest(events: AsyncIterable<TestEvent>) {
  const files: { file: string; seconds: number }[] = []
  for await (const { type, data } of events) {
    // A whole run has them as suites of its processes.
    if (type === 'test:complete' && data.nesting === 0 && isFile.test(data.name))
      files.push({ file: data.name, seconds: data.details.duration_ms / 1000 })
  }
  files.sort((one, other) => other.seconds - one.seconds)
  if (files.length > 1) yield '\nThe slowest files, in seconds:\n'
  for (const { file, seconds } of files.slice(0, SHOWN)) yield `${seconds.toFixed(1).padStart(7)}  ${file}\n`
}
