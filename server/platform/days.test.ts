import assert from 'node:assert/strict'
import { test } from 'node:test'
import { momentOfClock, startOfDay } from './days.ts'

for (const [day, timeZone, start, why] of [
  ['2026-03-01', 'UTC', '2026-03-01T00:00:00.000Z', ''],
  ['2026-03-01', 'Asia/Riyadh', '2026-02-28T21:00:00.000Z', ''],
  ['2026-03-01', 'Asia/Kolkata', '2026-02-28T18:30:00.000Z', ''],
  ['2026-03-01', 'America/Los_Angeles', '2026-03-01T08:00:00.000Z', ''],
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z', 'the clock goes from midnight to one'],
  ['2026-10-30', 'Africa/Cairo', '2026-10-29T22:00:00.000Z', 'the clock has gone from midnight back to eleven'],
  ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z', 'the first of two midnights'],
  ['0001-01-01', 'UTC', '0001-01-01T00:00:00.000Z', 'the first day that a date may have'],
  ['9999-12-31', 'Pacific/Auckland', '9999-12-30T11:00:00.000Z', 'the last one'],
] as const)
  test(`${day} begins in ${timeZone} at ${start}${why && `: ${why}`}`, () => {
    assert.equal(startOfDay(day, timeZone).toISOString(), start)
  })

for (const [day, time, timeZone, moment, why] of [
  ['2026-03-01', '09:00', 'Asia/Riyadh', '2026-03-01T06:00:00.000Z', ''],
  ['2026-03-29', '01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z', ''],
  ['2026-03-29', '02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z', 'a skipped time moves forward by the gap'],
  ['2026-03-29', '03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z', ''],
  ['2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z', 'the first of two'],
  ['2026-10-25', '03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z', ''],
  ['2026-04-24', '00:30', 'Africa/Cairo', '2026-04-23T22:30:00.000Z', 'skipped at midnight'],
  ['2026-10-29', '23:30', 'Africa/Cairo', '2026-10-29T20:30:00.000Z', 'the first of two before midnight'],
  ['2026-03-08', '02:30', 'America/Los_Angeles', '2026-03-08T10:30:00.000Z', 'west of Greenwich'],
  ['2026-11-01', '01:30', 'America/Los_Angeles', '2026-11-01T08:30:00.000Z', 'west of Greenwich, the first of two'],
] as const)
  test(`${time} on ${day} in ${timeZone} is ${moment}${why && `: ${why}`}`, () => {
    assert.equal(momentOfClock(day, time, timeZone).toISOString(), moment)
  })
