import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plus } from '../../forms/calendar/days.ts'
import { changeOf, drawnPoints, fillDays, scaleOf, ticksOf, weekends } from './points.ts'

const days = (count: number, before?: number) =>
  Array.from({ length: count }, (_, index) => ({ day: plus('2026-01-01', index), value: index + 1, before }))

test('a period of up to a quarter has a point for each day, a longer one for each week', () => {
  assert.equal(drawnPoints(days(92)).isWeekly, false)
  const { points, isWeekly } = drawnPoints(days(366, 1))
  assert.ok(isWeekly)
  assert.deepEqual(
    [points.length, points[0], points.at(-1)],
    [53, { day: '2026-01-01', value: 28, before: 7 }, { day: '2026-12-31', value: 365 + 366, before: 2 }],
  )
  assert.equal(drawnPoints(days(100)).points[0]!.before, undefined)
})

test('a scale has a few round values and reaches the greatest value of the chart', () => {
  for (const [most, scale] of [
    [0, [0]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [44, [0, 20, 40, 60]],
    [463, [0, 200, 400, 600]],
    [1000, [0, 250, 500, 750, 1000]],
  ] as const)
    assert.deepEqual(scaleOf(most), scale, String(most))
  for (let most = 1; most < 5000; most += 7) {
    const scale = scaleOf(most)
    assert.ok(scale.at(-1)! >= most && scale.length <= 6 && scale.every(Number.isInteger), `${most}: ${scale}`)
  }
})

test('the labels of days fit, and include the first and the last', () => {
  for (const count of [1, 2, 7, 30, 31, 90, 92, 366])
    for (const width of [280, 1000]) {
      const ticks = ticksOf(count, width)
      assert.deepEqual([ticks[0], ticks.at(-1)], [0, count - 1])
      const apart = (width / Math.max(1, count - 1)) * Math.min(...ticks.slice(1).map((tick, index) => tick - ticks[index]!))
      assert.ok(count < 3 || apart > 60, `${count} in ${width}: ${ticks}`)
    }
  assert.deepEqual(ticksOf(30, 1000), [0, 7, 14, 21, 29])
  assert.deepEqual(ticksOf(0, 100), [])
})

test('Friday and Saturday are the weekend, even if the period begins inside it', () => {
  const points = Array.from({ length: 16 }, (_, index) => ({ day: plus('2026-11-07', index), value: 0 }))
  assert.deepEqual(weekends(points), [
    [0, 0],
    [6, 7],
    [13, 14],
  ])
})

test('a change is given in whole percent, and is undefined after a zero', () => {
  assert.deepEqual([changeOf(127, 100), changeOf(50, 100), changeOf(3, 0), changeOf(0, 5)], [27, -50, undefined, -100])
})

test('days without data have the value 0', () => {
  assert.deepEqual(fillDays('2026-02-27', '2026-03-01', new Map([['2026-02-28', 4]])), [
    { day: '2026-02-27', value: 0 },
    { day: '2026-02-28', value: 4 },
    { day: '2026-03-01', value: 0 },
  ])
})
