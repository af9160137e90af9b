import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paramsOf, patternOf } from './addresses.ts'

test('an address with an id that no record can have leads nowhere', () => {
  const order = patternOf('/orders/:id')
  assert.deepEqual(paramsOf(order, '/orders/2147483647'), { id: '2147483647' })
  assert.equal(paramsOf(order, '/orders/2147483648'), undefined)
})
