import assert from 'node:assert/strict'
import { test } from 'node:test'
import { day, meeting, person } from '../../../../test/schedules.ts'
import { DEFAULT_FONT, describeDay, fontInForce } from './rules.ts'

const MADE = '2026-11-21T15:04:05Z'
const meetings = (count: number) => Array.from({ length: count }, () => meeting())

const counts: [count: number, ar: string, en: string][] = [
  [0, '٠ اجتماع', '0 meetings'],
  [1, 'اجتماع واحد', '1 meeting'],
  [2, 'اجتماعان', '2 meetings'],
  [3, '٣ اجتماعات', '3 meetings'],
  [10, '١٠ اجتماعات', '10 meetings'],
  [11, '١١ اجتماعًا', '11 meetings'],
  [100, '١٠٠ اجتماع', '100 meetings'],
]
for (const [count, ar, en] of counts)
  test(`${count} meetings are counted with the plural forms of each language`, () => {
    assert.equal(describeDay(day('ar', meetings(count)), MADE).count, ar)
    assert.equal(describeDay(day('en', meetings(count)), MADE).count, en)
  })

test('the time of creation is in UTC, with months from 1', () => {
  assert.deepEqual(describeDay(day('en', []), MADE).made, { year: 2026, month: 11, day: 21, hour: 15, minute: 4, second: 5 })
})

test('times are in the digits of the language, and null if a meeting has none', () => {
  const timed = meeting({ startTime: '09:05', endTime: null })
  const timesIn = (language: 'ar' | 'en') => describeDay(day(language, [timed]), MADE).meetings.map(({ start, end }) => [start, end])
  assert.deepEqual([timesIn('ar'), timesIn('en')], [[['٠٩:٠٥', null]], [['09:05', null]]])
})

test('a person’s own font takes precedence over the global one, and that over the default', () => {
  const [own, global] = [
    { ...DEFAULT_FONT, fontSize: 20 },
    { ...DEFAULT_FONT, fontSize: 30 },
  ]
  assert.deepEqual(fontInForce(own, global), { scope: 'user', ...own })
  assert.deepEqual(fontInForce(null, global), { scope: 'global', ...global })
  assert.deepEqual(fontInForce(null, null), { scope: 'global', fontFamily: 'Amiri', fontSize: 13, fontWeight: 400, alignment: 'start' })
})

test('a text missing in one language is taken from the other and set in its own direction', () => {
  const [only] = describeDay(
    day('en', [meeting({ titleAr: 'ميزانية', titleEn: null, attendees: [person('هدى', null, 'virtual')] })]),
    MADE,
  ).meetings
  assert.deepEqual(only!.title, [{ text: 'ميزانية', direction: 'rtl' }])
  assert.deepEqual(only!.attendees, [{ name: '\u2068هدى\u2069', title: null, mark: 'by video' }])
})
