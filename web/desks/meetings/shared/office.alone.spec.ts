/** The office's clock, and the names of meetings. */

import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { answers } from '../../../testing/outside.ts'

// The timer of the clock would keep the test's process alive.
mock.timers.enable({ apis: ['setInterval'] })
answers.set('/settings', { body: { timeZone: 'Asia/Riyadh' } })
answers.set('/executive-meetings?date=2026-11-24', {
  body: [{ id: 1, titleAr: null, titleEn: 'Budget', locationAr: 'القاعة', locationEn: null }],
})
const { api } = await import('../../../platform/client.ts')
const { settings } = await import('../../../frame/site.ts')
const { clock, now, officeDay, officeTime, otherZone } = await import('./office.ts')
const { meetingsOf, placeOf, titleOf } = await import('./day.ts')
await settings.load()

test('the day and the time follow the time zone of the office', () => {
  now.value = new Date('2026-11-24T22:30:00Z')
  assert.equal(officeDay(), '2026-11-25')
  assert.equal(officeTime(), '01:30')
  assert.equal(
    otherZone(new Date('2026-11-24T22:30:00Z')),
    Intl.DateTimeFormat().resolvedOptions().timeZone === 'Asia/Riyadh' ? undefined : 'Saudi Arabia Time',
  )
  assert.equal(clock('13:05'), '13:05')
})

test('a meeting is named in the current language, or else in the other one', async () => {
  const [meeting] = await meetingsOf('2026-11-24').load()
  assert.equal(titleOf(meeting!), 'Budget')
  assert.equal(placeOf(meeting!), 'القاعة')
})

test('the office’s clock follows the portal’s clock while the device’s clock is an hour slow', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-24T20:30:00Z') })
  answers.set('/apps', { body: [], date: 'Tue, 24 Nov 2026 21:30:00 GMT' })
  await api.GET('/apps')
  t.after(now.subscribe(() => {}))
  // The clock starts in a microtask.
  await Promise.resolve()
  assert.deepEqual([officeDay(), officeTime()], ['2026-11-25', '00:30'])
})
