/** Overlapping meetings, described by their shared minutes and the people who are in both. */
import { folded } from '../../../platform/folded.ts'
import { isolated, listed, texts } from '../../../platform/language.ts'
import { type Attendee, type Meeting, titleOf } from './day.ts'
import { durationOf } from './durations.ts'
import { inTheWayOf, sharedMinutes } from './slots.ts'

type Person = Pick<Attendee, 'name'> & { userId?: number | null | undefined }
/** An existing or a planned meeting. */
export interface Planned {
  id?: number | undefined
  status: string
  startTime: string | null
  endTime: string | null
  attendees: readonly Person[]
}

export interface Clash {
  other: Meeting
  minutes: number
  /** The names of the people in both meetings. */
  common: string[]
}

const isSame = (one: Person, other: Person) =>
  one.userId || other.userId ? one.userId === other.userId : folded(one.name).trim() === folded(other.name).trim()

/** The overlaps of a meeting with other meetings of its day. */
export const clashesOf = (one: Planned, day: readonly Meeting[]): Clash[] =>
  inTheWayOf({ ...one, id: one.id }, day).map((other) => ({
    other,
    minutes: sharedMinutes(one, other),
    common: one.attendees.filter((person) => other.attendees.some((there) => isSame(person, there))).map(({ name }) => name),
  }))

const ar = {
  overlap: (minutes: number, title: string) => (minutes ? `يتداخل ${durationOf(minutes)} مع «${title}»` : `في وقت «${title}» نفسه`),
  inBoth: (names: string) => `، و${names} في كليهما.`,
  nobody: '، ولا أحد في كليهما.',
}
const en: typeof ar = {
  overlap: (minutes, title) => (minutes ? `Overlaps “${title}” by ${durationOf(minutes)}` : `At the time of “${title}”`),
  inBoth: (names) => `, with ${names} in both.`,
  nobody: ', with nobody in both.',
}
const t = texts({ ar, en })

/** A text names at most this many of the people in both meetings. */
const NAMED = 3

/** A sentence such as "Overlaps “Projects” by 30 minutes, with Sultan in both." */
export const clashText = ({ other, minutes, common }: Clash) =>
  t.overlap(minutes, isolated(titleOf(other))) + (common.length ? t.inBoth(listed(common.slice(0, NAMED).map(isolated))) : t.nobody)
