/** Days as `YYYY-MM-DD` in the Gregorian and the Umm al-Qura calendar. Pure: the lengths of Hijri months come from `Intl`. */
import { folded } from '../../../platform/folded.ts'
import { type Calendar, monthCalled, WEEKDAY } from './names.ts'

export type { Calendar }

/** A date of a calendar; months count from 1. */
export interface DateOf {
  year: number
  month: number
  day: number
}

const DAY_MS = 86_400_000
/** The years that `dayOf` accepts. `Intl` knows 1300 to 1600 of the Umm al-Qura calendar. */
const YEARS: Record<Calendar, [first: number, last: number]> = { gregory: [1900, 2149], 'islamic-umalqura': [1318, 1573] }

const formats = {
  gregory: new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', { year: 'numeric', month: 'numeric', day: 'numeric', timeZone: 'UTC' }),
  'islamic-umalqura': new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    timeZone: 'UTC',
  }),
} satisfies Record<Calendar, Intl.DateTimeFormat>

const numberOf = (day: string) => Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MS)
const dayAt = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10)

/** Whether a text is a day that exists, as `YYYY-MM-DD`. `Date.parse` alone would accept 30 February. */
export const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(numberOf(text)) && plus(text, 0) === text

/** The day `days` later. */
export const plus = (day: string, days: number) => dayAt(numberOf(day) + days)
/** The number of days from one day to another; 0 for the same day. */
export const between = (from: string, to: string) => numberOf(to) - numberOf(from)

/** A span of days, both ends included. */
export interface Days {
  from: string
  to: string
}
/** The last `count` days, including `now`. */
export const lastDays = (count: number, now: string): Days => ({ from: plus(now, 1 - count), to: now })
/** The reason why two days do not form a span of at most `most` days; '' if they do. */
export function spanProblem({ from, to }: Days, most: number) {
  if (!from || !to) return 'incomplete'
  if (between(from, to) < 0) return 'backwards'
  return between(from, to) >= most ? 'tooLong' : ''
}

/** The number of the weekday; Sunday is 0. */
export const weekdayOf = (day: string) => (((numberOf(day) + 4) % 7) + 7) % 7

export function dateOf(day: string, calendar: Calendar): DateOf {
  const parts = formats[calendar].formatToParts(new Date(`${day}T00:00:00Z`))
  const value = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)!.value)
  return { year: value('year'), month: value('month'), day: value('day') }
}

const isIn = ({ year, month, day }: DateOf, calendar: Calendar) =>
  year >= YEARS[calendar][0] && year <= YEARS[calendar][1] && month >= 1 && month <= 12 && day >= 1 && day <= 31

/** The day of a date; undefined if the calendar has no such date. */
export function dayOf(date: DateOf, calendar: Calendar): string | undefined {
  if (!isIn(date, calendar)) return undefined
  const { year, month, day } = date
  // Exact for a Gregorian date; an estimate for a Hijri date: a year has 354.367 days on average, a month 29.5306.
  const guess =
    calendar === 'gregory'
      ? Math.round(Date.UTC(year, month - 1, day) / DAY_MS)
      : Math.round(-492_148 + (year - 1) * 354.367056 + (month - 1) * 29.530589 + day - 1)
  for (const by of [0, -1, 1, -2, 2, -3, 3]) {
    const found = dayAt(guess + by)
    const { year: y, month: m, day: d } = dateOf(found, calendar)
    if (y === year && m === month && d === day) return found
  }
  return undefined
}

/** The first day of the month that contains a day, and the length of that month. */
export function monthOf(day: string, calendar: Calendar) {
  const { day: at, month, year } = dateOf(day, calendar)
  const first = plus(day, 1 - at)
  let length = 27
  while (length < 31 && dateOf(plus(first, length), calendar).month === month) length++
  return { first, length, month, year }
}

/** The same day `months` later, or the last day of a shorter month. */
export function plusMonths(day: string, months: number, calendar: Calendar): string {
  const date = dateOf(day, calendar)
  const count = date.year * 12 + date.month - 1 + months
  const [year, month] = [Math.floor(count / 12), (count % 12) + 1]
  for (let at = date.day; at > 0; at--) {
    const found = dayOf({ year, month, day: at }, calendar)
    if (found) return found
  }
  return day
}

/** The first day of each month of the year that contains a day. */
export function monthsOf(day: string, calendar: Calendar): string[] {
  const first = plusMonths(monthOf(day, calendar).first, 1 - dateOf(day, calendar).month, calendar)
  return Array.from({ length: 12 }, (_, at) => plusMonths(first, at, calendar))
}

/** The weeks of a month, from Sunday on. */
export function weeksOf(day: string, calendar: Calendar): string[][] {
  const { first, length } = monthOf(day, calendar)
  const start = plus(first, -weekdayOf(first))
  const count = Math.ceil((weekdayOf(first) + length) / 7)
  return Array.from({ length: count }, (_, week) => Array.from({ length: 7 }, (_, at) => plus(start, week * 7 + at)))
}

/** The months as `Intl` names them, also abbreviated, each with its calendar and number. */
function* monthNames(): Generator<[name: string, calendar: Calendar, month: number]> {
  for (const language of ['ar-SA', 'en-GB'])
    for (const calendar of ['gregory', 'islamic-umalqura'] as const)
      for (const month of ['long', 'short'] as const) {
        const format = new Intl.DateTimeFormat(`${language}-u-ca-${calendar}-nu-latn`, { month, timeZone: 'UTC' })
        for (let at = 1; at <= 12; at++) {
          const day = dayOf({ year: calendar === 'gregory' ? 2026 : 1448, month: at, day: 1 }, calendar)!
          yield [lettersOf(format.format(new Date(day))), calendar, at]
        }
      }
}

/** Folds a text and removes marks inside names, such as the ʻ in Dhuʻl-Hijjah. */
const plain = (text: string) =>
  folded(text)
    .replace(/[ʻʿʾ'’`]/g, '')
    .trim()
const lettersOf = (text: string) =>
  plain(text)
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()

function monthIn(words: string): { calendar: Calendar; month: number } | undefined {
  const known = monthCalled(words)
  if (known) return known
  for (const [name, calendar, month] of monthNames())
    if (name === words || (words.length > 2 && name.startsWith(words))) return { calendar, month }
  return undefined
}

const HIJRI = 'islamic-umalqura'
const eras: [RegExp, Calendar][] = [
  [/(?<=[\d\s])(?:ه|ah|a\.h\.)$/, HIJRI],
  [/(?<=[\d\s])(?:م|ad|ce)$/, 'gregory'],
]
const weekdays = new RegExp(`(?<!\\p{L})(?:${WEEKDAY})(?!\\p{L})`, 'u')
/** Completes a year of two digits with the current century of its calendar. */
const wholeYear = (year: number, calendar: Calendar) => (year < 10 || year > 99 ? year : year + (calendar === HIJRI ? 1400 : 2000))

/**
 * Parses a day typed in either calendar, in the portal's own formats and other usual ones: `2026-11-24`, `24/11/26`, `14/6/1448 هـ`, `24th
 * Nov`, «الثلاثاء، 24 نوفمبر 2026 م», `14 جمادى الآخرة 1448`, or "today" and "tomorrow" in both languages. Undefined if the text is not a
 * day.
 */
export function parseDay(typed: string, today: string): string | undefined {
  const whole = plain(typed)
  if (['today', folded('اليوم')].some((word) => word === whole)) return today
  if (['tomorrow', folded('غدًا'), folded('غدا')].some((word) => word === whole)) return plus(today, 1)
  const [mark, era] = eras.find(([mark]) => mark.test(whole)) ?? []
  const text = (mark ? whole.replace(mark, '') : whole).replace(/(\d)(?:st|nd|rd|th)(?!\p{L})/u, '$1')
  const numbers = Array.from(text.matchAll(/\d+/g), ([digits]) => Number(digits))
  const words = lettersOf(text).replace(weekdays, '').trim()
  if (words === '' && numbers.length === 3) {
    const [first, month, last] = numbers as [number, number, number]
    const [year, day] = first > 31 ? [first, last] : [last, first]
    const calendar = era ?? (year > 99 && year < 1700 ? HIJRI : 'gregory')
    return dayOf({ year: wholeYear(year, calendar), month, day }, calendar)
  }
  if (words === '' || numbers.length < 1 || numbers.length > 2) return undefined
  const [day, year] = numbers[0]! > 31 ? [numbers[1] ?? 0, numbers[0]] : [numbers[0]!, numbers[1]]
  const found = monthIn(words)
  if (!found) return undefined
  const { calendar, month } = found
  return dayOf({ year: year === undefined ? dateOf(today, calendar).year : wholeYear(year, calendar), month, day }, calendar)
}
