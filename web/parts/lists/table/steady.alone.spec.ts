/** Rows keep their places while the pointer or focus is among them, and changes of the list are counted. */
import '../../../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PART } from '../../../platform/list.ts'
import { compare } from './steady.ts'

type Rows = (number | undefined)[]
const id = (row: number) => row

/** Compares a list with `rows`, which were shown at these indexes. The rows of `read` were also loaded. */
function hold(rows: [index: number, row: number][], read: number[] = []) {
  const held = { query: '', rows: new Map(rows), known: new Set([...rows.map(([, row]) => row), ...read]) }
  return (now: Rows, length = now.length) => {
    const { news, gone } = compare(held, (index) => now[index], length, id)
    return { news, gone: [...gone] }
  }
}
const four: [number, number][] = [10, 9, 8, 7].map((row, index) => [index, row])
const after = (...now: Rows) => hold(four)(now)

test('rows that follow the shown rows do not count as changes', () => {
  assert.deepEqual(after(10, 9, 8, 7), { news: 0, gone: [] })
  assert.deepEqual(after(10, 9, 8, 7, 6, 5), { news: 0, gone: [] })
})

test('unknown rows above known ones are new, and rows that are no longer found are gone', () => {
  assert.deepEqual(after(12, 11, 10, 9, 8, 7), { news: 2, gone: [] })
  assert.deepEqual(after(10, 8, 7, 6), { news: 0, gone: [9] })
  assert.deepEqual(after(11, 9, 8, 7, 6), { news: 1, gone: [10] })
  assert.deepEqual(after(12, 11), { news: 2, gone: [10, 9, 8, 7] })
  assert.deepEqual(after(), { news: 0, gone: [10, 9, 8, 7] })
})

test('no row counts as gone while part of the list is not loaded', () => {
  assert.deepEqual(after(11, 10, 9, 8, undefined), { news: 1, gone: [] })
})

test('a row that arrives below the shown ones is not counted', () => {
  assert.deepEqual(hold(four, [6, 5])([10, 9, 8, 7, 6, 66, 5]), { news: 0, gone: [] })
})

test('rows loaded later are not new, wherever the list was scrolled to', () => {
  const start = Array.from({ length: PART }, (_, index) => index)
  const look = hold(
    [0, 1, 2].map((row) => [row, row]),
    start,
  )
  const next = Array.from({ length: PART }, (_, index) => PART + index)
  assert.deepEqual(look([...start, undefined], 50_000), { news: 0, gone: [] })
  assert.deepEqual(look([...start, ...next, undefined], 50_000), { news: 0, gone: [] })
  // A row that is added at the top later is counted, and only once.
  assert.deepEqual(look([-1, ...start, ...next, undefined], 50_001), { news: 1, gone: [] })
  assert.deepEqual(look([-1, ...start, ...next, undefined], 50_001), { news: 1, gone: [] })
})

test('new rows at the start are counted even while the end of a long list is shown', () => {
  const start = Array.from({ length: PART }, (_, index) => index)
  const look = hold([[49_999, 49_999]], start)
  assert.deepEqual(look([...start, undefined], 50_000), { news: 0, gone: [] })
  assert.deepEqual(look([-1, ...start, undefined], 50_001), { news: 1, gone: [] })
})
