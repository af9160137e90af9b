import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeIn } from './times.ts'

const read = (typed: string) => [typed, timeIn(typed)]

test('a time is typed with or without minutes, in Latin or Arabic digits', () => {
  for (const [typed, time] of [
    ['8', '08:00'],
    ['8:30', '08:30'],
    ['0830', '08:30'],
    ['830', '08:30'],
    [' 16.45 ', '16:45'],
    ['٨:٣٠', '08:30'],
    ['00:00', '00:00'],
  ])
    assert.deepEqual(read(typed!), [typed, time])
  for (const typed of ['', 'soon', '24:00', '25', '8:60', '8:5', '-8', '08:00:00']) assert.deepEqual(read(typed), [typed, undefined])
})

test('“am” and “pm” are understood in both languages, with hours from 1 to 12', () => {
  for (const [typed, time] of [
    ['1 pm', '13:00'],
    ['1:30PM', '13:30'],
    ['12 a.m.', '00:00'],
    ['12 pm', '12:00'],
    ['٩:٣٠ ص', '09:30'],
    ['9 م', '21:00'],
  ])
    assert.deepEqual(read(typed!), [typed, time])
  for (const typed of ['13 pm', '0 am', 'pm', '9 x']) assert.deepEqual(read(typed), [typed, undefined])
})

test('midnight at the end of a day is a time only where it is allowed', () => {
  assert.equal(timeIn('٢٤:٠٠', '24:00'), '24:00')
  assert.equal(timeIn('24:01', '24:00'), undefined)
})
