/** What a request would make of its meeting. Pure, by the portal's own rules: what it changes, whom that tells, and how the day would be. */
import type { Schemas } from '../../platform/client.ts'
import type { Attendee, Meeting } from '../shared/day.ts'
import { minutesOf } from '../shared/slots.ts'
import { accountsTold, concernsAll } from '../shared/told.ts'

export type Request = Schemas['MeetingRequest']
type Proposal = Pick<Request, 'type' | 'details'>

/** A meeting as it is, or as it would become. */
export type Side = Pick<
  Meeting,
  | 'date'
  | 'startTime'
  | 'endTime'
  | 'titleAr'
  | 'titleEn'
  | 'locationAr'
  | 'locationEn'
  | 'meetingUrl'
  | 'notes'
  | 'status'
  | 'isHighlighted'
  | 'attendees'
>

const nothing: Side = {
  ...{ date: '', startTime: null, endTime: null, titleAr: null, titleEn: null, locationAr: null, locationEn: null },
  ...{ meetingUrl: null, notes: null, status: 'scheduled', isHighlighted: false, attendees: [] },
}

type Asked = Schemas['AttendeeInput']
const attendeeOf = ({ name, title = null, kind = 'internal', userId = null }: Asked, index: number): Attendee => ({
  ...{ id: -1 - index, name, title, kind, userId },
})

/** The words of a `note`, or of a `cancel`. */
export const wordsOf = ({ details }: Proposal) => (typeof details['text'] === 'string' ? details['text'] : '')

/** The meeting as it would be after an approval. */
export function afterOf(request: Proposal, before: Side = nothing): Side {
  if (request.type === 'cancel') return { ...before, status: 'cancelled' }
  if (request.type === 'note') return { ...before, notes: [before.notes, wordsOf(request)].filter(Boolean).join('\n') }
  const { text: _, attendees, ...fields } = request.details as Partial<Side> & { text?: unknown }
  return { ...before, ...fields, ...(attendees && { attendees: attendees.map(attendeeOf) }) }
}

const parts = {
  title: ['titleAr', 'titleEn'],
  date: ['date'],
  time: ['startTime', 'endTime'],
  place: ['locationAr', 'locationEn'],
  attendees: ['attendees'],
  link: ['meetingUrl'],
  notes: ['notes'],
  status: ['status'],
  highlight: ['isHighlighted'],
} as const satisfies Record<string, (keyof Side)[]>
export type Field = keyof typeof parts
export const fields = Object.keys(parts) as Field[]

/** The field that a column of a meeting belongs to. */
export const fieldOf = (column: string) => fields.find((field) => (parts[field] as readonly string[]).includes(column))

const attendeeKey = ({ name, title, kind, userId }: Attendee) => JSON.stringify([name, title || null, kind, userId])
const written = (side: Side, column: keyof Side) =>
  column === 'attendees' ? side.attendees.map(attendeeKey).join() : String(side[column] ?? '')

/** What differs between two sides. */
export const changedBetween = (before: Side, after: Side) =>
  fields.filter((field) => parts[field].some((column) => written(before, column) !== written(after, column)))

/** What a proposal says something of. */
export const askedFields = ({ type, details }: Proposal): Field[] =>
  type === 'cancel'
    ? ['status']
    : type === 'note'
      ? ['notes']
      : fields.filter((field) => parts[field].some((column) => details[column] != null))

/** Those of `some` who are not among the others. */
export const without = (some: readonly Attendee[], others: readonly Attendee[]) => {
  const known = new Set(others.map(attendeeKey))
  return some.filter((one) => !known.has(attendeeKey(one)))
}

interface Told {
  /** Colleagues who get a notice. */
  colleagues: Attendee[]
  /** Those without an account, whom somebody has to tell. */
  outside: Attendee[]
}

/** Who is told of an approval, but for the person who decides. */
export function toldOf(before: Side | undefined, after: Side, ownId: number | undefined): Told {
  const accounts = accountsTold(before, after, ownId)
  const all = [...(before?.attendees ?? []), ...after.attendees]
  const colleagues = new Map(all.flatMap((one) => (one.userId && accounts.has(one.userId) ? [[one.userId, one] as const] : [])))
  const some = concernsAll(before, after) ? after.attendees : without(after.attendees, before?.attendees ?? [])
  return { colleagues: [...colleagues.values()], outside: some.filter(({ userId }) => !userId) }
}

/** What comes last before a meeting, and how many minutes lie between. */
export function roomBefore({ startTime }: Side, others: readonly Meeting[]) {
  if (!startTime) return undefined
  const former = others
    .flatMap((other) => (other.status === 'scheduled' && other.startTime ? [{ other, end: other.endTime ?? other.startTime }] : []))
    .filter(({ end, other }) => end <= startTime && other.startTime! < startTime)
    .toSorted((one, another) => (one.end < another.end ? 1 : -1))[0]
  return former && { other: former.other, minutes: minutesOf(startTime) - minutesOf(former.end) }
}

/** Whether the day looks different afterwards. */
export const movesTheDay = (before: Side | undefined, after: Side) =>
  !before || changedBetween(before, after).some((field) => field === 'date' || field === 'time' || field === 'status')
