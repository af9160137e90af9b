import assert from 'node:assert/strict'
import { test } from 'node:test'
import { between, dateOf, dayOf, isDay, monthOf, parseDay, plus, plusMonths, weekdayOf, weeksOf } from './days.ts'

const hijri = 'islamic-umalqura'

test('days of eighty years convert to the Umm al-Qura calendar and back', () => {
  for (let day = '1980-01-01'; day < '2060-01-01'; day = plus(day, 1)) assert.equal(dayOf(dateOf(day, hijri), hijri), day)
})

test('a date that the calendar does not have is rejected', () => {
  assert.equal(dayOf({ year: 2026, month: 2, day: 29 }, 'gregory'), undefined)
  assert.equal(dayOf({ year: 2028, month: 2, day: 29 }, 'gregory'), '2028-02-29')
  assert.equal(dayOf({ year: 1448, month: 6, day: 29 }, hijri), '2026-12-09')
  assert.equal(dayOf({ year: 1448, month: 6, day: 30 }, hijri), undefined)
  for (const year of [0, 1200, 9999, Number.NaN]) assert.equal(dayOf({ year, month: 1, day: 1 }, hijri), undefined)
})

test('a day that does not exist is not valid', () => {
  assert.deepEqual(['2026-02-28', '2028-02-29'].map(isDay), [true, true])
  assert.deepEqual(['2026-02-29', '2026-02-31', '2026-13-01', '0000-00-00', '2026-2-3', ''].map(isDay), Array(6).fill(false))
})

test('a month begins on its first day and is laid out in weeks from Sunday', () => {
  assert.deepEqual(monthOf('2026-11-24', hijri), { first: '2026-11-11', length: 29, month: 6, year: 1448 })
  const weeks = weeksOf('2026-11-24', 'gregory')
  assert.deepEqual([weeks[0]![0], weeks.at(-1)![6], weeks.length], ['2026-11-01', '2026-12-05', 5])
  assert.equal(weekdayOf('2026-11-22'), 0)
  assert.equal(between('2026-02-28', '2026-03-01'), 1)
})

test('adding a month gives the same day, or the last day of a shorter month', () => {
  assert.equal(plusMonths('2026-01-31', 1, 'gregory'), '2026-02-28')
  assert.equal(plusMonths('2026-03-31', -1, 'gregory'), '2026-02-28')
  assert.equal(plusMonths('2026-11-24', 12, 'gregory'), '2027-11-24')
  assert.equal(dateOf(plusMonths('2026-11-24', 12, hijri), hijri).year, 1449)
})

test('a typed date is understood in either calendar, script and order', () => {
  for (const typed of [
    ...['2026-11-24', '2026/11/24', '24/11/2026', '24.11.2026', ' 24-11-2026 ', '٢٤/١١/٢٠٢٦', '24 November 2026', '24 nov', '24 نوفمبر'],
    ...['14/6/1448', '1448-06-14', '١٤/٦/١٤٤٨', '14 جمادى الآخرة 1448', '14 جمادى الاخره', 'today', 'اليوم'],
  ])
    assert.equal(parseDay(typed, '2026-11-24'), '2026-11-24', typed)
  assert.equal(parseDay('غدًا', '2026-11-24'), '2026-11-25')
})

test('a date is understood in the portal’s own format and in the usual spellings', () => {
  const styles: Intl.DateTimeFormatOptions[] = [
    { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
    { day: 'numeric', month: 'long', year: 'numeric' },
    { day: 'numeric', month: 'short', year: 'numeric' },
  ]
  const locales = ['ar-SA', 'en-GB'].flatMap((one) =>
    ['gregory', hijri].flatMap((ca) => ['latn', 'arab'].map((nu) => `${one}-u-ca-${ca}-nu-${nu}`)),
  )
  const formats = locales.flatMap((locale) => styles.map((style) => new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' })))
  for (let at = '2026-01-01'; at < '2027-01-01'; at = plus(at, 1))
    for (const format of formats) {
      const written = format.format(new Date(at))
      assert.equal(parseDay(written, '2026-11-24'), at, written)
    }
  for (const [typed, day] of Object.entries({
    ...{ '١٩/٧/١٤٤٨ هـ': '2026-12-28', '28/12/2026 م': '2026-12-28', '28/12/26': '2026-12-28', '28th December 2026': '2026-12-28' },
    ...{ '28–12–2026': '2026-12-28', '28 كانون الأول': '2026-12-28', '19/7/48 AH': '2026-12-28', '28 تشرين الثاني': '2026-11-28' },
  }))
    assert.equal(parseDay(typed, '2026-11-24'), day, typed)
  const months = { 'ربيع الثاني': 4, 'جمادى الأول': 5, 'جمادى الثانية': 6, 'ذي القعدة': 11, 'ذو القعدة': 11, 'ذي الحجة': 12 }
  for (const [name, month] of Object.entries(months))
    assert.equal(parseDay(`1 ${name} 1448`, '2026-11-24'), dayOf({ year: 1448, month, day: 1 }, hijri), name)
})

test('a text that is not a date is rejected', () => {
  for (const typed of [
    '',
    '24',
    '24/11',
    '31/2/2026',
    '30/6/1448',
    '1/13/2026',
    '1/1/1',
    '0/0/0',
    '99999999',
    'november',
    '24 x 2026',
    '24 11 2026 7',
  ])
    assert.equal(parseDay(typed, '2026-11-24'), undefined, typed)
})
