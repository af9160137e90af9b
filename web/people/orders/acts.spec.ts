/** Tests which actions the menus offer, given those that the portal allows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actsIn } from './acts.ts'

const offered = (status: Parameters<typeof actsIn>[0], ...may: Parameters<typeof actsIn>[1]) =>
  Object.entries(actsIn(status, may)).flatMap(([name, isOffered]) => (isOffered ? name : []))

test('an action that the portal does not list is not offered', () => {
  assert.deepEqual(offered('received'), [])
})

test('a lead may assign, hand over, cancel and release an order in work, but may not release a waiting one', () => {
  assert.deepEqual(offered('received', 'cancel', 'transfer', 'assign'), ['assigns', 'handsOver', 'cancels', 'releases'])
  assert.deepEqual(offered('pending', 'cancel', 'transfer', 'assign'), ['assigns', 'handsOver', 'cancels'])
})

test('a receiver may hand a waiting order over, and may release only an order that they have', () => {
  assert.deepEqual(offered('pending', 'message', 'note', 'transfer'), ['handsOver'])
  assert.deepEqual(offered('preparing', 'cancel', 'note', 'wait', 'transfer'), ['handsOver', 'cancels', 'releases'])
  assert.deepEqual(offered('preparing', 'note', 'transfer'), ['handsOver'])
})

test('an order that waits for an approval, or was handed over too often, may only be cancelled', () => {
  assert.deepEqual(offered('pending', 'cancel', 'message', 'approve', 'deny'), ['cancels'])
})
