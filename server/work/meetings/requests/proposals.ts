/** The changes that a request of each type may propose, and their effect on its meeting. */

import { type Detail, fieldError } from '../../../platform/errors/field-errors.ts'
import { Refusal, refuseField, refuseFields } from '../../../platform/errors/refusal.ts'
import type { RequestType } from '../../../platform/tables.ts'
import { checkMeeting, isBlank } from '../meetings/rules.ts'
import { type MeetingChanges, MeetingPatch, type MeetingView, type NewMeeting } from '../meetings/shapes.ts'
import type { Details } from './shapes.ts'

type Field = keyof Details
const wholeMeeting = Object.keys(MeetingPatch.properties) as Field[]

interface Proposal {
  takes: readonly Field[]
  /** The required fields; `'one'` requires at least one of `takes`. */
  needs: readonly Field[] | 'one'
}
const proposals: Record<RequestType, Proposal> = {
  create: { takes: wholeMeeting, needs: ['date'] },
  reschedule: { takes: ['date', 'startTime', 'endTime'], needs: 'one' },
  edit: { takes: wholeMeeting, needs: 'one' },
  cancel: { takes: ['text'], needs: [] },
  attendees: { takes: ['attendees'], needs: ['attendees'] },
  note: { takes: ['text'], needs: ['text'] },
}

const isGiven = (value: unknown) => (typeof value === 'object' && value !== null) || (typeof value === 'string' && !isBlank(value))

/** Returns the given fields that a type takes. If required fields are missing, refuses and names them. */
export function readDetails(type: RequestType, given?: Details): Details {
  const { takes, needs } = proposals[type]
  if (!given) return needs.length ? refuseField('details', 'required') : {}
  const details = Object.fromEntries(Object.entries(given).filter(([name]) => takes.includes(name as Field))) as Details
  if (needs === 'one') {
    if (Object.keys(details).length === 0) refuseField('details', 'minProperties', { fields: takes })
    return details
  }
  const missing = needs.filter((name) => !isGiven(details[name])).map((name) => fieldError(`details.${name}`, 'required'))
  if (missing.length) refuseFields(missing)
  return details
}

/** The greatest length of a meeting's notes, in code points: the limit in the shape of meetings. */
const MOST_NOTES = 5000

const notesWith = (notes: string | null, text: string) => (notes ? `${notes}\n${text}` : text)

/** The patch that a proposal makes to its meeting. */
export function patchOf(type: RequestType, details: Details, meeting: MeetingView): MeetingChanges {
  if (type === 'cancel') return { status: 'cancelled' }
  if (type === 'note') return { notes: notesWith(meeting.notes, details.text!) }
  const { text: _, ...patch } = details
  return patch
}

/** The meeting that a `create` proposal would make. */
export const meetingOf = ({ text: _, ...fields }: Details) => fields as NewMeeting

/** The problems of the resulting meeting, by the fields of the proposal that cause them. */
function blame(wrong: Detail[], details: Details, meeting: MeetingView | null): Detail[] {
  const isProposed = ({ path }: Detail) => !meeting || path in details
  const renamed = wrong.map((item) => (item.path === 'endTime' && !('endTime' in details) ? { ...item, path: 'startTime' } : item))
  return renamed.filter(isProposed).map((item) => ({ ...item, path: `details.${item.path}` }))
}

/** Refuses a proposal that does not fit the current meeting; the errors name fields of the proposal. */
export function checkFit(type: RequestType, details: Details, meeting: MeetingView | null) {
  const patch = meeting ? patchOf(type, details, meeting) : meetingOf(details)
  if (type === 'note' && [...patch.notes!].length > MOST_NOTES) refuseField('details.text', 'maxTotal', { limit: MOST_NOTES })
  try {
    checkMeeting({ ...meeting, ...patch } as NewMeeting)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    refuseFields(blame(error.extras.body!['details'] as Detail[], details, meeting))
  }
}

/** The days whose pages show a proposal. */
export const datesOf = (meeting: MeetingView | null, ...all: Details[]) =>
  [...new Set([meeting?.date, ...all.map(({ date }) => date)])].filter((date) => date !== undefined).sort()

/** The ids of the attendees in a proposal. */
export const peopleIn = ({ attendees = [] }: Details) => attendees.flatMap(({ userId }) => userId ?? [])
