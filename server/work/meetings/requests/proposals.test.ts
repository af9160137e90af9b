/** The changes of approved requests of each type, and the meetings that a request would overlap with. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ascending, silence, tracing } from '../../../../test/makers.ts'
import { act, REQUESTS, requestRow } from '../../../../test/meeting-requests.ts'
import { changedDays, MEETINGS } from '../../../../test/meetings.ts'
import { seededPortal } from '../../../../test/seed.ts'

const { portal, org, meeting: newMeeting, request: newRequest } = seededPortal()
const { traced } = tracing(portal)

const executives = () => ascending([org.admin, org.maha, org.tariq, org.noura, org.faisal].map(({ id }) => id))
const meetingOf = async (id: number) => (await org.admin.get(`${MEETINGS}/${id}`)).body
const meetingsOn = async (date: string) => (await org.admin.get(`${MEETINGS}?date=${date}`)).body
const approve = (id: number, fields?: object) => act(org.maha, 'approved', id, fields)
const daysIn = (events: { event: string }[]) => events.filter(({ event }) => event === 'meetings_changed')
const linesOf = (audit: { action: string; target: number }[]) => audit.map(({ action, target }) => [action, target])

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

/** Requests, and the change that each makes to the meeting when it is approved. */
const cases: { type: string; details: object; changes: object }[] = [
  {
    type: 'reschedule',
    details: { date: '2031-01-11', startTime: '11:00', endTime: null },
    changes: { date: '2031-01-11', startTime: '11:00', endTime: null },
  },
  { type: 'reschedule', details: { endTime: '10:30' }, changes: { endTime: '10:30' } },
  {
    type: 'edit',
    details: { titleEn: 'Budget II', titleAr: null, locationEn: 'Hall', isHighlighted: true, status: 'postponed' },
    changes: { titleEn: 'Budget II', titleAr: null, locationEn: 'Hall', isHighlighted: true, status: 'postponed' },
  },
  { type: 'cancel', details: { text: 'The guest is ill' }, changes: { status: 'cancelled' } },
  { type: 'cancel', details: {}, changes: { status: 'cancelled' } },
  {
    type: 'attendees',
    details: { attendees: [{ name: 'Sami', kind: 'external' }, { name: 'Rana' }] },
    changes: { attendees: [{ ...attendee, name: 'Sami', kind: 'external' }, attendee] },
  },
  { type: 'attendees', details: { attendees: [] }, changes: { attendees: [] } },
  { type: 'note', details: { text: 'And\nthe plan' }, changes: { notes: 'Bring figures\nAnd\nthe plan' } },
]
/** A meeting without the fields that every change changes. */
const comparable = ({ attendees, updatedAt: _, sortOrder: __, ...meeting }: { attendees: { id: number }[]; [field: string]: unknown }) => ({
  ...meeting,
  attendees: attendees.map(({ id: _, ...fields }) => fields),
})

for (const { type, details, changes } of cases)
  test(`an approved ${type} with ${JSON.stringify(details)} makes exactly the expected change to the meeting`, async () => {
    const { id } = await newMeeting(start)
    const before = await meetingOf(id)
    const request = await newRequest({ type, meetingId: id, details })
    assert.deepEqual(await meetingOf(id), before)
    const { answer, audit, events } = await traced(() => approve(request.id))
    assert.equal(answer.status, 200)
    const after = await meetingOf(id)
    assert.deepEqual(comparable(after), { ...comparable(before), ...changes })
    assert.deepEqual(linesOf(audit), [
      ['meeting_request.approve', request.id],
      ['meeting.update', id],
    ])
    assert.deepEqual(audit[1]!.metadata, { before, after })
    assert.deepEqual(daysIn(events), changedDays(executives(), ...new Set<string>([before.date, after.date])))
    assert.equal((await requestRow(portal, request.id))!.meeting_id, id)
  })

test('an approved `create` creates a meeting by the requester and is linked to it', async () => {
  const { id } = await newRequest({ type: 'create', details: { ...start, date: '2031-02-01' } })
  assert.equal((await requestRow(portal, id))!.meeting_id, null)
  assert.deepEqual(await meetingsOn('2031-02-01'), [])
  const { status, body } = await approve(id, { reviewNotes: '' })
  assert.deepEqual([status, body.reviewNotes, body.next], [200, null, []])
  const [made] = await meetingsOn('2031-02-01')
  assert.deepEqual([made.id, made.createdBy, made.titleAr], [body.meetingId, org.noura.id, 'الميزانية'])
})

test('an approved `create` records the request and the meeting, and notifies the requester', async () => {
  const { id } = await newRequest({ type: 'create', details: { ...start, date: '2031-02-02' } })
  const { answer, audit, notices, events } = await traced(() => approve(id))
  assert.deepEqual(linesOf(audit), [
    ['meeting_request.approve', id],
    ['meeting.create', answer.body.meetingId],
  ])
  assert.deepEqual(audit[1]!.metadata, { before: null, after: (await meetingsOn('2031-02-02'))[0] })
  assert.deepEqual(notices, [{ user: org.noura.id, type: 'meeting', titleEn: 'Your meeting request was approved' }])
  assert.equal(daysIn(events).length, 1)
})

test('a new request is recorded with all of its fields', async () => {
  const { id: meetingId } = await newMeeting({ date: '2031-03-01' })
  const proposal = { meetingId, type: 'reschedule', details: { date: '2031-03-02' }, reason: 'The guest is late' }
  const { answer, audit } = await traced(() => org.tariq.post(REQUESTS, proposal))
  const { id } = answer.body
  const review = { reviewNotes: null, reviewerId: null, reviewedAt: null }
  const after = { id, ...proposal, status: 'pending', requesterId: org.tariq.id, ...review }
  assert.deepEqual(audit, [{ action: 'meeting_request.create', type: 'meeting_request', target: id, metadata: { before: null, after } }])
})

test('a new request notifies everybody who may decide on it, except the requester', async () => {
  const { id: meetingId } = await newMeeting({ date: '2031-03-03' })
  const { notices, events } = await portal.traces(() =>
    newRequest({ type: 'reschedule', meetingId, details: { date: '2031-03-04' }, reason: 'The guest is late' }, org.tariq),
  )
  const titleEn = 'New meeting request'
  assert.deepEqual(
    notices,
    ascending([org.admin.id, org.maha.id]).map((user) => ({ user, type: 'meeting', titleEn })),
  )
  for (const { data } of events.slice(0, 2)) {
    const { notification } = data as { notification: { bodyEn: string } }
    assert.match(notification.bodyEn, /made a request about “.+”\. The guest is late$/)
  }
  assert.deepEqual(events.slice(2), changedDays(executives(), '2031-03-03', '2031-03-04'))
})

test('resubmitting without a reason keeps the former one, and null clears it', async () => {
  const { id: meetingId } = await newMeeting({ date: '2031-03-05' })
  const again = { action: 'resubmit', details: { startTime: '09:15' } }
  const { id } = await newRequest(
    { type: 'reschedule', meetingId, details: { startTime: '09:30' }, reason: 'The guest is late' },
    org.tariq,
  )
  for (const [reason, kept] of [
    [undefined, 'The guest is late'],
    [null, null],
  ]) {
    await org.maha.patch(`${REQUESTS}/${id}`, { status: 'needs_edit' })
    const { status, body } = await org.tariq.patch(`${REQUESTS}/${id}`, { ...again, reason })
    assert.deepEqual([status, body.reason], [200, kept])
  }
})

test('approving the cancellation of a cancelled meeting does not change the meeting', async () => {
  const { id } = await newMeeting({ date: '2031-03-05', status: 'cancelled' })
  const request = await newRequest({ type: 'cancel', meetingId: id, details: {} })
  const before = await meetingOf(id)
  const { audit, events } = await portal.traces(() => approve(request.id))
  assert.deepEqual(linesOf(audit), [['meeting_request.approve', request.id]])
  assert.deepEqual([events.at(-1)], changedDays(executives(), '2031-03-05'))
  assert.deepEqual(await meetingOf(id), before)
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
    const { id } = await newRequest({ ...request, meetingId })
    assert.equal((await org.admin.patch(`${MEETINGS}/${meetingId}`, meanwhile)).status, 200)
    const [row, meeting] = [await requestRow(portal, id), await meetingOf(meetingId)]
    const { answer, ...traces } = await traced(() => approve(id))
    assert.deepEqual([answer.status, answer.body.code], [400, 'validation_failed'])
    assert.deepEqual(
      answer.body.details.map((detail: { path: string }) => detail.path),
      [path],
    )
    assert.deepEqual(traces, silence)
    assert.deepEqual([await requestRow(portal, id), await meetingOf(meetingId)], [row, meeting])
    assert.equal((await act(org.maha, 'rejected', id)).status, 200)
  })

test('an emoji counts as one character of the notes', async () => {
  const { id: meetingId } = await newMeeting({ ...start, date: '2031-04-01', notes: '😀'.repeat(4990) })
  const { id } = await newRequest({ type: 'note', details: { text: '😀'.repeat(9) }, meetingId })
  assert.equal((await approve(id)).status, 200)
  assert.equal([...(await meetingOf(meetingId)).notes].length, 5000)
})

test('a proposal whose attendee was deleted cannot be approved until it is resubmitted without them', async () => {
  const guest = await portal.person('guest')
  const visit = { date: '2031-04-02', titleEn: 'Visit' }
  const withGuest = { ...visit, attendees: [{ name: 'Guest', userId: guest.id }] }
  const { id } = await newRequest({ type: 'create', details: withGuest })
  assert.equal((await org.admin.delete(`/users/${guest.id}`)).status, 204)
  const refused = await approve(id)
  assert.deepEqual([refused.status, refused.body.code, refused.body.details[0].path], [400, 'validation_failed', 'details.attendees'])
  await act(org.maha, 'needs_edit', id)
  const again = await act(org.noura, 'resubmit', id, { details: withGuest })
  assert.deepEqual([again.status, again.body.code, again.body.unknownIds], [400, 'unknown_ids', [guest.id]])
  assert.equal((await act(org.noura, 'resubmit', id, { details: visit })).status, 200)
  assert.equal((await approve(id)).status, 200)
})

/** A day with three meetings that can overlap with a proposal, and three that cannot. */
async function fillDay(date: string) {
  const add = async (titleEn: string, startTime: string, endTime: string | null) => {
    const { id } = await newMeeting({ date, startTime, endTime, titleEn })
    return { id, date, startTime, endTime, titleAr: null, titleEn }
  }
  const early = await add('Early', '08:00', '09:30')
  const moment = await add('Moment', '09:45', null)
  const touching = await add('Touching', '10:00', '11:00')
  await newMeeting({ date, status: 'cancelled' })
  await newMeeting({ date, startTime: null, endTime: null })
  const { id: elsewhere } = await newMeeting({ date: '2031-06-01' })
  return { early, moment, touching, elsewhere }
}
/** The conflicts of a request, as Faisal reads them. */
const conflictsOf = async ({ id }: { id: number }) =>
  (await org.faisal.get(`${REQUESTS}?limit=200`)).body.items.find((item: { id: number }) => item.id === id).conflicts
const conflictsWith = async (type: string, meetingId: number | undefined, details: object) =>
  conflictsOf(await newRequest({ type, meetingId, details }))

test('a pending proposal shows the meetings it would overlap with', async () => {
  const date = '2031-05-01'
  const { early, moment, touching, elsewhere } = await fillDay(date)
  const slot = { date, startTime: '09:00', endTime: '10:00', titleEn: 'New' }
  assert.deepEqual(await conflictsWith('create', undefined, slot), [early, moment])
  assert.deepEqual(await conflictsWith('reschedule', elsewhere, { date }), [early, moment])
  assert.deepEqual(await conflictsWith('edit', touching.id, { startTime: '09:45' }), [moment])
  assert.deepEqual(await conflictsWith('edit', touching.id, { startTime: '09:00', endTime: null }), [early])
})

test('a proposal that takes no time or moves nothing overlaps with no meeting', async () => {
  const date = '2031-05-02'
  const { early, elsewhere } = await fillDay(date)
  assert.deepEqual(await conflictsWith('edit', elsewhere, { date, status: 'cancelled' }), [])
  assert.deepEqual(await conflictsWith('edit', elsewhere, { date, startTime: null }), [])
  for (const [type, details] of Object.entries({ cancel: {}, note: { text: 'x' }, attendees: { attendees: [] } }))
    assert.deepEqual(await conflictsWith(type, early.id, details), [])
})

test('the conflicts of a proposal follow changes of the meetings and the proposal until it is approved', async () => {
  const date = '2031-05-03'
  const { early, moment, touching } = await fillDay(date)
  const slot = { date, startTime: '09:00', endTime: '10:00', titleEn: 'New' }
  const request = await newRequest({ type: 'create', details: slot })
  await org.admin.patch(`${MEETINGS}/${early.id}`, { startTime: '07:00', endTime: '08:00' })
  assert.deepEqual(await conflictsOf(request), [moment])
  assert.deepEqual((await act(org.maha, 'needs_edit', request.id)).body.conflicts, [moment])
  const later = { ...slot, startTime: '10:00', endTime: '10:30' }
  assert.deepEqual((await act(org.noura, 'resubmit', request.id, { details: later })).body.conflicts, [touching])
  const { status, body } = await approve(request.id)
  assert.deepEqual([status, body.conflicts, await conflictsOf(request)], [200, [], []])
})
