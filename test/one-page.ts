/** Snapshots by which people review a rule or an API, beside the tests that print them. */
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

const asPage = (lines: readonly string[]) => `${lines.join('\n')}\n`

/**
 * Compares lines with a snapshot. After an intended change, run `npm run test:files -- --test-update-snapshots <file>` and review the
 * difference.
 */
export const assertPage = (t: TestContext, lines: readonly string[], page: URL) =>
  t.assert.fileSnapshot(lines, fileURLToPath(page), { serializers: [asPage] })
