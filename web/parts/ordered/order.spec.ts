import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withOrder } from './order.ts'

test('moving items within a part of a list moves nothing else', () => {
  assert.deepEqual(withOrder([1, 2, 3, 4, 5], [4, 2]), [1, 4, 3, 2, 5])
  assert.deepEqual(withOrder([1, 2, 3], [3, 1, 2]), [3, 1, 2])
  assert.deepEqual(withOrder([1, 2], []), [1, 2])
})
