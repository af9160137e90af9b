import '../testing/outside.ts'
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { effect } from '@preact/signals'
import { answers } from '../testing/outside.ts'

process.env['TZ'] = 'Africa/Cairo'
// The test advances the clock itself.
Object.assign(globalThis, { setInterval: () => 0 })
const { api, onThisClock, portalNow } = await import('./client.ts')
const { ago, dayOf, today } = await import('./ago.ts')
const { minute } = await import('./dates.ts')

const SECOND_MS = 1000
const HOUR_MS = 3_600_000
const at = (local: string) => new Date(local)
/** Answers a call with the given time of the portal's clock. */
async function hearAt(moment: Date) {
  answers.set('/apps', { body: [], date: moment.toUTCString() })
  await api.GET('/apps')
}

test('“yesterday” and “2 days ago” count calendar days, not periods of 24 hours', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: at('2026-11-25T01:00') })
  minute.value = new Date()
  const since = (local: string) => ago(at(local))
  assert.deepEqual(['2026-11-24T23:00', '2026-11-24T00:30', '2026-11-23T23:00', '2026-11-22T23:00'].map(since), [
    '2 hours ago',
    'yesterday',
    '2 days ago',
    '3 days ago',
  ])
  t.mock.timers.setTime(at('2026-01-31T12:00').getTime())
  assert.deepEqual(['2026-01-01T11:00', '2024-12-31T12:00'].map(since), ['1 month ago', '1 year ago'])
})

test('the previous day is “yesterday” even if a clock change makes that day or today 23 or 25 hours long', (t) => {
  // Friday 24 April has 23 hours, Thursday 29 October has 25.
  t.mock.timers.enable({ apis: ['Date'], now: at('2026-04-25T00:30') })
  minute.value = new Date()
  assert.deepEqual(
    [dayOf(at('2026-04-24T12:00').toISOString()), dayOf(at('2026-04-23T12:00').toISOString())],
    ['yesterday', 'Thursday, 23 April 2026'],
  )
  t.mock.timers.setTime(at('2026-10-29T23:30').getTime())
  assert.equal(dayOf(at('2026-10-28T12:00').toISOString()), 'yesterday')
})

test('what shows today is drawn again when the day ends', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: at('2026-11-27T23:59').getTime() })
  let shown = ''
  t.after(
    effect(() => {
      shown = today()
    }),
  )
  assert.equal(shown, '2026-11-27')
  t.mock.timers.setTime(at('2026-11-28T00:00').getTime())
  minute.value = new Date()
  assert.equal(shown, '2026-11-28')
})

test('times follow the portal’s clock while the device’s clock is wrong and after it is corrected', async (t) => {
  const now = at('2026-11-28T00:40')
  t.mock.timers.enable({ apis: ['Date'], now: now.getTime() - HOUR_MS })
  minute.value = new Date()
  await hearAt(now)
  assert.deepEqual([ago(now), dayOf(now.toISOString()), today()], ['now', 'today', '2026-11-28'])
  const left = () => onThisClock(new Date(now.getTime() + 15 * SECOND_MS).toISOString()) - Date.now()
  const isAbout = (ms: number, wanted: number) => assert.ok(Math.abs(ms - wanted) < 2 * SECOND_MS, `${ms} ms`)
  isAbout(left(), 15 * SECOND_MS)
  t.mock.timers.setTime(now.getTime())
  await hearAt(now)
  isAbout(left(), 15 * SECOND_MS)
  isAbout(portalNow().getTime(), now.getTime())
})

/** Stops the device's count of passing time. Returns what advances it. */
function stopTime(t: TestContext) {
  let passed = 0
  t.mock.method(performance, 'now', () => passed)
  return (ms: number) => {
    passed += ms
  }
}
const now = at('2026-11-28T00:40')
/** The seconds by which the portal's clock, as the page knows it, is ahead of `now`. */
const ahead = () => (portalNow().getTime() - now.getTime()) / SECOND_MS

test('a wrong time in one answer, too early or too late, ends with the next answer', async (t) => {
  stopTime(t)
  for (const wrong of [HOUR_MS, -HOUR_MS]) {
    await hearAt(new Date(now.getTime() + wrong))
    await hearAt(now)
    assert.ok(ahead() >= 0 && ahead() <= 1, `${ahead()} seconds`)
  }
})

test('neither a slow answer nor one that the page asked for earlier sets the portal’s clock back', async (t) => {
  const pass = stopTime(t)
  await hearAt(now)
  const before = ahead()
  const asOf = (moment: Date) => Response.json([], { headers: { date: moment.toUTCString() } })
  await api.GET('/apps', { fetch: async () => asOf(new Date(now.getTime() - HOUR_MS)) })
  assert.equal(ahead(), before)
  t.mock.method(globalThis, 'fetch', async () => {
    pass(20 * SECOND_MS)
    return asOf(now)
  })
  await api.GET('/apps')
  assert.equal(ahead(), before + 20)
})
