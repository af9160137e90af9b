/** The filters of the list of people. */
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { answers } from '../../../testing/outside.ts'

process.env['TZ'] = 'America/New_York'
// The timer of the clock would keep the test's process alive.
mock.timers.enable({ apis: ['setInterval'] })
answers.set('/settings', { body: { timeZone: 'Asia/Riyadh' }, date: 'Tue, 24 Nov 2026 22:30:00 GMT' })
const { settings } = await import('../../../frame/site.ts')
const { filterOf } = await import('./data.ts')
await settings.load()

test('“more than 30 days ago” counts days of the office, as the portal does, not those of the device', () => {
  assert.deepEqual(filterOf({ seen: '30d' }), { seenBefore: '2026-10-26' })
  assert.deepEqual(filterOf({ seen: '90d' }), { seenBefore: '2026-08-27' })
})
