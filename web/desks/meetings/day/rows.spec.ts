import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Meeting } from '../shared/day.ts'
import { rowsOf, stateAt } from './rows.ts'

const meeting = (startTime: string | null, endTime: string | null = null, status: Meeting['status'] = 'scheduled') =>
  ({ startTime, endTime, status }) as Meeting
const summarize = (meetings: Meeting[], time?: string) =>
  rowsOf(meetings, time).map(({ state, gap, isAfterNow }) => [state, gap, isAfterNow])

test('the time of the day decides whether a meeting is over, on, soon or later', () => {
  const one = meeting('10:00', '11:00')
  assert.deepEqual(
    ['09:49', '09:50', '10:00', '10:59', '11:00', undefined].map((time) => stateAt(one, time)),
    ['later', 'soon', 'now', 'now', 'past', 'later'],
  )
  assert.equal(stateAt(meeting('10:00'), '10:00'), 'now')
  assert.equal(stateAt(meeting('10:00'), '10:01'), 'past')
  assert.equal(stateAt(meeting(null), '10:01'), 'later')
  assert.equal(stateAt(meeting('10:00', '11:00', 'completed'), '09:00'), 'past')
  assert.equal(stateAt(meeting('10:00', '11:00', 'cancelled'), '10:30'), 'off')
})

test('gaps of a quarter of an hour or more are shown, and a cancelled meeting does not interrupt a gap', () => {
  const day = [meeting('09:00', '09:30'), meeting('09:40', '10:00'), meeting('10:00', '12:00', 'cancelled'), meeting('11:30', '12:00')]
  assert.deepEqual(summarize(day), [
    ['later', 0, false],
    ['later', 0, false],
    ['off', 0, false],
    ['later', 90, false],
  ])
})

test('meetings out of time order have no negative gaps, and an early end does not hide a long meeting', () => {
  assert.deepEqual(summarize([meeting('13:00', '15:00'), meeting('09:00', '09:30'), meeting('15:30')]), [
    ['later', 0, false],
    ['later', 0, false],
    ['later', 30, false],
  ])
})

test('the line that marks the present stands between two meetings, and the gap after it counts from the present', () => {
  assert.deepEqual(summarize([meeting('09:00', '09:30'), meeting('11:00', '12:00'), meeting('13:00')], '10:00'), [
    ['past', 0, false],
    ['later', 60, true],
    ['later', 60, false],
  ])
  assert.deepEqual(summarize([meeting('09:00', '10:30'), meeting('11:00', '12:00')], '10:00'), [
    ['now', 0, false],
    ['later', 30, false],
  ])
})
