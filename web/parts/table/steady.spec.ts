/** Rows keep their places while the hand is among them: what has come and gone meanwhile is told apart. */
import '../../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PART } from '../../platform/list.ts'
import { compare } from './steady.ts'

type Rows = (number | undefined)[]
const id = (row: number) => row

/** Rows that were shown at these places; those of `read` were there besides. */
function hold(rows: [index: number, row: number][], read: number[] = []) {
  const held = { query: '', rows: new Map(rows), known: new Set([...rows.map(([, row]) => row), ...read]) }
  return (now: Rows, length = now.length) => {
    const { news, gone } = compare(held, (index) => now[index], length, id)
    return { news, gone: [...gone] }
  }
}
const four: [number, number][] = [10, 9, 8, 7].map((row, index) => [index, row])
const after = (...now: Rows) => hold(four)(now)

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

test('a row that comes below those that are shown moves none of them', () => {
  assert.deepEqual(hold(four, [6, 5])([10, 9, 8, 7, 6, 66, 5]), { news: 0, gone: [] })
})

test('rows that are read later are no news, wherever the list was scrolled to', () => {
  const start = Array.from({ length: PART }, (_, index) => index)
  const look = hold(
    [0, 1, 2].map((row) => [row, row]),
    start,
  )
  const next = Array.from({ length: PART }, (_, index) => PART + index)
  assert.deepEqual(look([...start, undefined], 50_000), { news: 0, gone: [] })
  assert.deepEqual(look([...start, ...next, undefined], 50_000), { news: 0, gone: [] })
  // Somebody is told of a newcomer at the top afterwards, and only of them.
  assert.deepEqual(look([-1, ...start, ...next, undefined], 50_001), { news: 1, gone: [] })
  assert.deepEqual(look([-1, ...start, ...next, undefined], 50_001), { news: 1, gone: [] })
})

test('from the end of a long list what has come at its beginning is counted', () => {
  const start = Array.from({ length: PART }, (_, index) => index)
  const look = hold([[49_999, 49_999]], start)
  assert.deepEqual(look([...start, undefined], 50_000), { news: 0, gone: [] })
  assert.deepEqual(look([-1, ...start, undefined], 50_001), { news: 1, gone: [] })
})
