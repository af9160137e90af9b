import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { language } from '../../../platform/language.ts'
import { duration, durationOf } from './durations.ts'

const written = (wanted: 'ar' | 'en', of: (minutes: number) => string, minutes: number[]) => {
  language.value = wanted
  return minutes.map(of)
}

test('a length is given in hours and minutes, in Arabic with halves and quarters', () => {
  assert.deepEqual(written('en', duration, [0, 1, 45, 60, 90, 320]), [
    '0 minutes',
    '1 minute',
    '45 minutes',
    '1 hour',
    '1 hour 30 minutes',
    '5 hours 20 minutes',
  ])
  assert.deepEqual(written('ar', duration, [1, 15, 30, 41, 60, 90, 120, 135, 320]), [
    'دقيقة',
    'ربع ساعة',
    'نصف ساعة',
    '41 دقيقة',
    'ساعة',
    'ساعة ونصف',
    'ساعتان',
    'ساعتان وربع',
    '5 ساعات و20 دقيقة',
  ])
})

test('Arabic declines “two hours” after a preposition', () => {
  assert.deepEqual(written('ar', durationOf, [2, 120, 150]), ['دقيقتين', 'ساعتين', 'ساعتين ونصف'])
})
