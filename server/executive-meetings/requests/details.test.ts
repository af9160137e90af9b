/** What a request must hold, field by field, and what hostile bodies get. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silence } from '../../../test/makers.ts'
import { act, REQUESTS, requestPortal } from '../../../test/meeting-requests.ts'
import { MEETINGS } from '../../../test/meetings.ts'
import { type Answer, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { who, newMeeting, newRequest, rowOf, whenReady } = requestPortal(portal)
const UNKNOWN = 2 ** 31 - 1

let meetingId = 0
const theMeeting = async () => {
  await whenReady()
  meetingId ||= (await newMeeting({ date: '2032-01-01', startTime: '09:00', endTime: '10:00', titleEn: 'Budget', notes: 'x'.repeat(4990) }))
    .id
  return meetingId
}
const pathsIn = ({ body }: Answer) => body.details?.map(({ path }: { path: string }) => path)
/** Refused with exactly these fields, without a trace. */
async function assertRefused(send: () => Promise<Answer>, paths: string[], code = 'validation_failed') {
  const traces = await portal.traces(async () => {
    const answer = await send()
    assert.deepEqual([answer.status, answer.body.code], [400, code], answer.text)
    if (code === 'validation_failed') assert.deepEqual(pathsIn(answer).toSorted(), paths)
  })
  assert.deepEqual(traces, silence)
}

const whole = { date: '2032-02-01', titleEn: 'New' }
const many = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `Guest ${n}` }))
const refused: [type: string, details: unknown, ...paths: string[]][] = [
  ['create', {}, 'details.date'],
  ['create', { date: '2032-02-01' }, 'details.titleAr', 'details.titleEn'],
  ['create', { ...whole, titleEn: ' \u202e ' }, 'details.titleAr', 'details.titleEn'],
  ['create', { ...whole, date: '2032-02-30' }, 'details.date'],
  ['create', { ...whole, date: 'soon', startTime: '9:00', endTime: 5 }, 'details.date', 'details.endTime', 'details.startTime'],
  ['create', { ...whole, startTime: '10:00', endTime: '10:00' }, 'details.endTime'],
  ['create', { ...whole, meetingUrl: 'javascript:alert(1)' }, 'details.meetingUrl'],
  ['create', { ...whole, status: 'over', isHighlighted: 'yes' }, 'details.isHighlighted', 'details.status'],
  ['create', { ...whole, attendees: [{ name: '' }] }, 'details.attendees.0.name'],
  ['create', { ...whole, attendees: [{ name: 'A', userId: '1' }] }, 'details.attendees.0.userId'],
  ['create', { ...whole, attendees: many(201) }, 'details.attendees'],
  ['create', { ...whole, titleEn: 'x'.repeat(301) }, 'details.titleEn'],
  ['reschedule', {}, 'details'],
  ['reschedule', { titleEn: 'Other' }, 'details'],
  ['reschedule', { date: null }, 'details.date'],
  ['reschedule', { endTime: '08:00' }, 'details.endTime'],
  ['reschedule', { startTime: '10:30' }, 'details.startTime'],
  ['reschedule', { startTime: '24:00' }, 'details.startTime'],
  ['edit', {}, 'details'],
  ['edit', { unknown: 1, text: 'x' }, 'details'],
  ['edit', { titleEn: null }, 'details.titleEn'],
  ['edit', { notes: 'x'.repeat(5001) }, 'details.notes'],
  ['cancel', { text: 5 }, 'details.text'],
  ['cancel', { text: 'x'.repeat(5001) }, 'details.text'],
  ['attendees', {}, 'details.attendees'],
  ['attendees', { attendees: null }, 'details.attendees'],
  ['attendees', { attendees: { length: 1 } }, 'details.attendees'],
  ['note', {}, 'details.text'],
  ['note', { text: null }, 'details.text'],
  ['note', { text: ' \n ' }, 'details.text'],
  ['note', { text: '\u200b\u200f' }, 'details.text'],
  ['note', { text: 'x'.repeat(5001) }, 'details.text'],
  ['note', { text: 'x'.repeat(10) }, 'details.text'],
  ['note', [], 'details'],
  ['note', 'text', 'details'],
  ['note', null, 'details'],
  ['note', undefined, 'details'],
  ['erase', {}, 'type'],
  ['__proto__', {}, 'type'],
]
for (const [type, details, ...paths] of refused)
  test(`${type} ${JSON.stringify(details)?.slice(0, 80)} is refused with details for ${paths}`, async () => {
    const meetingId = type === 'create' ? null : await theMeeting()
    await whenReady()
    await assertRefused(() => who('requester').post(REQUESTS, { type, meetingId, details }), paths.toSorted())
    if (meetingId !== null)
      await assertRefused(() => who('requester').post(`/executive-meetings/${meetingId}/requests`, { type, details }), paths.toSorted())
  })

test('a request to create names no meeting, and every other request a known one', async () => {
  const id = await theMeeting()
  const by = who('requester')
  await assertRefused(() => by.post(REQUESTS, { type: 'cancel', details: {} }), ['meetingId'])
  await assertRefused(() => by.post(REQUESTS, { type: 'create', meetingId: id, details: whole }), ['meetingId'])
  await assertRefused(() => by.post(`/executive-meetings/${id}/requests`, { type: 'create', details: whole }), ['type'])
  await assertRefused(() => by.post(REQUESTS, { type: 'cancel', meetingId: UNKNOWN, details: {} }), [], 'unknown_ids')
  await assertRefused(() => by.post(REQUESTS, { type: 'note', meetingId: UNKNOWN, details: {} }), ['details.text'])
  for (const meetingId of [0, -1, '1', 2 ** 31, [id]])
    await assertRefused(() => by.post(REQUESTS, { type: 'cancel', meetingId, details: {} }), ['meetingId'])
  const unknown = await by.post(`/executive-meetings/${UNKNOWN}/requests`, { type: 'cancel', details: {} })
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'not_found'])
})

test('unknown fields and fields of other types are dropped, and texts are cleaned', async () => {
  const id = await theMeeting()
  const hostile = { date: '2032-03-01', text: 'x', titleEn: 'Other', isAdmin: true, __proto__: { status: 'approved' }, constructor: 1 }
  const made = await who('requester').post(REQUESTS, {
    type: 'reschedule',
    meetingId: id,
    details: hostile,
    status: 'approved',
    requesterId: 1,
  })
  assert.deepEqual(
    [made.status, made.body.details, made.body.status, made.body.requester.id],
    [201, { date: '2032-03-01' }, 'pending', who('requester').id],
  )
  const titles = { titleEn: '  A\u202eB\u0007\nC ', titleAr: 'e\u0301' }
  const cleaned = await who('requester').post(REQUESTS, {
    type: 'edit',
    meetingId: id,
    details: { ...titles, attendees: [{ name: ' A ', x: 1 }] },
  })
  assert.deepEqual(cleaned.body.details, { titleEn: 'AB C', titleAr: 'é', attendees: [{ name: 'A', kind: 'internal' }] })
})

test('attendees must be active people', async () => {
  const id = await theMeeting()
  const gone = await portal.person('gone')
  await portal.admin.patch(`/users/${gone.id}`, { isActive: false })
  const attendees = [gone.id, UNKNOWN, who('viewer').id].map((userId) => ({ name: 'Guest', userId }))
  const proposal = { type: 'attendees', details: { attendees } }
  for (const ask of [
    () => who('requester').post(REQUESTS, { ...proposal, meetingId: id }),
    () => who('requester').post(`${MEETINGS}/${id}/requests`, proposal),
  ]) {
    const answer = await ask()
    assert.deepEqual([answer.status, answer.body.code, answer.body.unknownIds], [400, 'unknown_ids', [gone.id, UNKNOWN]])
  }
})

const steps: [body: unknown, path: string][] = [
  [{}, 'status'],
  [{ reviewNotes: 'x' }, 'status'],
  [{ status: 'approved', action: 'withdraw' }, 'action'],
  [{ status: 'pending' }, 'status'],
  [{ status: 'withdrawn' }, 'status'],
  [{ status: null }, 'status'],
  [{ action: 'approve' }, 'action'],
  [{ action: 'resubmit' }, 'details'],
  [{ action: 'resubmit', details: [] }, 'details'],
  [{ action: 'resubmit', details: { date: 5 } }, 'details.date'],
  [{ status: 'rejected', reviewNotes: 'x'.repeat(2001) }, 'reviewNotes'],
  [{ status: 'rejected', reviewNotes: ['x'] }, 'reviewNotes'],
]
for (const [body, path] of steps)
  test(`the step ${JSON.stringify(body).slice(0, 80)} is refused with a detail for ${path}, whether the request exists or not`, async () => {
    const { id } = await newRequest('requester', { type: 'cancel', meetingId: await theMeeting(), details: {} })
    const row = await rowOf(id)
    for (const by of ['requester', 'reviewer', 'admin', 'viewer'])
      for (const one of [id, UNKNOWN]) await assertRefused(() => who(by).patch(`${REQUESTS}/${one}`, body), [path])
    assert.deepEqual(await rowOf(id), row)
  })

test('every step of an unknown request answers 404', async () => {
  await whenReady()
  for (const by of ['requester', 'reviewer', 'admin', 'viewer'])
    for (const ask of ['approved', 'withdraw'] as const) {
      const { status, body } = await act(who(by), ask, UNKNOWN)
      assert.deepEqual([status, body.code], [404, 'not_found'])
    }
})

test('a resubmitted proposal must fit its type and the present state of the meeting', async () => {
  const meeting = await newMeeting({ date: '2032-04-01', startTime: '09:00', endTime: '10:00' })
  const { id } = await newRequest('requester', { type: 'reschedule', meetingId: meeting.id, details: { startTime: '08:00' } })
  await act(who('reviewer'), 'needs_edit', id)
  const row = await rowOf(id)
  const again = (details: object) => () => act(who('requester'), 'resubmit', id, { details })
  await assertRefused(again({}), ['details'])
  await assertRefused(again({ text: 'x' }), ['details'])
  await assertRefused(again({ startTime: '10:00' }), ['details.startTime'])
  await portal.admin.patch(`/executive-meetings/${meeting.id}`, { endTime: '11:00' })
  assert.deepEqual(await rowOf(id), row)
  const { status, body } = await again({ startTime: '10:00', titleEn: 'Dropped' })()
  assert.deepEqual([status, body.status, body.details], [200, 'pending', { startTime: '10:00' }])
})

test('the largest valid proposal is stored, and one of a megabyte is refused', async () => {
  await whenReady()
  const attendees = many(200).map(({ name }) => ({ name: name.padEnd(200, 'ي'), title: 'م'.repeat(200), kind: 'external' }))
  const details = { ...whole, notes: 'ي'.repeat(5000), attendees }
  const made = await who('requester').post(REQUESTS, { type: 'create', details })
  assert.equal(made.status, 201)
  assert.deepEqual(made.body.details, details)
  const huge = 'x'.repeat(1024 * 1024 - 200)
  await assertRefused(() => who('requester').post(REQUESTS, { type: 'create', details: { ...whole, notes: huge } }), ['details.notes'])
  await assertRefused(
    () => who('requester').post(REQUESTS, { type: 'create', details: { ...whole, unknown: [huge.slice(1000)], date: 1 } }),
    ['details.date'],
  )
  const over = await who('requester').post(REQUESTS, { type: 'create', details: { ...whole, notes: `${huge}${huge}` } })
  assert.deepEqual([over.status, over.body.code], [413, 'too_large'])
  const nested = `${'['.repeat(14)}${']'.repeat(14)}`
  const deep = await who('requester').post(REQUESTS, `{"type":"create","details":{"date":"2032-02-01","titleEn":"New","deep":${nested}}}`)
  assert.deepEqual([deep.status, deep.body.details], [201, whole])
})
