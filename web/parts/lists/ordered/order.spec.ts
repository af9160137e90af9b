import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withOrder } from './order.ts'

test('reordering some items of a list leaves the rest in their places', () => {
  assert.deepEqual(withOrder([1, 2, 3, 4, 5], [4, 2]), [1, 4, 3, 2, 5])
  assert.deepEqual(withOrder([1, 2, 3], [3, 1, 2]), [3, 1, 2])
  assert.deepEqual(withOrder([1, 2], []), [1, 2])
})
