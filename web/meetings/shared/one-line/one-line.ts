/**
 * Reads the one line that makes a meeting, in Arabic or English. What may mean two things is left out and asked for: nothing is guessed.
 *
 * Days
 * - A weekday is the nearest one. Said on that day itself, it is asked for. "Next Thursday" is asked for while this week has one to come;
 *   «الخميس القادم» is the nearest after today. A week begins on Sunday. «ليلة الخميس» is asked for.
 * - A day and month without a year are this year's of their calendar, and asked for once they have passed. In numbers the day comes first;
 *   years before 1700, or «هـ», are Hijri.
 * - A weekday beside a date must be that date's. Two days that differ, a day that does not exist, a day without a month, a week without a
 *   day and "every Sunday" are asked for.
 * - A line without a day has none: the page knows which day it shows.
 * Times
 * - 13:00, 0:30 and 09:30 are of 24 hours. 9:30, 10 and «الخامسة» are of twelve and need their half of the day, which may stand elsewhere
 *   in the line: «صباح الأحد الساعة 9». Without one they are asked for. Noon is 12:00, midnight 0:00; «12 مساءً» is asked for.
 * - Of a start and an end, one with its half of the day decides the other, so that the meeting lasts less than twelve hours.
 * - An end before its start or after midnight, an end or a length without a start, and two times are asked for. So is a morning without
 *   an hour, a time after a prayer, and "by 5 pm".
 * The rest
 * - «مع» and "with" begin people, «و», "and" and commas part them; «في», "in" and "at" begin a place, which may have more of them. Of two
 *   places the one that names a room or a building is it; else it is asked for. What is quoted is read as it stands.
 * - What is left is the title.
 */
import { plus } from '../../../parts/calendar/days.ts'
import { DAY, dayIn, linkIn, only, placeIn, type Slot, timesIn, type Vague } from './answers.ts'
import { type Dated, dateAt } from './dates.ts'
import { match, pattern, readLine, type Span, spanOf } from './line.ts'
import { segmentsOf } from './names.ts'
import type { Chip, Reading, Unsure } from './reading.ts'
import { boundAt, lengthAt, partAt, soonAt, timesAt, vagueAt } from './times.ts'

const mark = pattern('with|w|in|at|for|until|till|and|مع|في|لمده|حتي|[,،.;؛-]')

/** As many days, times or lengths are compared; a line with more asks anyway. */
const MOST = 9

/** What a line means on a day (`YYYY-MM-DD`) and at a time (`HH:MM`) of the office. */
export function readOneLine(text: string, now: { today: string; time: string }): Reading {
  const line = readLine(text)
  const taken = new Map<number, number>()
  const chips: Chip[] = []
  const unsure: Unsure[] = []
  const dates: (Dated & { span: Span })[] = []
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
    if (line.words[at]!.folded === '\u0001') {
      const { from, to } = line.words[at]!
      links.push({ value: text.slice(from, to), span: take('link', at + 1) })
      continue
    }
    const soon = soonAt(line, at)
    if (soon) {
      const [hours, minutes] = now.time.split(':').map(Number) as [number, number]
      const minute = hours * 60 + minutes + soon.minutes
      const day = plus(now.today, Math.floor(minute / DAY))
      const span = take('time', soon.next)
      dates.push({ days: [day], fits: (one) => one === day, span })
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
      dates.push({ ...date, span })
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
    if (time) {
      const { start, end, next } = time
      slots.push({ start, end, span: take('time', next) })
      lastTime = at
      continue
    }
    const isBeside = lastDate === at
    const part = partAt(line, at, true)
    if (part && (isBeside || !!dateAt(line, part.next, now.today) || !!partAt(line, at, false))) {
      parts.push({ part: part.part, span: take('time', part.next) })
      if (isBeside) lastDate = at
      continue
    }
    at++
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
