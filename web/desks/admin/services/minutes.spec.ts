/** Targets of a service as they are typed. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { A_TIME, minutesIn, typedOf } from './minutes.ts'

test('a target can be typed in minutes, or in hours and minutes, in Latin or Arabic digits', () => {
  for (const [typed, minutes] of [
    ['', null],
    [' 45 ', 45],
    ['1:30', 90],
    ['٤٥', 45],
    ['١:٣٠', 90],
    ['480:00', 28_800],
  ] as const) {
    assert.deepEqual([typed, minutesIn(typed)], [typed, minutes])
    assert.match(typed, new RegExp(`^(?:${A_TIME})$`, 'v'))
  }
  for (const typed of ['soon', '1:3', '1:', '-5', '1.5', '1:30:00']) assert.doesNotMatch(typed, new RegExp(`^(?:${A_TIME})$`, 'v'))
})

test('a target is shown in the form in which it can be typed', () => {
  for (const minutes of [null, 1, 45, 60, 90, 28_800]) assert.equal(minutesIn(typedOf(minutes)), minutes)
  assert.deepEqual([null, 45, 60, 95].map(typedOf), ['', '45', '1:00', '1:35'])
})
