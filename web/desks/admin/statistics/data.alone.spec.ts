/** The computations of the statistics page. */
import '../../../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeOf, lowestOf, windowBefore, windowOf } from './data.ts'

test('the previous window has the same length and ends the day before', () => {
  assert.deepEqual(windowBefore({ rangeFrom: '2026-10-26', rangeTo: '2026-11-24' }), {
    range: 'custom',
    from: '2026-09-26',
    to: '2026-10-25',
  })
  assert.deepEqual(windowBefore({ rangeFrom: '2028-03-01', rangeTo: '2028-03-01' }), {
    range: 'custom',
    from: '2028-02-29',
    to: '2028-02-29',
  })
})

test('only valid days are a window', () => {
  assert.deepEqual(windowOf(undefined, '2026-01-01', '2026-01-02'), { range: '30d' })
  assert.equal(windowOf('custom', '2026-01-02', '2026-01-01'), undefined)
  assert.equal(windowOf('custom', '2025-01-01', '2026-01-02'), undefined)
  assert.equal(windowOf('custom', '2025-01-01', undefined), undefined)
  assert.deepEqual(windowOf('custom', '2025-01-01', '2026-01-01'), { range: 'custom', from: '2025-01-01', to: '2026-01-01' })
})

test('a change is a percentage, unless the previous number was 0', () => {
  assert.deepEqual(changeOf(127, 100), { kind: 'more', share: 0.27 })
  assert.deepEqual(changeOf(50, 100), { kind: 'fewer', share: 0.5 })
  assert.deepEqual([changeOf(1000, 1001), changeOf(0, 0), changeOf(3, 0)], [{ kind: 'same' }, { kind: 'same' }, { kind: 'new' }])
})

test('the lowest day is not today, and is not tied with another day', () => {
  const days = [
    { date: '2026-11-23', count: 4 },
    { date: '2026-11-24', count: 2 },
    { date: '2026-11-25', count: 0 },
  ]
  assert.equal(lowestOf(days, '2026-11-25')?.date, '2026-11-24')
  assert.equal(lowestOf(days, '2026-12-01')?.date, '2026-11-25')
  assert.equal(lowestOf(days.slice(2), '2026-11-25'), undefined)
  assert.equal(lowestOf([...days, { date: '2026-11-26', count: 0 }], '2026-12-01'), undefined)
})
