import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setsAround } from './rules.ts'

const changes = [
  { id: 9, added: [4], removed: [2] },
  { id: 7, added: [2, 3], removed: [] },
  { id: 5, added: [1], removed: [8, 6] },
]

test('the sets before and after a change are found by undoing the later changes, newest first', () => {
  const around = setsAround([4, 3, 1], changes, new Set([9, 5]))
  assert.deepEqual(
    [...around],
    [
      [9, { previousIds: [1, 2, 3], newIds: [1, 3, 4] }],
      [5, { previousIds: [6, 8], newIds: [1] }],
    ],
  )
})

test('a set that never changed has no earlier states', () => {
  assert.deepEqual([...setsAround([1, 2], [], new Set())], [])
})
