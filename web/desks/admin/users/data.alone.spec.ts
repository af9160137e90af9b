/** The filters of the list of people. */
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { answers } from '../../../testing/outside.ts'

// The timer of the clock would keep the test's process alive.
mock.timers.enable({ apis: ['setInterval'] })
answers.set('/settings', { body: { timeZone: 'Asia/Riyadh' }, date: 'Tue, 24 Nov 2026 22:30:00 GMT' })
const { settings } = await import('../../../frame/site.ts')
const { filterOf } = await import('./data.ts')
await settings.load()

test('the days without a visit are counted from today in the office, not from today on the device', () => {
  assert.deepEqual(filterOf({ seen: '30d' }), { seenBefore: '2026-10-26' })
  assert.deepEqual(filterOf({ seen: '90d' }), { seenBefore: '2026-08-27' })
  assert.deepEqual(filterOf({ seen: 'never' }), { seenBefore: '2000-01-01' })
})
