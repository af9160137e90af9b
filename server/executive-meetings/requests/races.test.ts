/** Whatever is done about a request at the same moment, over two instances, ends as if it had been done one after the other. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { type Ask, act, REQUESTS, requestPortal } from '../../../test/meeting-requests.ts'
import { type Answer, Client, testPortal } from '../../../test/portal.ts'
import { outcome, race } from '../../../test/race.ts'
import { scale } from '../../../test/suite.ts'

const portal = testPortal()
const { newPerson } = makers(portal)
const { who, newMeeting, newRequest, whenReady } = requestPortal(portal)

let elsewhere = ''
before(async () => {
  await whenReady()
  elsewhere = (await portal.another()).base
})
/** The same person at the other instance. */
const there = (person: Client) => Object.assign(new Client(elsewhere), { cookie: person.cookie, id: person.id })

const date = '2034-01-01'
const details = { date, titleEn: 'Visit' }
/** Of a request: its status, and how often what it proposes was done. */
async function stateOf({ id }: { id: number }, { id: meetingId }: { id: number }) {
  const [row] = await portal.sql<{ status: string }>('select status from meeting_requests where id = $1', [id])
  const [meeting] = await portal.sql<{ notes: string | null }>('select notes from meetings where id = $1', [meetingId])
  return `${row?.status ?? 'gone'}, ${meeting ? `done ${meeting.notes?.split('\n').length ?? 0}` : 'no meeting'}`
}

interface Scene {
  meeting: { id: number }
  request: { id: number }
  requester: Client
  reviewer: Client
}
async function scene(): Promise<Scene> {
  const [requester, reviewer] = await Promise.all([
    newPerson({ roles: ['executive_coordinator'] }),
    newPerson({ roles: ['executive_office_manager'] }),
  ])
  const attendees = [{ name: 'Requester', userId: requester.id }]
  const meeting = await newMeeting({ date, attendees })
  const request = await newRequest(requester, { type: 'note', meetingId: meeting.id, details: { text: 'Noted' } })
  return { meeting, request, requester, reviewer }
}
const asks = (who: Client, ask: Ask, { request }: Scene, more = {}) => act(who, ask, request.id, more)

interface Duel {
  name: string
  /** What comes before. */
  first?: (scene: Scene) => Promise<unknown>
  one: (scene: Scene) => Promise<Answer>
  other: (scene: Scene) => Promise<Answer>
  /** Every ending that doing one after the other has: both outcomes, and what is left. */
  endings: string[]
}
const duels: Duel[] = [
  {
    name: 'two approvals',
    one: (set) => asks(set.reviewer, 'approved', set),
    other: (set) => asks(there(who('reviewer')), 'approved', set),
    endings: ['200, 400 invalid_transition: approved, done 1', '400 invalid_transition, 200: approved, done 1'],
  },
  {
    name: 'an approval and a rejection',
    one: (set) => asks(set.reviewer, 'approved', set),
    other: (set) => asks(there(who('reviewer')), 'rejected', set),
    endings: ['200, 400 invalid_transition: approved, done 1', '400 invalid_transition, 200: rejected, done 0'],
  },
  {
    name: 'an approval and a withdrawal',
    one: (set) => asks(set.reviewer, 'approved', set),
    other: (set) => asks(there(set.requester), 'withdraw', set),
    endings: ['200, 400 invalid_transition: approved, done 1', '400 invalid_transition, 200: withdrawn, done 0'],
  },
  {
    name: 'making it again and withdrawing it',
    first: (set) => asks(set.reviewer, 'needs_edit', set),
    one: (set) => asks(set.requester, 'resubmit', set, { details: { text: 'Again' } }),
    other: (set) => asks(there(set.requester), 'withdraw', set),
    endings: ['200, 200: withdrawn, done 0', '400 invalid_transition, 200: withdrawn, done 0'],
  },
  {
    name: 'an approval and the deletion of the meeting',
    one: (set) => asks(set.reviewer, 'approved', set),
    other: ({ meeting }) => there(portal.admin).delete(`/executive-meetings/${meeting.id}`),
    endings: ['200, 204: gone, no meeting', '404 not_found, 204: gone, no meeting'],
  },
  {
    name: 'an approval and another change of the meeting',
    one: (set) => asks(set.reviewer, 'approved', set),
    other: ({ meeting }) => there(portal.admin).patch(`/executive-meetings/${meeting.id}`, { notes: null, titleEn: 'Other' }),
    endings: ['200, 200: approved, done 1', '200, 200: approved, done 0'],
  },
  ...['PATCH', 'PUT'].map(
    (method): Duel => ({
      name: `moving it to another day by approval, and ${method === 'PUT' ? 'putting that day in order' : 'by hand'}`,
      first: async (set) => {
        const fields = { type: 'reschedule', meetingId: set.meeting.id, details: { date: '2034-03-01' } }
        set.request = await newRequest(set.requester, fields)
        await newMeeting({ date: '2034-03-01' })
      },
      one: (set) => asks(set.reviewer, 'approved', set),
      other: ({ meeting }) =>
        method === 'PUT'
          ? there(portal.admin).put('/executive-meetings/order', { date: '2034-03-01', ids: [] })
          : there(portal.admin).patch(`/executive-meetings/${meeting.id}`, { date: '2034-03-01', titleEn: 'Other' }),
      endings: ['200, 200: approved, done 0'],
    }),
  ),
  {
    name: 'a withdrawal and the deletion of the meeting',
    one: (set) => asks(set.requester, 'withdraw', set),
    other: ({ meeting }) => there(portal.admin).delete(`/executive-meetings/${meeting.id}`),
    endings: ['200, 204: gone, no meeting', '404 not_found, 204: gone, no meeting'],
  },
  {
    name: 'an approval and the deletion of whoever asked',
    one: (set) => asks(set.reviewer, 'approved', set),
    other: ({ requester }) => there(portal.admin).delete(`/users/${requester.id}`),
    endings: ['200, 204: approved, done 1'],
  },
  {
    name: 'an approval and the deletion of whoever approves',
    one: (set) => asks(set.reviewer, 'approved', set),
    other: ({ reviewer }) => there(portal.admin).delete(`/users/${reviewer.id}`),
    endings: ['200, 204: approved, done 1', '401 unauthorized, 204: pending, done 0'],
  },
  {
    name: 'a withdrawal and the deletion of whoever withdraws',
    one: (set) => asks(set.requester, 'withdraw', set),
    other: ({ requester }) => there(portal.admin).delete(`/users/${requester.id}`),
    endings: ['200, 204: withdrawn, done 0', '401 unauthorized, 204: pending, done 0'],
  },
  {
    name: 'asking and the deletion of the meeting',
    one: ({ meeting, requester }) => requester.post(`/executive-meetings/${meeting.id}/requests`, { type: 'cancel', details: {} }),
    other: ({ meeting }) => there(portal.admin).delete(`/executive-meetings/${meeting.id}`),
    endings: ['201, 204: gone, no meeting', '404 not_found, 204: gone, no meeting'],
  },
  {
    name: 'asking and the deletion of whoever asks',
    one: ({ requester }) => requester.post(REQUESTS, { type: 'create', details }),
    other: ({ requester }) => there(portal.admin).delete(`/users/${requester.id}`),
    endings: ['201, 204: pending, done 0', '401 unauthorized, 204: pending, done 0'],
  },
]

for (const { name, first, one, other, endings } of duels)
  test(`${name}, simultaneously, end as one after the other and without a deadlock`, () =>
    race(portal, endings, async () => {
      const set = await scene()
      await first?.(set)
      return { acts: [() => one(set), () => other(set)], describe: async () => `: ${await stateOf(set.request, set.meeting)}` }
    }))

test('a proposed meeting is made once, however many approve it simultaneously', async () => {
  const reviewers = await Promise.all(Array.from({ length: 5 }, () => newPerson({ roles: ['executive_ceo'] })))
  for (let round = 0; round < scale(2, 4); round++) {
    const day = `2034-02-0${round + 1}`
    const { id } = await newRequest('requester', { type: 'create', details: { ...details, date: day } })
    const { audit, notices } = await portal.traces(async () => {
      const answers = await Promise.all(reviewers.flatMap((one) => [act(one, 'approved', id), act(there(one), 'approved', id)]))
      assert.deepEqual(answers.map(outcome).toSorted(), ['200', ...Array(9).fill('400 invalid_transition')])
    })
    assert.deepEqual(
      audit.map(({ action }) => action),
      ['meeting_request.approve', 'meeting.create'],
    )
    assert.equal(notices.length, 1)
    assert.equal((await portal.admin.get(`/executive-meetings?date=${day}`)).body.length, 1)
  }
})

test('two notes for a meeting that are approved simultaneously are both in it', async () => {
  for (let round = 0; round < scale(3, 12); round++) {
    const { meeting, request, requester, reviewer } = await scene()
    const second = await newRequest(requester, { type: 'note', meetingId: meeting.id, details: { text: 'Also' } })
    const answers = await Promise.all([act(reviewer, 'approved', request.id), act(there(who('reviewer')), 'approved', second.id)])
    assert.deepEqual(answers.map(outcome), ['200', '200'])
    const { notes } = (await portal.admin.get(`/executive-meetings/${meeting.id}`)).body
    assert.deepEqual(notes.split('\n').toSorted(), ['Also', 'Noted'])
  }
})
