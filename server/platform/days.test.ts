import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOfDay } from './days.ts'

for (const [day, timeZone, start, why] of [
  ['2026-03-01', 'UTC', '2026-03-01T00:00:00.000Z', ''],
  ['2026-03-01', 'Asia/Riyadh', '2026-02-28T21:00:00.000Z', ''],
  ['2026-03-01', 'Asia/Kolkata', '2026-02-28T18:30:00.000Z', ''],
  ['2026-03-01', 'America/Los_Angeles', '2026-03-01T08:00:00.000Z', ''],
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z', 'the clock goes from midnight to one'],
  ['2026-10-30', 'Africa/Cairo', '2026-10-29T22:00:00.000Z', 'the clock has gone from midnight back to eleven'],
  ['0001-01-01', 'UTC', '0001-01-01T00:00:00.000Z', 'the first day that a date may have'],
  ['9999-12-31', 'Pacific/Auckland', '9999-12-30T11:00:00.000Z', 'the last one'],
] as const)
  test(`${day} begins in ${timeZone} at ${start}${why && `: ${why}`}`, () => {
    assert.equal(startOfDay(day, timeZone).toISOString(), start)
  })
