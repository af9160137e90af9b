/** Rows keep their places while the hand is among them: what has come and gone meanwhile is told apart. */
import '../../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare } from './steady.ts'

const shown = new Map([10, 9, 8, 7].map((row, index) => [index, row]))
const after = (...now: (number | undefined)[]) => {
  const { news, gone } = compare(
    shown,
    (index) => now[index],
    now.length,
    (row) => row,
  )
  return { news, gone: [...gone] }
}

test('nothing has come or gone where the rows are the same, whatever follows them', () => {
  assert.deepEqual(after(10, 9, 8, 7), { news: 0, gone: [] })
  assert.deepEqual(after(10, 9, 8, 7, 6, 5), { news: 0, gone: [] })
})

test('rows above others are new, and rows that are not found again are gone', () => {
  assert.deepEqual(after(12, 11, 10, 9, 8, 7), { news: 2, gone: [] })
  assert.deepEqual(after(10, 8, 7, 6), { news: 0, gone: [9] })
  assert.deepEqual(after(11, 9, 8, 7, 6), { news: 1, gone: [10] })
  assert.deepEqual(after(12, 11), { news: 2, gone: [10, 9, 8, 7] })
  assert.deepEqual(after(), { news: 0, gone: [10, 9, 8, 7] })
})

test('nothing is called gone while part of the list is unread', () => {
  assert.deepEqual(after(11, 10, 9, 8, undefined), { news: 1, gone: [] })
})
