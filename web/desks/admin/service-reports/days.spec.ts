/** The days of a report. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysOf } from './data.ts'

const NOW = '2026-12-01'
const period = (range: Parameters<typeof daysOf>[0]['range'], from?: string, to?: string) => daysOf({ range, from, to }, NOW)

test('a report covers the days up to today in the office: as many as the address says, thirty by default', () => {
  assert.deepEqual(period(undefined), { days: { from: '2026-11-02', to: NOW }, isValid: true })
  assert.deepEqual(period('7', '2026-01-01', '2026-01-02'), { days: { from: '2026-11-25', to: NOW }, isValid: true })
})

test('a report covers at most 92 days, including the first and the last', () => {
  const valid = [period('custom', '2026-08-01', '2026-10-31'), period('custom', '2026-08-01', '2026-11-01'), period('custom', NOW)]
  assert.deepEqual(
    valid.map(({ isValid }) => isValid),
    [true, false, false],
  )
})
