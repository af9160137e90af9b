/** A reporter that lists the slowest files at the end of a run, in seconds. */

import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

const SHOWN = 20

export default async function* slowest(events: AsyncIterable<TestEvent>) {
  const files: { file: string; seconds: number }[] = []
  for await (const { type, data } of events)
    if (type === 'test:summary' && data.file) files.push({ file: relative('', data.file), seconds: data.duration_ms / 1000 })
  files.sort((one, other) => other.seconds - one.seconds)
  if (files.length > 1) yield '\nThe slowest files, in seconds:\n'
  for (const { file, seconds } of files.slice(0, SHOWN)) yield `${seconds.toFixed(1).padStart(7)}  ${file}\n`
}
