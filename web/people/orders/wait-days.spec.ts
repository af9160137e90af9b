import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOf, waitDays } from './wait-days.ts'

test('a wait can end on any day whose 08:00 is ahead and at most 92 days away', () => {
  assert.deepEqual(waitDays('2026-06-01', new Date('2026-06-01T07:59')), { min: '2026-06-01', max: '2026-08-31' })
  assert.deepEqual(waitDays('2026-06-01', new Date('2026-06-01T08:00')), { min: '2026-06-02', max: '2026-09-01' })
  for (let hour = 0; hour < 24; hour++) {
    const now = new Date(`2026-09-20T${String(hour).padStart(2, '0')}:30`)
    const { min, max } = waitDays('2026-09-20', now)
    assert.ok(endOf(min) > now)
    assert.ok(endOf(max).getTime() - now.getTime() <= 92 * 86_400_000)
  }
})
