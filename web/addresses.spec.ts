import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paramsOf, patternOf } from './addresses.ts'

test('an address whose id is larger than any record’s has no page', () => {
  const order = patternOf('/orders/:id')
  assert.deepEqual(paramsOf(order, '/orders/2147483647'), { id: '2147483647' })
  assert.equal(paramsOf(order, '/orders/2147483648'), undefined)
})
