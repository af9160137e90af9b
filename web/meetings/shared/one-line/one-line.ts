/**
 * Reads the one line that makes a meeting, in Arabic or English. What may mean two things is left out and asked for: nothing is guessed.
 *
 * Days
 * - A weekday is the nearest one. Said on that day itself, it is asked for. "Next Thursday" is asked for while this week has one to come;
 *   «الخميس القادم» is the nearest after today. A week begins on Sunday. «ليلة الخميس» is asked for.
 * - A day and month without a year are this year's of their calendar, and asked for once they have passed. In numbers the day comes first,
 *   unless only the other order has such a month; years before 1700, or «هـ», are Hijri.
 * - Of two weekdays apart, the one with "on" or «يوم» is the day and the bare one is of the title: «تقرير الأحد المالي يوم الخميس».
 * - A weekday beside a date must be that date's. Two days that differ, a day that does not exist, a day without a month, a week without a
 *   day and "every Sunday" are asked for.
 * - A line without a day has none: the page knows which day it shows.
 * Times
 * - 13:00, 0:30 and 09:30 are of 24 hours. 9:30, 10 and «الخامسة» are of twelve and need their half of the day, which may stand elsewhere
 *   in the line: «صباح الأحد الساعة 9». Without one they are asked for. Noon is 12:00, midnight 0:00; «12 مساءً» is asked for.
 * - Of a start and an end, one with its half of the day decides the other, so that the meeting lasts less than twelve hours.
 * - An end before its start or after midnight, an end or a length without a start, and two times are asked for. So is a morning without
 *   an hour, «غدًا الظهر», a time after a prayer, and "by 5 pm".
 * The rest
 * - «مع» and "with" begin people, «و», "and" and commas part them; «في», "in" and "at" begin a place, which may have more of them. Of two
 *   places the one that names a room or a building is it; else it is asked for.
 * - After a day, a time or a length, words that name a room or a building are the place without "in": «الأحد 10 ص قاعة 3».
 * - After «مع» and "with", the name of a day or month is a person's: «مع خميس». Some verbs own their preposition: "look at", «التعامل مع».
 * - «المكان:», "attendees:" and their like say what follows. What is quoted is read as it stands.
 * - What is left is the title.
 */
import { plus } from '../../../parts/calendar/days.ts'
import { DAY, dayIn, linkIn, only, placeIn, type Slot, timesIn, type Vague } from './answers.ts'
import { type Dated, dateAt } from './dates.ts'
import { type Line, match, pattern, readLine, type Span, spanOf } from './line.ts'
import { segmentsOf, withAt } from './names.ts'
import type { Chip, Reading, Unsure } from './reading.ts'
import { boundAt, lengthAt, partAt, soonAt, timesAt, vagueAt } from './times.ts'
import { HOUR, MONTH, PART, WEEKDAY } from './words.ts'

const mark = pattern('with|w|in|at|for|until|till|and|مع|في|لمده|حتي|[,،.;؛-]')

const linked = pattern('(?:(?:عبر|علي|(?:ال)?رابط|via|on|link)(?: :)? ){0,2}\u0001')
const calledSo = pattern(`(?:\\p{L} \\. )?(?:${WEEKDAY}|${MONTH}|${PART})`)

const capital = /^\p{Lu}\p{Ll}/u
const hour = pattern(HOUR)
/** Whether the number that ends before a word is of a name, "Four Seasons": capitals say so, where no day follows. */
const isNamed = (line: Line, next: number, today: string) =>
  [next - 1, next].every((at) => capital.test(line.text.slice(line.words[at]?.from, line.words[at]?.to))) &&
  !!match(line, next - 1, hour) &&
  !dateAt(line, next, today)

/** As many days, times or lengths are compared; a line with more asks anyway. */
const MOST = 9

/** What a line means on a day (`YYYY-MM-DD`) and at a time (`HH:MM`) of the office. */
export function readOneLine(text: string, now: { today: string; time: string }): Reading {
  const line = readLine(text)
  const taken = new Map<number, number>()
  let chips: Chip[] = []
  const unsure: Unsure[] = []
  let dates: (Dated & { span: Span; at: number })[] = []
  const slots: Slot[] = []
  const lengths: { minutes: number; span: Span }[] = []
  const links: { value: string; span: Span }[] = []
  const parts: Vague[] = []

  let [lastDate, lastTime] = [-1, -1]
  for (let at = 0; at < line.words.length; ) {
    const take = (kind: Chip['kind'], next: number) => {
      const span = spanOf(line, at, next)
      taken.set(at, next)
      chips.push({ kind, span })
      at = next
      return span
    }
    const from = at
    const link = match(line, at, linked)
    if (link) {
      const address = line.words[link.next - 1]!
      links.push({ value: text.slice(address.from, address.to), span: take('link', link.next) })
      continue
    }
    // «مع خميس», "with April": whom one meets may have the name of a day or month.
    const whom = withAt(line, at)
    const called = whom && match(line, whom.next, calledSo)
    if (called) {
      at = called.next
      continue
    }
    const soon = soonAt(line, at)
    if (soon) {
      const [hours, minutes] = now.time.split(':').map(Number) as [number, number]
      const minute = hours * 60 + minutes + soon.minutes
      const day = plus(now.today, Math.floor(minute / DAY))
      const span = take('time', soon.next)
      dates.push({ days: [day], fits: (one) => one === day, span, at: from })
      slots.push({ start: { at: [minute % DAY], isWrong: false, isMarked: true }, span })
      continue
    }
    const length = lengthAt(line, at, lastTime === at)
    if (length) {
      lengths.push({ minutes: length.minutes, span: take('length', length.next) })
      continue
    }
    const date = dateAt(line, at, now.today)
    if (date) {
      const span = take('date', date.next)
      dates.push({ ...date, span, at: from })
      if (date.part) parts.push({ part: date.part, span })
      lastDate = at
      continue
    }
    const bound = boundAt(line, at)
    const vague = bound ?? vagueAt(line, at)
    if (vague) {
      parts.push({ near: bound?.at, span: take('time', vague.next) })
      continue
    }
    const loose = timesAt(line, at, lastDate === at)
    const isEnded = loose && (loose.next === line.words.length || !!match(line, loose.next, mark) || !!dateAt(line, loose.next, now.today))
    const time = loose && (isEnded || lastDate !== at) ? loose : timesAt(line, at, false)
    if (time && !isNamed(line, time.next, now.today)) {
      const { start, end, next } = time
      slots.push({ start, end, span: take('time', next) })
      lastTime = at
      continue
    }
    const isBeside = lastDate === at
    const part = partAt(line, at, true)
    // "An evening 15 Rajab" is no evening of that day.
    const isOf = part && (!/^[a-z]/.test(line.words[at]!.folded) || line.words[part.next]?.folded === 'of')
    if (part && (isBeside || (isOf && !!dateAt(line, part.next, now.today)) || !!partAt(line, at, false))) {
      parts.push({ part: part.part, span: take('time', part.next) })
      if (isBeside) lastDate = at
      continue
    }
    at++
  }

  // «تقرير الأحد يوم الخميس»: of two weekdays, the one with its "on" is the day, and the other belongs to the title.
  const on = dates.find(({ isMarked }) => isMarked)
  const bare = dates.find(({ isMarked }) => isMarked === false)
  if (dates.length === 2 && on && bare && taken.get(bare.at) !== on.at) {
    dates = [on]
    taken.delete(bare.at)
    chips = chips.filter(({ span }) => span !== bare.span)
  }

  const segments = segmentsOf(line, taken)
  const date = dayIn(dates.slice(0, MOST), unsure)
  const times = timesIn(slots.slice(0, MOST), lengths.slice(0, MOST), parts, unsure)
  const place = placeIn(line, segments, unsure)
  const link = linkIn(links, unsure)
  const people = segments.filter(({ kind }) => kind === 'person')
  const places = segments.filter(({ kind }) => kind === 'place')
  chips.push(
    ...people.map(({ span }) => ({ kind: 'person' as const, span })),
    ...places.map(({ span }) => ({ kind: 'place' as const, span })),
  )
  return {
    title: segments
      .filter(({ kind }) => kind === 'title')
      .map(({ value }) => value)
      .join(' '),
    date,
    start: times.start ?? null,
    end: times.end ?? null,
    place,
    people: only(people.map(({ value }) => value)),
    link,
    chips: chips.toSorted((one, other) => one.span[0] - other.span[0]),
    unsure: unsure.toSorted((one, other) => one.span[0] - other.span[0]),
  }
}
