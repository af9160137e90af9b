import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedFields } from './change-kind.ts'

test('a field has changed if it was sent and its value differs', () => {
  const before = { name: 'a', color: 'red', note: null, count: 1 }
  assert.deepEqual(changedFields(before, { name: 'b', color: 'red', note: undefined, count: undefined }), { name: { from: 'a', to: 'b' } })
  assert.deepEqual(changedFields(before, { note: 'x', count: 0 }), { note: { from: null, to: 'x' }, count: { from: 1, to: 0 } })
  assert.deepEqual(changedFields(before, {}), {})
  const lists = { names: ['a', 'b'] }
  assert.deepEqual(changedFields(lists, { names: ['a', 'b'] }), {})
  assert.deepEqual(changedFields(lists, { names: ['b', 'a'] }), { names: { from: ['a', 'b'], to: ['b', 'a'] } })
})
