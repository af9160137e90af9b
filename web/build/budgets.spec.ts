import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOver, lineOf, median } from './budgets.ts'

test('a value over its budget, or one that was not measured, is marked, and a value within it is not', () => {
  const line = (value: number) => lineOf({ what: 'heap', value, budget: 40, unit: 'MB' })
  assert.deepEqual(
    [39.9, 40, 40.1, Number.NaN].map((value) => isOver({ value, budget: 40 })),
    [false, false, true, true],
  )
  assert.match(line(40), /^ {2}.* 40\.0 of +40 MB {2}heap$/)
  assert.match(line(40.1), /^✗ /)
  assert.equal(median([5, 1, 9, 2, 3]), 3)
})
