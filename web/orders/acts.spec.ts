/** What menus offer by what the portal lists as possible. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actsIn } from './acts.ts'

const offered = (status: Parameters<typeof actsIn>[0], ...may: Parameters<typeof actsIn>[1]) =>
  Object.entries(actsIn(status, may)).flatMap(([name, isOffered]) => (isOffered ? name : []))

test('nothing is offered of what the portal does not list', () => {
  assert.deepEqual(offered('received'), [])
})

test('a lead assigns, hands over, cancels and releases an order in work, and a waiting one all but releases', () => {
  assert.deepEqual(offered('received', 'cancel', 'transfer', 'assign'), ['assigns', 'handsOver', 'cancels', 'releases'])
  assert.deepEqual(offered('pending', 'cancel', 'transfer', 'assign'), ['assigns', 'handsOver', 'cancels'])
})

test('a receiver hands a waiting order over and releases only one that they have', () => {
  assert.deepEqual(offered('pending', 'message', 'note', 'transfer'), ['handsOver'])
  assert.deepEqual(offered('preparing', 'cancel', 'note', 'wait', 'transfer'), ['handsOver', 'cancels', 'releases'])
  assert.deepEqual(offered('preparing', 'note', 'transfer'), ['handsOver'])
})

test('an order that waits for an approval, or was handed over too often, is only cancelled', () => {
  assert.deepEqual(offered('pending', 'cancel', 'message', 'approve', 'deny'), ['cancels'])
})
