import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Meeting } from '../shared/day.ts'
import { isNight, passedOf, shownOn } from './shown.ts'

const meeting = (id: number, startTime: string | null, endTime: string | null = null, status = 'scheduled') =>
  ({ id, startTime, endTime, status }) as Meeting
const ids = (day: Meeting[], time: string) => {
  const { first, isOn, next } = shownOn(day, time)
  return [first?.id, isOn, next.map(({ id }) => id)]
}

test('a wall display shows the current meeting and the next three by the clock, and omits cancelled and untimed ones', () => {
  const day = [
    meeting(1, '13:00', '14:00'),
    meeting(2, '09:00', '10:00'),
    meeting(3, null),
    meeting(4, '11:00', '12:00', 'cancelled'),
    meeting(5, '15:00'),
    meeting(6, '16:00', '17:00'),
    meeting(7, '18:00', '19:00'),
  ]
  assert.deepEqual(ids(day, '09:30'), [2, true, [1, 5, 6]])
  assert.deepEqual(ids(day, '10:00'), [1, false, [5, 6, 7]])
  assert.deepEqual(ids(day, '19:00'), [undefined, false, []])
})

test('progress is shown for a meeting with an end, and the night begins at seven', () => {
  assert.equal(passedOf(meeting(1, '10:00', '12:00'), '10:30'), 0.25)
  assert.equal(passedOf(meeting(1, '10:00'), '10:30'), undefined)
  assert.deepEqual(['05:59', '06:00', '18:59', '19:00'].map(isNight), [true, false, false, true])
})
