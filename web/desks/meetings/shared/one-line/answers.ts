/** Combines the recognised parts of a line into fields, and asks where they disagree. */
import type { Dated } from './dates.ts'
import { type Line, type Span, written } from './line.ts'
import { isPlain, type Segment } from './names.ts'
import type { Fields, Reason, Unsure } from './reading.ts'
import type { Timed } from './times.ts'
import type { Part } from './words.ts'

type Times = Partial<Pick<Fields, 'start' | 'end'>>
/** A part of the day, a time without an hour such as «بعد صلاة العصر», or a time that is only a bound such as "by 5 pm". */
export interface Vague {
  part?: Part
  near?: number[]
  span: Span
}

export interface Slot {
  start?: Timed
  end?: Timed
  span: Span
}

export const DAY = 1440
const clock = (minute: number) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
/** Whether a minute of the day is within office hours, which come first among the choices. */
const isLikely = (at: number) => at >= 420 && at < 1140
const byLikelihood = (one: number, other: number) => Number(isLikely(other)) - Number(isLikely(one)) || one - other
export const only = <T>(all: T[]) => [...new Set(all)]
/**
 * Finds the place among the segments. Of several candidates, one that alone is certain is the place, and the rest become part of the title;
 * otherwise the page must ask which it is.
 */
export function placeIn(line: Line, segments: Segment[], unsure: Unsure[]) {
  const found = segments.filter(({ kind }) => kind === 'place')
  const certain = found.filter((one) => isPlain(line, one))
  const chosen = found.length > 1 && certain.length === 1 ? certain : found
  for (const one of found) if (!chosen.includes(one)) Object.assign(one, { kind: 'title', value: written(line, one.whole) })
  if (chosen.length < 2) return chosen[0]?.value ?? null
  unsure.push({ span: chosen.at(-1)!.span, reason: 'two_places', choices: chosen.map(({ value }) => ({ place: value })) })
  return null
}

export function linkIn(links: { value: string; span: Span }[], unsure: Unsure[]) {
  const all = only(links.map(({ value }) => value))
  if (all.length < 2) return all[0] ?? null
  unsure.push({ span: links.at(-1)!.span, reason: 'two_links', choices: all.map((link) => ({ link })) })
  return null
}

export function dayIn(dates: (Dated & { span: Span })[], unsure: Unsure[]): string | null {
  if (dates.length === 0) return null
  const { span } = dates.at(-1)!
  const all = only(dates.flatMap(({ days }) => days))
  const common = all.filter((day) => dates.every(({ fits }) => fits(day)))
  const asked = dates.find(({ reason }) => reason)
  const never = dates.find(({ reason }) => reason === 'no_such_day' || reason === 'repeats')
  if (common.length === 1 && !never && (dates.length > 1 || !asked)) return common[0]!
  const choices = (days: string[]) => days.map((date) => ({ date }))
  if (never) unsure.push({ span: never.span, reason: never.reason!, choices: choices(never.days) })
  else if (common.length > 0)
    unsure.push({ span: (asked ?? dates[0]!).span, reason: asked?.reason ?? 'two_dates', choices: choices(common) })
  else if (dates.length === 1) unsure.push({ span, reason: asked!.reason!, choices: choices(all) })
  else {
    const isWeekday = dates.some((one) => one.isWeekday) && !dates.every((one) => one.isWeekday)
    unsure.push({ span, reason: isWeekday ? 'weekday_mismatch' : 'two_dates', choices: choices(all) })
  }
  return null
}

export function timesIn(slots: Slot[], lengths: { minutes: number; span: Span }[], parts: Vague[], unsure: Unsure[]): Times {
  const part = parts.find((one) => one.part)?.part
  const halved = (timed: Timed | undefined, by: Part | undefined) => {
    const held = timed && by && timed.at.length > 1 ? timed.at.filter(by.holds) : []
    return held.length > 0 ? held : timed?.at
  }
  const starts = slots.filter(({ start }) => start)
  const ends = slots.filter(({ start, end }) => end && !start)
  const ask = (span: Span, reason: Reason, choices: Times[] = []) => {
    unsure.push({ span, reason, choices })
    return {}
  }
  const wrong = slots.find(({ start, end }) => start?.isWrong || end?.isWrong)
  if (wrong) {
    const { at } = (wrong.start?.isWrong ? wrong.start : wrong.end)!
    return ask(
      wrong.span,
      'no_such_time',
      at.map((minute) => ({ [wrong.start?.isWrong ? 'start' : 'end']: clock(minute) })),
    )
  }
  const lasting = only(lengths.map(({ minutes }) => minutes))
  if (starts.length === 0) {
    const last = ends.at(-1) ?? lengths.at(-1)
    const vague = parts.at(-1)
    if (vague)
      return ask(
        vague.span,
        'vague_time',
        (vague.near ?? vague.part?.hours.map((hour) => hour * 60) ?? []).map((at) => within(at, lasting[0])),
      )
    if (!last) return {}
    ask(last.span, 'no_start')
    const known = ends.length === 1 ? halved(ends[0]!.end, part)! : []
    return known.length === 1 ? { end: clock(known[0]!) } : {}
  }

  const pairsOf = ({ start, end }: Slot): [number, number | undefined][] => {
    const from = halved(start, part)!
    const to = halved(end ?? ends[0]?.end, from.length > 1 ? part : undefined)
    const until = (at: number) => to ?? (lasting.length > 0 ? [at + lasting[0]!] : [undefined])
    const all = from.flatMap((at) => until(at).map((last): [number, number | undefined] => [at, last]))
    const ahead = all.filter(([at, last]) => last === undefined || last > at)
    const short = ahead.filter(([at, last]) => last === undefined || last - at < DAY / 2)
    return short.length > 0 ? short : ahead
  }
  const times = ([at, last]: [number, number | undefined]): Times => ({ start: clock(at), ...(last !== undefined && { end: clock(last) }) })
  const { span } = starts.at(-1)!
  const pairs = starts.flatMap(pairsOf)
  const distinct = [...new Map(pairs.map((pair) => [pair.join(), pair])).values()]
  const isTwice = starts.length > 1 && distinct.length > 1
  const possible = distinct.filter(([, last]) => last === undefined || last < DAY).toSorted(([one], [other]) => byLikelihood(one, other))
  const clash = ends.length > 1 || lasting.length > 1 || ((ends.length > 0 || starts.some(({ end }) => end)) && lasting.length > 0)
  if (isTwice) return ask(span, 'two_times', possible.map(times))
  if (clash) {
    const [at, last] = possible[0] ?? []
    const agrees = ends.length < 2 && lasting.length === 1 && possible.length === 1 && last === at! + lasting[0]!
    if (!agrees)
      return ask(
        (lengths.at(-1) ?? ends.at(-1))!.span,
        'two_times',
        possible.flatMap((one) => [times(one), ...lasting.map((by) => within(one[0], by))]),
      )
  }
  if (distinct.length === 0) {
    const from = halved(starts[0]!.start, part)!
    const to = (starts[0]!.end ?? ends[0]!.end)!.at
    const turned = from.length === 1 && to.length === 1 && from[0] !== to[0] ? [times([to[0]!, from[0]!])] : []
    ask((ends[0] ?? starts[0])!.span, 'end_before_start', turned)
    return from.length === 1 ? { start: clock(from[0]!) } : {}
  }
  if (possible.length === 0) {
    const [at] = distinct[0]!
    ask((lengths[0] ?? starts[0])!.span, 'past_midnight', [within(at, DAY - 1 - at)])
    return distinct.length === 1 ? { start: clock(at) } : {}
  }
  if (possible.length === 1 && distinct.length === 1) return times(possible[0]!)
  return ask(span, 'half_of_day', possible.map(times))
}

const within = (at: number, minutes?: number): Times => ({
  start: clock(at),
  ...(minutes !== undefined && at + minutes < DAY && { end: clock(at + minutes) }),
})
