import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Meeting } from '../shared/day.ts'
import { halvesOf, weekOf } from './days.ts'

const meeting = (startTime: string | null, endTime: string | null = null, status = 'scheduled') =>
  ({ startTime, endTime, status }) as Meeting

test('a week begins on Sunday, whichever of its days is given', () => {
  const week = ['2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27', '2026-11-28']
  assert.deepEqual(weekOf('2026-11-22'), week)
  assert.deepEqual(weekOf('2026-11-28'), week)
})

test('half a day is free if no meeting takes place in it', () => {
  const { morning, afternoon, untimed, isMorningFree, isAfternoonFree } = halvesOf([
    meeting('11:00', '12:30'),
    meeting(null),
    meeting('15:00', '16:00', 'cancelled'),
  ])
  assert.deepEqual([morning.length, afternoon.length, untimed.length, isMorningFree, isAfternoonFree], [1, 1, 1, false, false])
  assert.deepEqual(
    [halvesOf([meeting('09:00', '12:00', 'completed')]), halvesOf([meeting('12:00', '13:00')])].map((one) => [
      one.isMorningFree,
      one.isAfternoonFree,
    ]),
    [
      [false, true],
      [true, false],
    ],
  )
})
