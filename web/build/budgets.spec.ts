/** Measurements over their budgets are marked, and fail the command. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOver, lineOf, median } from './budgets.ts'

test('what is over its budget, or was not measured, is marked, and what keeps to it is not', () => {
  const line = (value: number) => lineOf({ what: 'heap', value, budget: 40, unit: 'MB' })
  assert.deepEqual(
    [39.9, 40, 40.1, Number.NaN].map((value) => isOver({ value, budget: 40 })),
    [false, false, true, true],
  )
  assert.match(line(40), /^ {2}.* 40\.0 of +40 MB {2}heap$/)
  assert.match(line(40.1), /^✗ /)
  assert.equal(median([5, 1, 9, 2, 3]), 3)
})
