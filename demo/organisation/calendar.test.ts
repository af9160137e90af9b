import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FIRST_DAY, momentOf, workingDay } from './calendar.ts'

const HOUR_MS = 3600_000

test('working days skip Fridays and Saturdays, and day 0 is today', () => {
  // A Wednesday, and the Saturday after it.
  const [wednesday, saturday] = [new Date(2026, 10, 25, 12), new Date(2026, 10, 28, 12)]
  const around = (now: Date) => [-2, -1, 0, 1, 2].map((offset) => workingDay(offset, now))
  assert.deepEqual(around(wednesday), ['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-29'])
  assert.deepEqual(around(saturday), ['2026-11-25', '2026-11-26', '2026-11-28', '2026-11-29', '2026-11-30'])
})

test('at any hour, today’s events are past, the last one is recent, and all come after yesterday’s', () => {
  for (let hour = 0; hour < 24; hour++) {
    const now = new Date(2026, 10, 25, hour, 30)
    const [first, last] = [momentOf(0, '08:00', now), momentOf(0, '15:50', now)]
    assert.ok(first < last && last < now.getTime(), `at ${hour}`)
    assert.ok(now.getTime() - last < HOUR_MS / 4, `at ${hour}`)
    assert.ok(momentOf(-1, '16:00', now) < first, `at ${hour}`)
  }
})

test('the story begins three weeks ago', () => {
  const now = new Date(2026, 10, 25, 12)
  assert.equal(workingDay(FIRST_DAY, now), '2026-11-04')
  assert.equal(momentOf(FIRST_DAY, '09:40', now), new Date(2026, 10, 4, 9, 40).getTime())
})
