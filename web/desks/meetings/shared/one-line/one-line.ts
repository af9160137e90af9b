/**
 * Reads the one line that adds a meeting, in Arabic or English. It guesses nothing: an ambiguous part is left out and asked for.
 *
 * Days
 * - A weekday is the nearest one. On that day itself, it is asked for. "Next Thursday" is asked for while this week's is still to come;
 *   «الخميس القادم» is the nearest after today. A week begins on Sunday. «ليلة الخميس» is asked for.
 * - A day and month without a year belong to this year of their calendar, and are asked for once they have passed. In numbers the day
 *   comes first, unless only the other order has such a month; years before 1700, or «هـ», are Hijri.
 * - Of two separate weekdays, the one with "on" or «يوم» is the day and the bare one is part of the title: «تقرير الأحد المالي يوم الخميس».
 * - A weekday beside a date must match it. Two different days, a day that does not exist, a day without a month, a week without a day and
 *   "every Sunday" are asked for.
 * - A line without a day has none: the page knows which day it shows.
 *
 * Times
 * - 13:00, 0:30 and 09:30 are 24-hour times. 9:30, 10 and «الخامسة» are 12-hour times. They take their half of the day from anywhere in the
 *   line, «صباح الأحد الساعة 9», and are asked for without one. Noon is 12:00, midnight 0:00; «12 مساءً» is asked for.
 * - If only the start or the end has its half of the day, it decides the other's, so that the meeting lasts less than twelve hours.
 * - An end before its start or after midnight, an end or a length without a start, and two times are asked for. So is a morning without
 *   an hour, «غدًا الظهر», a time after a prayer, and "by 5 pm".
 *
 * The rest
 * - «مع» and "with" introduce people, separated by «و», "and" and commas; «في», "in" and "at" introduce a place, whose name may contain
 *   them too. Of two places, the one that names a room or a building is taken; otherwise the place is asked for.
 * - After a day, a time or a length, a room or a building is the place even without "in": «الأحد 10 ص قاعة 3».
 * - After «مع» and "with", the name of a day or month is a person's: «مع خميس». In "look at" and «التعامل مع», the verb keeps its
 *   preposition.
 * - «المكان:», "attendees:" and similar labels introduce what follows. A quotation is read literally.
 * - The remaining words are the title.
 */
import { plus } from '../../../../parts/forms/calendar/days.ts'
import { MONTH, WEEKDAY } from '../../../../parts/forms/calendar/names.ts'
import { DAY, dayIn, linkIn, only, placeIn, type Slot, timesIn, type Vague } from './answers.ts'
import { type Dated, dateAt } from './dates.ts'
import { type Line, match, pattern, readLine, type Span, spanOf } from './line.ts'
import { segmentsOf, withAt } from './names.ts'
import type { Chip, Reading, Unsure } from './reading.ts'
import { boundAt, lengthAt, partAt, soonAt, timesAt, vagueAt } from './times.ts'
import { HOUR, PART } from './words.ts'

const mark = pattern('with|w|in|at|for|until|till|and|مع|في|لمده|حتي|[,،.;؛-]')

const linked = pattern('(?:(?:عبر|علي|(?:ال)?رابط|via|on|link)(?: :)? ){0,2}\u0001')
const calledSo = pattern(`(?:\\p{L} \\. )?(?:${WEEKDAY}|${MONTH}|${PART})`)

const capital = /^\p{Lu}\p{Ll}/u
const hour = pattern(HOUR)
/** Whether the number before a word belongs to a name such as "Four Seasons": both words are capitalised, and no day follows. */
const isNamed = (line: Line, next: number, today: string) =>
  [next - 1, next].every((at) => capital.test(line.text.slice(line.words[at]?.from, line.words[at]?.to))) &&
  !!match(line, next - 1, hour) &&
  !dateAt(line, next, today)

/** The most days, times or lengths that are compared. A line with more needs an answer anyway. */
const MOST = 9

/** Reads a line on a given day (`YYYY-MM-DD`) and at a given time (`HH:MM`) of the office. */
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
    // «مع خميس», "with April": a person may have the name of a day or month.
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
    // In "An evening 15 Rajab", the evening is not part of the date.
    const isOf = part && (!/^[a-z]/.test(line.words[at]!.folded) || line.words[part.next]?.folded === 'of')
    if (part && (isBeside || (isOf && !!dateAt(line, part.next, now.today)) || !!partAt(line, at, false))) {
      parts.push({ part: part.part, span: take('time', part.next) })
      if (isBeside) lastDate = at
      continue
    }
    at++
  }

  // «تقرير الأحد يوم الخميس»: the weekday after «يوم» or "on" is the day, and the bare one belongs to the title.
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
