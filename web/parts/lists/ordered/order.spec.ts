import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInOrder, withOrder } from './order.ts'

test('reordering some items of a list leaves the rest in their places', () => {
  assert.deepEqual(withOrder([1, 2, 3, 4, 5], [4, 2]), [1, 4, 3, 2, 5])
  assert.deepEqual(withOrder([1, 2, 3], [3, 1, 2]), [3, 1, 2])
  assert.deepEqual(withOrder([1, 2], []), [1, 2])
})

test('an order still stands although records were added or removed since, but not if two of them have changed places', () => {
  const some = (...ids: number[]) => ids.map((id) => ({ id }))
  const order = some(3, 1, 2)
  assert.equal(isInOrder(some(3, 1, 2), order), true)
  assert.equal(isInOrder(some(4, 3, 5, 2), order), true)
  assert.equal(isInOrder(some(1, 3, 2), order), false)
  assert.equal(isInOrder([], order), true)
})
