/** The effects of a request by the portal's own rules: on the meeting, on its attendees, and on the day. Pure. */
import type { Schemas } from '../../../platform/client.ts'
import type { Attendee, Meeting } from '../shared/day.ts'
import { minutesOf } from '../shared/slots.ts'
import { accountsNotified, concernsAll } from '../shared/told.ts'

export type Request = Schemas['MeetingRequest']
type Proposal = Pick<Request, 'type' | 'details'>

/** An existing meeting, or a meeting as a request would make it. */
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

/** The text of a `note` or a `cancel`. */
export const wordsOf = ({ details }: Proposal) => (typeof details['text'] === 'string' ? details['text'] : '')

/** The meeting after an approval. */
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

/** The field that contains a column of a meeting. */
export const fieldOf = (column: string) => fields.find((field) => (parts[field] as readonly string[]).includes(column))

const attendeeKey = ({ name, title, kind, userId }: Attendee) => JSON.stringify([name, title || null, kind, userId])
const written = (side: Side, column: keyof Side) =>
  column === 'attendees' ? side.attendees.map(attendeeKey).join() : String(side[column] ?? '')

/** The fields that differ between two versions. */
export const changedBetween = (before: Side, after: Side) =>
  fields.filter((field) => parts[field].some((column) => written(before, column) !== written(after, column)))

/** The fields that a proposal names. */
export const askedFields = ({ type, details }: Proposal): Field[] =>
  type === 'cancel'
    ? ['status']
    : type === 'note'
      ? ['notes']
      : fields.filter((field) => parts[field].some((column) => details[column] != null))

/** The attendees of `some` who are not in `others`. */
export const without = (some: readonly Attendee[], others: readonly Attendee[]) => {
  const known = new Set(others.map(attendeeKey))
  return some.filter((one) => !known.has(attendeeKey(one)))
}

interface Notified {
  /** Attendees with an account, whom the portal notifies. */
  colleagues: Attendee[]
  /** Attendees without an account. The portal cannot notify them. */
  outside: Attendee[]
}

/**
 * The attendees whom an approval concerns, except the person who decides: those whom the portal notifies, and those whom it cannot notify.
 */
export function notifiedBy(before: Side | undefined, after: Side, ownId: number | undefined): Notified {
  const accounts = accountsNotified(before, after, ownId)
  const all = [...(before?.attendees ?? []), ...after.attendees]
  const colleagues = new Map(all.flatMap((one) => (one.userId && accounts.has(one.userId) ? [[one.userId, one] as const] : [])))
  const some = concernsAll(before, after) ? after.attendees : without(after.attendees, before?.attendees ?? [])
  return { colleagues: [...colleagues.values()], outside: some.filter(({ userId }) => !userId) }
}

/**
 * The last scheduled meeting of `others` that has ended when the given meeting begins, and the minutes between them; undefined if there is
 * none.
 */
export function roomBefore({ startTime }: Side, others: readonly Meeting[]) {
  if (!startTime) return undefined
  const former = others
    .flatMap((other) => (other.status === 'scheduled' && other.startTime ? [{ other, end: other.endTime ?? other.startTime }] : []))
    .filter(({ end, other }) => end <= startTime && other.startTime! < startTime)
    .toSorted((one, another) => (one.end < another.end ? 1 : -1))[0]
  return former && { other: former.other, minutes: minutesOf(startTime) - minutesOf(former.end) }
}

/** Whether an approval adds a meeting, or changes the date, time or status of one. */
export const movesTheDay = (before: Side | undefined, after: Side) =>
  !before || changedBetween(before, after).some((field) => field === 'date' || field === 'time' || field === 'status')
