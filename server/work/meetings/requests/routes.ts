import type { Static } from 'typebox'
import { lockExistingPeople } from '../../../people/users/queries.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { type Change, changed } from '../../../platform/changes/outcome.ts'
import type { Tx } from '../../../platform/database/db.ts'
import { fieldError } from '../../../platform/errors/field-errors.ts'
import { Refusal, refuse, refuseField, refuseFields } from '../../../platform/errors/refusal.ts'
import { command, query } from '../../../platform/http/endpoint.ts'
import { IdParams } from '../../../platform/http/shape.ts'
import { addMeeting, isSame, lockDay, lockMeeting, setMeeting } from '../meetings/queries.ts'
import { isBlank } from '../meetings/rules.ts'
import type { MeetingView } from '../meetings/shapes.ts'
import { EXECUTIVE, REQUEST } from '../rules.ts'
import { checkFit, datesOf, meetingOf, patchOf, peopleIn, readDetails } from './proposals.ts'
import {
  addRequest,
  findPlace,
  lockRequest,
  pageRequests,
  type RequestRecord,
  type RequestView,
  readRequest,
  setRequest,
} from './queries.ts'
import { type Ask, askOf, findStep, nextAsks, paramsFor, types } from './rules.ts'
import { type Details, MeetingRequest, MeetingRequests, NewRequest, NewRequestAbout, RequestFilter, Step } from './shapes.ts'

/** A request with the steps that its reader may take next. */
const shown = ({ requesterId, ...request }: RequestView, actor: Actor) => ({
  ...request,
  next: nextAsks({ status: request.status, requesterId }, actor),
})

export const listMeetingRequests = query('GET /executive-meetings/requests', {
  summary: 'Requests to change the meetings, newest first',
  description: 'Filters are combined. `counts` has the number of requests of each status that match all other filters.',
  allow: EXECUTIVE,
  scope: 'meetings:read',
  query: RequestFilter,
  reply: MeetingRequests,
  run: async ({ db, actor, query }) => {
    const page = await pageRequests(db, query, actor.id)
    return { ...page, items: page.items.map((request) => shown(request, actor)) }
  },
})

export const showMeetingRequest = query('GET /executive-meetings/requests/:id', {
  summary: 'One request to change the meetings',
  description: 'With the proposal, the steps that the caller may take, and the meetings that it would overlap with.',
  allow: EXECUTIVE,
  scope: 'meetings:read',
  record: MeetingRequest,
  params: IdParams,
  reply: MeetingRequest,
  refuses: ['not_found'],
  run: async ({ db, actor, params }) => shown(await readRequest(db, params.id), actor),
})

interface Proposal {
  type: RequestRecord['type']
  details: Details
}
interface ProposalWithReason extends Proposal {
  reason?: string | null
}
/** Refuses a proposal that does not fit a locked meeting, or whose attendees do not exist. */
async function checkProposal(tx: Tx, { type, details }: Proposal, meeting: MeetingView | null) {
  checkFit(type, details, meeting)
  await lockExistingPeople(tx, peopleIn(details), { known: meeting ? peopleIn(meeting) : [] })
}

/** A reason as it is stored: null if it has no visible character. */
const reasonOf = (given: string | null | undefined) => (isBlank(given) ? null : given!)

/** Creates a request about a locked meeting, or for a new one if `meeting` is null. Its fields must have been checked. */
async function make(tx: Tx, actor: Actor, { type, details, reason }: ProposalWithReason, meeting: MeetingView | null) {
  await checkProposal(tx, { type, details }, meeting)
  const after = await addRequest(tx, { meetingId: meeting?.id ?? null, type, details, reason: reasonOf(reason), requesterId: actor.id })
  const view = await readRequest(tx, after.id)
  const params = paramsFor(meeting ?? details, view.requester, after.reason)
  const facts = { after, params, dates: datesOf(meeting, details) }
  return changed(shown(view, actor), { kind: 'meeting_request.made', targetId: after.id, facts })
}

/** Locks the meeting that a body names; refuses an unknown one with 400 instead of 404. */
async function lockNamed(tx: Tx, meetingId: number) {
  const isNamed = (error: unknown) => error instanceof Refusal && error.code === 'not_found'
  return lockMeeting(tx, meetingId).catch((error) => {
    if (isNamed(error)) return refuse('unknown_ids', { body: { unknownIds: [meetingId] } })
    throw error
  })
}

export const requestMeetingChange = command('POST /executive-meetings/requests', {
  summary: 'Request a new meeting, or a change of an existing one',
  description: 'Only a `create` has no `meetingId`. The people who decide on requests are notified.',
  allow: REQUEST,
  scope: 'meetings:request',
  record: MeetingRequest,
  body: NewRequest,
  reply: MeetingRequest,
  status: 201,
  refuses: ['unknown_ids'],
  run: async ({ tx, actor, body: { type, meetingId = null, details: given, reason } }) => {
    if (type === 'create' && meetingId !== null) refuseField('meetingId', 'type', { type: 'null' })
    if (type !== 'create' && meetingId === null) refuseField('meetingId', 'required')
    const details = readDetails(type, given)
    const meeting = meetingId === null ? null : await lockNamed(tx, meetingId)
    return make(tx, actor, { type, details, reason }, meeting)
  },
})

export const requestChangeOfMeeting = command('POST /executive-meetings/:id/requests', {
  summary: 'Request a change of a meeting',
  description: 'The people who decide on requests are notified.',
  allow: REQUEST,
  scope: 'meetings:request',
  record: MeetingRequest,
  params: IdParams,
  body: NewRequestAbout,
  reply: MeetingRequest,
  status: 201,
  refuses: ['not_found', 'unknown_ids'],
  run: async ({ tx, actor, params: { id }, body: { type, details: given, reason } }) => {
    if (type === 'create') refuseField('type', 'enum', { allowedValues: types.filter((one) => one !== 'create') })
    const details = readDetails(type, given)
    return make(tx, actor, { type, details, reason }, await lockMeeting(tx, id))
  },
})

/** Reports attendees who no longer exist as errors in the proposal. */
async function blameProposal<T>(work: Promise<T>): Promise<T> {
  return work.catch((error) => {
    if (error instanceof Refusal && error.code === 'unknown_ids')
      return refuseFields([fieldError('details.attendees', 'exists')], { unknownIds: error.extras.body!['unknownIds'] })
    throw error
  })
}

/** Applies a locked request; returns the id of its meeting and the changes. Refuses a proposal that no longer fits. */
async function apply(tx: Tx, { type, details, requesterId }: RequestRecord, meeting: MeetingView | null) {
  checkFit(type, details, meeting)
  if (!meeting) {
    const after = await blameProposal(addMeeting(tx, meetingOf(details), requesterId))
    const change: Change = { kind: 'meeting.created', targetId: after.id, facts: { before: null, after } }
    return { meetingId: after.id, changes: [change] }
  }
  const patch = patchOf(type, details, meeting)
  if (isSame(meeting, patch)) return { meetingId: meeting.id, changes: [] }
  const after = await blameProposal(setMeeting(tx, meeting, patch))
  const change: Change = { kind: 'meeting.updated', targetId: meeting.id, facts: { before: meeting, after } }
  return { meetingId: meeting.id, changes: [change] }
}

type Body = Static<typeof Step>
/**
 * Carries out a step on a locked request: returns the fields to store and, for an approval, makes the change of the meeting and returns it.
 */
async function take(tx: Tx, actor: Actor, asked: Ask, request: RequestRecord, meeting: MeetingView | null, body: Body) {
  if (asked === 'withdraw') return { fields: {}, changes: [] }
  if (asked === 'resubmit') {
    const details = readDetails(request.type, body.details!)
    await checkProposal(tx, { type: request.type, details }, meeting)
    return { fields: { details, ...(body.reason !== undefined && { reason: reasonOf(body.reason) }) }, changes: [] }
  }
  const decision = { reviewNotes: body.reviewNotes || null, reviewerId: actor.id }
  if (asked !== 'approved') return { fields: decision, changes: [] }
  const { meetingId, changes } = await apply(tx, request, meeting)
  return { fields: { ...decision, meetingId }, changes }
}

export const moveMeetingRequest = command('PATCH /executive-meetings/requests/:id', {
  summary: 'Decide on a request, which takes effect if it is approved; or withdraw or resubmit one’s own',
  description:
    'Only administrators may decide on their own requests. Approved, rejected and withdrawn requests are final. The requester is notified of decisions, reviewers of new proposals.',
  allow: EXECUTIVE,
  scope: ['meetings:approve', 'meetings:request'],
  record: MeetingRequest,
  params: IdParams,
  body: Step,
  reply: MeetingRequest,
  refuses: ['not_found', 'forbidden', 'invalid_transition', 'unknown_ids'],
  run: async ({ tx, ifMatch, actor, params: { id }, body }) => {
    const asked = askOf(body)
    // The order of locks is day, meeting, request, person, as in the deletions of each.
    const { meetingId, day } = await findPlace(tx, id)
    if (day !== null) await lockDay(tx, day)
    const meeting = meetingId === null ? null : await lockMeeting(tx, meetingId)
    const before = await lockRequest(tx, id)
    await ifMatch(async () => shown(await readRequest(tx, id), actor))
    const { to: status, by } = findStep(before, actor, asked)
    const { fields, changes } = await take(tx, actor, asked, before, meeting, body)
    const after = await setRequest(tx, id, { status, ...fields })
    const view = await readRequest(tx, id)
    const [person, words] = by === 'reviewer' ? [view.reviewer, after.reviewNotes] : [view.requester, after.reason]
    const params = paramsFor(meeting ?? after.details, person, words)
    const dates = changes.length ? [] : datesOf(meeting, before.details, after.details)
    const facts = { asked, before, after, params, dates }
    return changed(shown(view, actor), { kind: 'meeting_request.moved', targetId: id, facts }, ...changes)
  },
})
