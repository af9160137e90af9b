/** The result of reading a line. */
import type { Dated } from './dates.ts'
import type { Span } from './line.ts'

export interface Fields {
  /** `YYYY-MM-DD`. */
  date: string | null
  /** `HH:MM`. */
  start: string | null
  end: string | null
  place: string | null
  people: string[]
  link: string | null
  title: string
}

export type Reason =
  | NonNullable<Dated['reason']>
  | 'weekday_mismatch'
  | 'half_of_day'
  | 'no_such_time'
  | 'vague_time'
  | 'two_times'
  | 'end_before_start'
  | 'past_midnight'
  | 'no_start'
  | 'two_places'
  | 'two_links'

export interface Chip {
  kind: 'date' | 'time' | 'length' | 'place' | 'person' | 'link'
  span: Span
}

export interface Unsure {
  span: Span
  reason: Reason
  /** The fields that each possible answer sets; empty if the page has to ask for a value. */
  choices: Partial<Fields>[]
}

export interface Reading extends Fields {
  /** The recognised parts in the order of the line, including those that need an answer. */
  chips: Chip[]
  unsure: Unsure[]
}
