import '../../../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effect } from '@preact/signals'

process.env['TZ'] = 'Africa/Cairo'
// The test advances the clock itself.
Object.assign(globalThis, { setInterval: () => 0 })
const { minute } = await import('../../../platform/dates.ts')
const { utcDay } = await import('./utc-day.ts')

test('what shows days in UTC is drawn again when the day ends in UTC, not when it ends on the device', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-27T21:59Z') })
  let shown: string[] = []
  t.after(
    effect(() => {
      shown = [utcDay(6), utcDay()]
    }),
  )
  const shows = (moment: string, ...days: string[]) => {
    t.mock.timers.setTime(Date.parse(moment))
    minute.value = new Date()
    assert.deepEqual(shown, days)
  }
  shows('2026-11-27T22:00Z', '2026-11-21', '2026-11-27')
  shows('2026-11-28T00:00Z', '2026-11-22', '2026-11-28')
})
