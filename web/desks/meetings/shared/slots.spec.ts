import assert from 'node:assert/strict'
import { test } from 'node:test'
import { busyMinutes, inTheWayOf, isInTheWay, minutesOf, sharedMinutes, timeAt } from './slots.ts'

const slot = (startTime: string | null, endTime: string | null = null) => ({ startTime, endTime })

test('times convert to minutes and back, within the day', () => {
  assert.equal(minutesOf('09:30'), 570)
  assert.equal(timeAt(570), '09:30')
  assert.equal(timeAt(1500), '23:59')
  assert.equal(timeAt(-5), '00:00')
})

test('meetings clash if their times overlap, but not if one ends when the other starts', () => {
  const cases: [one: ReturnType<typeof slot>, other: ReturnType<typeof slot>, is: boolean][] = [
    [slot('10:00', '11:00'), slot('10:30', '11:30'), true],
    [slot('10:00', '11:00'), slot('11:00', '12:00'), false],
    [slot('10:00', '11:00'), slot('09:00', '12:00'), true],
    [slot('10:00'), slot('10:00'), true],
    [slot('10:00'), slot('10:01'), false],
    [slot('10:00'), slot('10:00', '11:00'), true],
    [slot('11:00'), slot('10:00', '11:00'), false],
    [slot(null), slot('10:00', '11:00'), false],
  ]
  for (const [one, other, is] of cases) {
    assert.equal(isInTheWay(one, other), is, JSON.stringify([one, other]))
    assert.equal(isInTheWay(other, one), is, JSON.stringify([other, one]))
  }
})

test('shared minutes count only the overlap', () => {
  assert.equal(sharedMinutes(slot('10:00', '11:00'), slot('10:30', '12:00')), 30)
  assert.equal(sharedMinutes(slot('10:00', '11:00'), slot('10:30')), 0)
  assert.equal(sharedMinutes(slot('10:00', '11:00'), slot('11:00', '12:00')), 0)
})

test('only scheduled meetings clash, never a meeting with itself, and the clashes are sorted by start', () => {
  const at = (id: number, startTime: string, endTime: string, status = 'scheduled') => ({ id, startTime, endTime, status })
  const day = [at(1, '10:30', '12:00'), at(2, '09:00', '10:15'), at(3, '10:00', '11:00', 'cancelled'), at(4, '10:00', '11:00')]
  assert.deepEqual(
    inTheWayOf(day[3]!, day).map(({ id }) => id),
    [2, 1],
  )
  assert.deepEqual(inTheWayOf(day[2]!, day), [])
})

test("a day's busy minutes count overlapping meetings once, and cancelled ones not at all", () => {
  const at = (startTime: string | null, endTime: string | null, status = 'scheduled') => ({ startTime, endTime, status })
  assert.equal(
    busyMinutes([at('13:00', '14:00', 'completed'), at('09:00', '10:00'), at('09:30', '10:30'), at('09:00', '12:00', 'cancelled')]),
    150,
  )
  assert.equal(busyMinutes([at('09:00', null), at(null, null)]), 0)
})
