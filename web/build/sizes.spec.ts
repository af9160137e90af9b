import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ensurePages } from '../../server/site/pages/built.ts'
import { weigh } from './sizes.ts'

test('the first page, each room, all scripts, styles and fonts stay within their size budgets', async () => {
  await ensurePages(() => {})
  const weights = weigh()
  assert.ok(weights.every(({ kB }) => kB > 0))
  assert.deepEqual(
    weights.filter(({ kB, budget }) => kB > budget),
    [],
  )
})
