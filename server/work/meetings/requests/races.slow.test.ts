/** Simultaneous actions on a request, over two instances, end as if they were done one after the other. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { act, REQUESTS } from '../../../../test/meeting-requests.ts'
import { MEETINGS } from '../../../../test/meetings.ts'
import { type Answer, Client } from '../../../../test/portal.ts'
import { outcome, race } from '../../../../test/race.ts'
import { seededPortal } from '../../../../test/seed.ts'

const { portal, org, make, meeting: newMeeting, request: newRequest } = seededPortal()

let otherInstance = ''
before(async () => {
  await portal.ready
  otherInstance = (await portal.another()).base
})
/** A client of the person at the second instance. */
const at2 = (person: Client) => Object.assign(new Client(otherInstance), { cookie: person.cookie, id: person.id })

interface Setting {
  meeting: { id: number }
  request: { id: number }
  requester: Client
  reviewer: Client
}
const DATE = '2034-01-01'
/** A request to add a note to a meeting, by people whom no other test uses. */
async function prepare(): Promise<Setting> {
  const requester = await make.newPerson({ roles: ['executive_coordinator'] })
  const reviewer = await make.newPerson({ roles: ['executive_office_manager'] })
  const meeting = await newMeeting({ date: DATE, attendees: [{ name: 'Requester', userId: requester.id }] })
  const request = await newRequest({ type: 'note', meetingId: meeting.id, details: { text: 'Noted' } }, requester)
  return { meeting, request, requester, reviewer }
}
/** Adds a request to move the meeting to a day that has a meeting. */
async function proposeMove(setting: Setting) {
  const { meeting, requester } = setting
  setting.request = await newRequest({ type: 'reschedule', meetingId: meeting.id, details: { date: '2034-03-01' } }, requester)
  await newMeeting({ date: '2034-03-01' })
}

type Action = (setting: Setting) => Promise<Answer>
const approve: Action = ({ reviewer, request }) => act(reviewer, 'approved', request.id)
const returnIt: Action = ({ reviewer, request }) => act(reviewer, 'needs_edit', request.id)
const withdraw: Action = ({ requester, request }) => act(requester, 'withdraw', request.id)
const resubmit: Action = ({ requester, request }) => act(requester, 'resubmit', request.id, { details: { text: 'Again' } })
const requestMeeting: Action = ({ requester }) => requester.post(REQUESTS, { type: 'create', details: { date: DATE, titleEn: 'Visit' } })
const requestCancellation: Action = ({ requester, meeting }) =>
  requester.post(`${MEETINGS}/${meeting.id}/requests`, { type: 'cancel', details: {} })

const approveAt2: Action = ({ request }) => act(at2(org.maha), 'approved', request.id)
const rejectAt2: Action = ({ request }) => act(at2(org.maha), 'rejected', request.id)
const withdrawAt2: Action = ({ requester, request }) => act(at2(requester), 'withdraw', request.id)
const patchMeetingAt2 =
  (fields: object): Action =>
  ({ meeting }) =>
    at2(org.admin).patch(`${MEETINGS}/${meeting.id}`, fields)
const reorderDayAt2: Action = () => at2(org.admin).put(`${MEETINGS}/order`, { date: '2034-03-01', ids: [] })
const deleteMeetingAt2: Action = ({ meeting }) => at2(org.admin).delete(`${MEETINGS}/${meeting.id}`)
const deleteRequesterAt2: Action = ({ requester }) => at2(org.admin).delete(`/users/${requester.id}`)
const deleteReviewerAt2: Action = ({ reviewer }) => at2(org.admin).delete(`/users/${reviewer.id}`)

/** The possible results if two actions are done one after the other: both outcomes, and the final state of the request and its meeting. */
const races: { between: string; first?: (setting: Setting) => Promise<unknown>; actions: [Action, Action]; endings: string[] }[] = [
  {
    between: 'two approvals',
    actions: [approve, approveAt2],
    endings: ['200, 400 invalid_transition: approved, done 1', '400 invalid_transition, 200: approved, done 1'],
  },
  {
    between: 'an approval and a rejection',
    actions: [approve, rejectAt2],
    endings: ['200, 400 invalid_transition: approved, done 1', '400 invalid_transition, 200: rejected, done 0'],
  },
  {
    between: 'an approval and a withdrawal',
    actions: [approve, withdrawAt2],
    endings: ['200, 400 invalid_transition: approved, done 1', '400 invalid_transition, 200: withdrawn, done 0'],
  },
  {
    between: 'a resubmission and a withdrawal',
    first: returnIt,
    actions: [resubmit, withdrawAt2],
    endings: ['200, 200: withdrawn, done 0', '400 invalid_transition, 200: withdrawn, done 0'],
  },
  {
    between: 'an approval and the deletion of the meeting',
    actions: [approve, deleteMeetingAt2],
    endings: ['200, 204: gone, no meeting', '404 not_found, 204: gone, no meeting'],
  },
  {
    between: 'an approval and another change of the meeting',
    actions: [approve, patchMeetingAt2({ notes: null, titleEn: 'Other' })],
    endings: ['200, 200: approved, done 1', '200, 200: approved, done 0'],
  },
  {
    between: 'the approval of a move and a direct move to the same day',
    first: proposeMove,
    actions: [approve, patchMeetingAt2({ date: '2034-03-01', titleEn: 'Other' })],
    endings: ['200, 200: approved, done 0'],
  },
  {
    between: 'the approval of a move and the reordering of the new day',
    first: proposeMove,
    actions: [approve, reorderDayAt2],
    endings: ['200, 200: approved, done 0'],
  },
  {
    between: 'a withdrawal and the deletion of the meeting',
    actions: [withdraw, deleteMeetingAt2],
    endings: ['200, 204: gone, no meeting', '404 not_found, 204: gone, no meeting'],
  },
  {
    between: 'an approval and the deletion of the requester',
    actions: [approve, deleteRequesterAt2],
    endings: ['200, 204: approved, done 1'],
  },
  {
    between: 'an approval and the deletion of the reviewer',
    actions: [approve, deleteReviewerAt2],
    endings: ['200, 204: approved, done 1', '401 unauthorized, 204: pending, done 0'],
  },
  {
    between: 'a withdrawal and the deletion of the requester',
    actions: [withdraw, deleteRequesterAt2],
    endings: ['200, 204: withdrawn, done 0', '401 unauthorized, 204: pending, done 0'],
  },
  {
    between: 'a new request and the deletion of its meeting',
    actions: [requestCancellation, deleteMeetingAt2],
    endings: ['201, 204: gone, no meeting', '404 not_found, 204: gone, no meeting'],
  },
  {
    between: 'a new request and the deletion of the requester',
    actions: [requestMeeting, deleteRequesterAt2],
    endings: ['201, 204: pending, done 0', '401 unauthorized, 204: pending, done 0'],
  },
]

/** The status of the request, and the number of times its note is in the meeting. */
async function describeEnd({ request, meeting }: Setting) {
  const [row] = await portal.sql<{ status: string }>('select status from meeting_requests where id = $1', [request.id])
  const [left] = await portal.sql<{ notes: string | null }>('select notes from meetings where id = $1', [meeting.id])
  return `: ${row?.status ?? 'gone'}, ${left ? `done ${left.notes?.split('\n').length ?? 0}` : 'no meeting'}`
}

for (const { between, first, actions, endings } of races)
  test(`${between} at the same time end as if done one after the other, without a deadlock`, () =>
    race(portal, endings, async () => {
      const setting = await prepare()
      await first?.(setting)
      return { acts: [() => actions[0](setting), () => actions[1](setting)], describe: () => describeEnd(setting) }
    }))

test('ten simultaneous approvals of a proposed meeting create it once', async () => {
  const reviewers = await Promise.all(Array.from({ length: 5 }, () => make.newPerson({ roles: ['executive_ceo'] })))
  for (let round = 1; round <= 4; round++) {
    const date = `2034-02-0${round}`
    const { id } = await newRequest({ type: 'create', details: { date, titleEn: 'Visit' } })
    const { audit, notices } = await portal.traces(async () => {
      const answers = await Promise.all(reviewers.flatMap((one) => [act(one, 'approved', id), act(at2(one), 'approved', id)]))
      assert.deepEqual(answers.map(outcome).toSorted(), ['200', ...Array(9).fill('400 invalid_transition')])
    })
    const actions = audit.map(({ action }) => action)
    assert.deepEqual([actions, notices.length], [['meeting_request.approve', 'meeting.create'], 1])
    assert.equal((await org.admin.get(`${MEETINGS}?date=${date}`)).body.length, 1)
  }
})

test('two notes for one meeting, approved at the same time, are both added', async () => {
  for (let round = 0; round < 12; round++) {
    const { meeting, request, requester, reviewer } = await prepare()
    const second = await newRequest({ type: 'note', meetingId: meeting.id, details: { text: 'Also' } }, requester)
    const answers = await Promise.all([act(reviewer, 'approved', request.id), act(at2(org.maha), 'approved', second.id)])
    assert.deepEqual(answers.map(outcome), ['200', '200'])
    const { notes } = (await org.admin.get(`${MEETINGS}/${meeting.id}`)).body
    assert.deepEqual(notes.split('\n').toSorted(), ['Also', 'Noted'])
  }
})
