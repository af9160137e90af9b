import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hoursIn, textOf } from './hours.ts'

test('hours are read as people write them, in either digits', () => {
  for (const text of ['8-16', '08:00–16:00', ' ٨:٠٠ - ١٦:٠٠ ', '8 — 1600'])
    assert.deepEqual(hoursIn(text), [{ from: '08:00', to: '16:00' }], text)
  assert.deepEqual(hoursIn('١٣–١٧:٣٠، 8-12'), [
    { from: '08:00', to: '12:00' },
    { from: '13:00', to: '17:30' },
  ])
  assert.deepEqual(hoursIn('0-24'), [{ from: '00:00', to: '24:00' }])
  assert.deepEqual(hoursIn('  '), [])
})

test('hours that cannot be are not read', () => {
  for (const text of ['8', '16-8', '8-8', '8-12, 11:59-13', '8-25', '24-24', '8:70-9', 'all day', '8-24:01', '1-2,3-4,5-6,7-8,9-10'])
    assert.equal(hoursIn(text), undefined, text)
})

test('written hours are read as the same', () => {
  const hours = [
    { from: '07:45', to: '12:15' },
    { from: '13:00', to: '24:00' },
  ]
  assert.deepEqual(hoursIn(textOf(hours)), hours)
})
