/** What a request of each type asks for, what approving it does, and what it would be in the way of. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silence } from '../../../test/makers.ts'
import { act, REQUESTS, requestPortal } from '../../../test/meeting-requests.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { who, newMeeting, newRequest, rowOf, executives, approvers } = requestPortal(portal)

const read = async (id: number) => (await portal.admin.get(`/executive-meetings/${id}`)).body
const attendee = { name: 'Rana', title: null, kind: 'internal', userId: null }
const start = {
  date: '2031-01-10',
  startTime: '09:00',
  endTime: '10:00',
  titleAr: 'الميزانية',
  titleEn: 'Budget',
  notes: 'Bring figures',
  attendees: [attendee],
}

interface Case {
  type: string
  details: Record<string, unknown>
  /** What of the meeting is other once it is approved. */
  makes: Record<string, unknown>
}
const cases: Case[] = [
  {
    type: 'reschedule',
    details: { date: '2031-01-11', startTime: '11:00', endTime: null },
    makes: { date: '2031-01-11', startTime: '11:00', endTime: null },
  },
  { type: 'reschedule', details: { endTime: '10:30' }, makes: { endTime: '10:30' } },
  {
    type: 'edit',
    details: { titleEn: 'Budget II', titleAr: null, locationEn: 'Hall', isHighlighted: true, status: 'postponed' },
    makes: { titleEn: 'Budget II', titleAr: null, locationEn: 'Hall', isHighlighted: true, status: 'postponed' },
  },
  { type: 'cancel', details: { text: 'The guest is ill' }, makes: { status: 'cancelled' } },
  { type: 'cancel', details: {}, makes: { status: 'cancelled' } },
  {
    type: 'attendees',
    details: { attendees: [{ name: 'Sami', kind: 'external' }, { name: 'Rana' }] },
    makes: { attendees: [{ ...attendee, name: 'Sami', kind: 'external' }, attendee] },
  },
  { type: 'attendees', details: { attendees: [] }, makes: { attendees: [] } },
  { type: 'note', details: { text: 'And\nthe plan' }, makes: { notes: 'Bring figures\nAnd\nthe plan' } },
]
const withoutIds = ({ attendees, updatedAt: _, sortOrder: __, ...meeting }: { attendees: { id: number }[]; [field: string]: unknown }) => ({
  ...meeting,
  attendees: attendees.map(({ id: _, ...fields }) => fields),
})

for (const { type, details, makes } of cases)
  test(`${type} ${JSON.stringify(details)} changes exactly that of the meeting, once it is approved`, async () => {
    const { id } = await newMeeting(start)
    const before = await read(id)
    const request = await newRequest('requester', { type, meetingId: id, details })
    assert.deepEqual(await read(id), before)
    let status = 0
    const { audit, events } = await portal.traces(async () => {
      status = (await act(who('reviewer'), 'approved', request.id)).status
    })
    assert.equal(status, 200)
    const after = await read(id)
    assert.deepEqual(withoutIds(after), { ...withoutIds(before), ...makes })
    assert.deepEqual(
      audit.map(({ action, target }) => [action, target]),
      [
        ['meeting_request.approve', request.id],
        ['meeting.update', id],
      ],
    )
    assert.deepEqual(audit[1]!.metadata, { before, after })
    const days = [...new Set([before.date, after.date])]
    assert.deepEqual(
      events.filter(({ event }) => event === 'meetings_changed'),
      days.map((date) => ({ event: 'meetings_changed', data: { date }, to: executives() })),
    )
    assert.equal((await rowOf(request.id))!.meeting_id, id)
  })

test('approving a request to create makes the meeting for its requester and links it', async () => {
  const { id } = await newRequest('requester', { type: 'create', details: { ...start, date: '2031-02-01' } })
  assert.equal((await rowOf(id))!.meeting_id, null)
  assert.deepEqual((await portal.admin.get('/executive-meetings?date=2031-02-01')).body, [])
  let answer!: Awaited<ReturnType<typeof act>>
  const { audit, notices, events } = await portal.traces(async () => {
    answer = await act(who('reviewer'), 'approved', id, { reviewNotes: '' })
  })
  const { meetingId, reviewNotes, next } = answer.body
  assert.deepEqual([answer.status, reviewNotes, next], [200, null, []])
  const [made] = (await portal.admin.get('/executive-meetings?date=2031-02-01')).body
  assert.deepEqual([made.id, made.createdBy, made.titleAr], [meetingId, who('requester').id, 'الميزانية'])
  assert.deepEqual(
    audit.map(({ action, target }) => [action, target]),
    [
      ['meeting_request.approve', id],
      ['meeting.create', meetingId],
    ],
  )
  assert.deepEqual(audit[1]!.metadata, { before: null, after: made })
  assert.deepEqual(notices, [{ user: who('requester').id, type: 'meeting', titleEn: 'Your meeting request was approved' }])
  assert.equal(events.filter(({ event }) => event === 'meetings_changed').length, 1)
})

test('a request is recorded whole and told to everyone who may decide, except its author', async () => {
  const { id: meetingId } = await newMeeting({ date: '2031-03-01' })
  const details = { date: '2031-03-02' }
  let id = 0
  const { audit, notices, events } = await portal.traces(async () => {
    id = (await newRequest('own reviewer', { type: 'reschedule', meetingId, details })).id
  })
  const fields = { id, meetingId, type: 'reschedule', details, status: 'pending' }
  const after = { ...fields, requesterId: who('own reviewer').id, reviewNotes: null, reviewerId: null, reviewedAt: null }
  assert.deepEqual(audit, [{ action: 'meeting_request.create', type: 'meeting_request', target: id, metadata: { before: null, after } }])
  const others = approvers().filter((one) => one !== who('own reviewer').id)
  assert.deepEqual(
    notices,
    others.map((user) => ({ user, type: 'meeting', titleEn: 'New meeting request' })),
  )
  assert.deepEqual(
    events.slice(others.length),
    ['2031-03-01', '2031-03-02'].map((date) => ({ event: 'meetings_changed', data: { date }, to: executives() })),
  )
})

test('approving what is already so changes nothing of the meeting', async () => {
  const { id } = await newMeeting({ date: '2031-03-05', status: 'cancelled' })
  const request = await newRequest('requester', { type: 'cancel', meetingId: id, details: {} })
  const before = await read(id)
  const { audit, events } = await portal.traces(() => act(who('reviewer'), 'approved', request.id))
  assert.deepEqual(
    audit.map(({ action }) => action),
    ['meeting_request.approve'],
  )
  assert.deepEqual(events.at(-1), { event: 'meetings_changed', data: { date: '2031-03-05' }, to: executives() })
  assert.deepEqual(await read(id), before)
})

const outdated: [what: string, request: object, meanwhile: object, path: string][] = [
  [
    'an end before the new start',
    { type: 'reschedule', details: { endTime: '10:30' } },
    { startTime: '11:00', endTime: '12:00' },
    'details.endTime',
  ],
  [
    'a start after the new end',
    { type: 'edit', details: { startTime: '09:30' } },
    { startTime: '07:00', endTime: '08:00' },
    'details.startTime',
  ],
  ['the only title', { type: 'edit', details: { titleEn: '' } }, { titleAr: null }, 'details.titleEn'],
  ['notes that are full', { type: 'note', details: { text: 'One more' } }, { notes: 'x'.repeat(4995) }, 'details.text'],
]
for (const [what, request, meanwhile, path] of outdated)
  test(`a proposal that no longer fits (${what}) cannot be approved and stays pending`, async () => {
    const { id: meetingId } = await newMeeting({ ...start, date: '2031-04-01' })
    const { id } = await newRequest('requester', { ...request, meetingId })
    assert.equal((await portal.admin.patch(`/executive-meetings/${meetingId}`, meanwhile)).status, 200)
    const [row, meeting] = [await rowOf(id), await read(meetingId)]
    const traces = await portal.traces(async () => {
      const { status, body } = await act(who('reviewer'), 'approved', id)
      assert.deepEqual([status, body.code], [400, 'validation_failed'])
      assert.deepEqual(
        body.details.map((detail: { path: string }) => detail.path),
        [path],
      )
    })
    assert.deepEqual(traces, silence)
    assert.deepEqual([await rowOf(id), await read(meetingId)], [row, meeting])
    assert.equal((await act(who('reviewer'), 'rejected', id)).status, 200)
  })

test('a proposal whose attendee was deleted cannot be approved until it is resubmitted without them', async () => {
  const guest = await portal.person('guest')
  const attendees = [{ name: 'Guest', userId: guest.id }]
  const { id } = await newRequest('requester', { type: 'create', details: { date: '2031-04-02', titleEn: 'Visit', attendees } })
  assert.equal((await portal.admin.delete(`/users/${guest.id}`)).status, 204)
  const refused = await act(who('reviewer'), 'approved', id)
  assert.deepEqual([refused.status, refused.body.code, refused.body.details[0].path], [400, 'validation_failed', 'details.attendees'])
  await act(who('reviewer'), 'needs_edit', id)
  const again = await act(who('requester'), 'resubmit', id, { details: { date: '2031-04-02', titleEn: 'Visit', attendees } })
  assert.deepEqual([again.status, again.body.code, again.body.unknownIds], [400, 'unknown_ids', [guest.id]])
  assert.equal((await act(who('requester'), 'resubmit', id, { details: { date: '2031-04-02', titleEn: 'Visit' } })).status, 200)
  assert.equal((await act(who('reviewer'), 'approved', id)).status, 200)
})

test('a pending proposal shows the meetings it would overlap with, as they are now', async () => {
  const date = '2031-05-01'
  const early = await newMeeting({ date, startTime: '08:00', endTime: '09:30', titleEn: 'Early' })
  const moment = await newMeeting({ date, startTime: '09:45', endTime: null, titleEn: 'Moment' })
  const touching = await newMeeting({ date, startTime: '10:00', endTime: '11:00', titleEn: 'Touching' })
  await newMeeting({ date, startTime: '09:00', endTime: '10:00', status: 'cancelled' })
  await newMeeting({ date, startTime: null, endTime: null })
  await newMeeting({ date: '2031-05-02', startTime: '09:00', endTime: '10:00' })
  const moved = await newMeeting({ date: '2031-05-03', startTime: '09:00', endTime: '10:00' })

  const brief = (id: number, titleEn: string, startTime: string, endTime: string | null) => ({
    id,
    date,
    startTime,
    endTime,
    titleAr: null,
    titleEn,
  })
  const [first, second, third] = [
    brief(early.id, 'Early', '08:00', '09:30'),
    brief(moment.id, 'Moment', '09:45', null),
    brief(touching.id, 'Touching', '10:00', '11:00'),
  ]
  const conflictsOf = async (id: number) => {
    const { items } = (await who('viewer').get(`${REQUESTS}?limit=200`)).body
    return items.find((item: { id: number }) => item.id === id).conflicts
  }
  const ask = async (fields: object) => {
    const { id } = await newRequest('requester', fields)
    return [id, await conflictsOf(id)] as const
  }
  const slot = { date, startTime: '09:00', endTime: '10:00' }
  const [id, conflicts] = await ask({ type: 'create', details: { ...slot, titleEn: 'New' } })
  assert.deepEqual(conflicts, [first, second])
  assert.deepEqual((await ask({ type: 'reschedule', meetingId: moved.id, details: { date } }))[1], [first, second])
  assert.deepEqual((await ask({ type: 'edit', meetingId: touching.id, details: { startTime: '09:45' } }))[1], [second])
  assert.deepEqual((await ask({ type: 'edit', meetingId: touching.id, details: { startTime: '09:00', endTime: null } }))[1], [first])
  assert.deepEqual((await ask({ type: 'edit', meetingId: moved.id, details: { date, status: 'cancelled' } }))[1], [])
  assert.deepEqual((await ask({ type: 'edit', meetingId: moved.id, details: { date, startTime: null } }))[1], [])
  for (const [type, details] of Object.entries({ cancel: {}, note: { text: 'x' }, attendees: { attendees: [] } }))
    assert.deepEqual((await ask({ type, meetingId: early.id, details }))[1], [])

  await portal.admin.patch(`/executive-meetings/${early.id}`, { startTime: '07:00', endTime: '08:00' })
  assert.deepEqual(await conflictsOf(id), [second])
  const returned = await act(who('reviewer'), 'needs_edit', id)
  assert.deepEqual(returned.body.conflicts, [second])
  const again = await act(who('requester'), 'resubmit', id, { details: { ...slot, startTime: '10:00', endTime: '10:30', titleEn: 'New' } })
  assert.deepEqual(again.body.conflicts, [third])
  const approved = await act(who('reviewer'), 'approved', id)
  assert.deepEqual([approved.status, approved.body.conflicts], [200, []])
  assert.deepEqual(await conflictsOf(id), [])
})
