import '../../../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answers } from '../../../testing/outside.ts'

process.env['TZ'] = 'Asia/Riyadh'
// The test advances the clock itself.
Object.assign(globalThis, { setInterval: () => 0 })
const { api } = await import('../../../platform/client.ts')
const { minute } = await import('../../../platform/dates.ts')
const { endOfDay, remaining } = await import('./ends.ts')
const { both } = await import('./texts.ts')

test('the days that are left are those of the portal’s clock, while the device’s clock is fast or slow', async (t) => {
  const now = new Date('2026-11-28T00:02')
  for (const minutes of [5, -5]) {
    t.mock.timers.enable({ apis: ['Date'], now: now.getTime() + minutes * 60_000 })
    minute.value = new Date()
    answers.set('/apps', { body: [], date: now.toUTCString() })
    await api.GET('/apps')
    assert.equal(remaining(endOfDay('2026-12-28')), both.en.inDays(30))
    t.mock.timers.reset()
  }
})
