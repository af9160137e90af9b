/** Today in the office. */
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { answers } from '../testing/outside.ts'

// The timer of the clock would keep the test's process alive.
mock.timers.enable({ apis: ['setInterval'] })
answers.set('/settings', { body: { timeZone: 'Asia/Riyadh' }, date: 'Tue, 24 Nov 2026 22:30:00 GMT' })
const { settings } = await import('./site.ts')
const { officeToday } = await import('./office.ts')
await settings.load()

test('today in the office follows its time zone and the portal’s clock, not those of the device', () => {
  assert.equal(officeToday(), '2026-11-25')
})
