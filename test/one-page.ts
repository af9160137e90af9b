/** Compares printed rules and APIs with snapshots, which people review. A snapshot is beside the test that prints it. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

const asPage = (lines: readonly string[]) => `${lines.join('\n')}\n`

/** The maximum number of differing lines that are shown. */
const MOST_SHOWN = 40

/** Compares lines with a snapshot. Fails with the lines that differ, and the command that updates the snapshot. */
export function assertPage(t: TestContext, lines: readonly string[], page: URL) {
  const path = fileURLToPath(page)
  try {
    t.assert.fileSnapshot(lines, path, { serializers: [asPage] })
  } catch (error) {
    if (!existsSync(path)) throw error
    const stored = readFileSync(path, 'utf8').trimEnd().split('\n')
    const [before, now] = [new Set(stored), new Set(lines)]
    const moved = [
      ...stored.filter((line) => !now.has(line)).map((line) => `- ${line}`),
      ...lines.filter((line) => !before.has(line)).map((line) => `+ ${line}`),
    ]
    const test = page.pathname.slice(fileURLToPath(new URL('..', import.meta.url)).length).replace(/\.txt$/, '.test.ts')
    assert.fail(
      [
        `${basename(path)} differs; if this is intended: npm run test:files -- --test-update-snapshots ${test}`,
        ...moved.slice(0, MOST_SHOWN),
        ...(moved.length > MOST_SHOWN ? [`… and ${moved.length - MOST_SHOWN} more`] : moved.length === 0 ? ['the order of the lines'] : []),
      ].join('\n'),
    )
  }
}
