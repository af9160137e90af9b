/** The fields that a request must have, and the answers to invalid bodies. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { silence } from '../../../../test/makers.ts'
import { act, REQUESTS, requestRow } from '../../../../test/meeting-requests.ts'
import { MEETINGS } from '../../../../test/meetings.ts'
import type { Answer } from '../../../../test/portal.ts'
import { seededPortal } from '../../../../test/seed.ts'

const { portal, org, seeded, ...make } = seededPortal()
const UNKNOWN = 2 ** 31 - 1

let meetingId = 0
before(async () => {
  await seeded
  meetingId = (await make.meeting({ date: '2032-01-01', notes: 'x'.repeat(4990) })).id
})

/** Asserts a refusal with exactly these fields, without traces. */
async function assertRefused(send: () => Promise<Answer>, paths: string[], code = 'validation_failed') {
  const traces = await portal.traces(async () => {
    const { status, body, text } = await send()
    assert.deepEqual([status, body.code], [400, code], text)
    const named = body.details?.map(({ path }: { path: string }) => path)
    if (code === 'validation_failed') assert.deepEqual(named.toSorted(), paths.toSorted())
  })
  assert.deepEqual(traces, silence)
}
const propose = (body: object) => () => org.noura.post(REQUESTS, body)
const proposeAt = (id: number, body: object) => () => org.noura.post(`${MEETINGS}/${id}/requests`, body)

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
    const isNew = type === 'create'
    await assertRefused(propose({ type, meetingId: isNew ? null : meetingId, details }), paths)
    if (!isNew) await assertRefused(proposeAt(meetingId, { type, details }), paths)
  })

test('a `create` request has no meeting', async () => {
  await assertRefused(propose({ type: 'create', meetingId, details: whole }), ['meetingId'])
  await assertRefused(proposeAt(meetingId, { type: 'create', details: whole }), ['type'])
})

test('every other request has a known meeting', async () => {
  await assertRefused(propose({ type: 'cancel', details: {} }), ['meetingId'])
  for (const meetingId of [0, -1, '1', 2 ** 31, [1]])
    await assertRefused(propose({ type: 'cancel', meetingId, details: {} }), ['meetingId'])
  await assertRefused(propose({ type: 'cancel', meetingId: UNKNOWN, details: {} }), [], 'unknown_ids')
  await assertRefused(propose({ type: 'note', meetingId: UNKNOWN, details: {} }), ['details.text'])
  const { status, body } = await proposeAt(UNKNOWN, { type: 'cancel', details: {} })()
  assert.deepEqual([status, body.code], [404, 'not_found'])
})

test('only a `cancel` may come without details', async () => {
  for (const send of [propose, (body: object) => proposeAt(meetingId, body)]) {
    const { status, body, text } = await send({ type: 'cancel', meetingId })()
    assert.deepEqual([status, body.details], [201, {}], text)
    for (const type of ['reschedule', 'edit', 'attendees', 'note']) await assertRefused(send({ type, meetingId }), ['details'])
  }
  await assertRefused(propose({ type: 'create' }), ['details'])
})

test('a reason is a text of at most 1,000 characters', async () => {
  for (const reason of ['x'.repeat(1001), ['x'], 5]) {
    await assertRefused(propose({ type: 'cancel', meetingId, details: {}, reason }), ['reason'])
    await assertRefused(proposeAt(meetingId, { type: 'cancel', details: {}, reason }), ['reason'])
  }
  for (const [given, kept] of [
    [`${'x'.repeat(999)}😀`, `${'x'.repeat(999)}😀`],
    [' A\nB ', 'A\nB'],
    [' \u200b ', null],
    ['', null],
    [null, null],
  ])
    for (const send of [propose, (body: object) => proposeAt(meetingId, body)])
      assert.equal((await send({ type: 'cancel', meetingId, details: {}, reason: given })()).body.reason, kept)
})

test('unknown fields and fields of other types are dropped', async () => {
  const details = { date: '2032-03-01', text: 'x', titleEn: 'Other', isAdmin: true, __proto__: { status: 'approved' }, constructor: 1 }
  const { status, body } = await propose({ type: 'reschedule', meetingId, details, status: 'approved', requesterId: 1 })()
  assert.deepEqual([status, body.details], [201, { date: '2032-03-01' }])
  assert.deepEqual([body.status, body.requester.id], ['pending', org.noura.id])
})

test('texts are trimmed and normalised, and invisible characters are removed', async () => {
  const details = { titleEn: '  A\u202eB\u0007\nC ', titleAr: 'e\u0301', attendees: [{ name: ' A ', x: 1 }] }
  const { body } = await propose({ type: 'edit', meetingId, details })()
  assert.deepEqual(body.details, { titleEn: 'AB C', titleAr: 'é', attendees: [{ name: 'A', kind: 'internal' }] })
})

test('attendees must be active people', async () => {
  const inactive = await portal.person('inactive')
  await org.admin.patch(`/users/${inactive.id}`, { isActive: false })
  const attendees = [inactive.id, UNKNOWN, org.faisal.id].map((userId) => ({ name: 'Guest', userId }))
  const proposal = { type: 'attendees', details: { attendees } }
  for (const send of [propose({ ...proposal, meetingId }), proposeAt(meetingId, proposal)]) {
    const { status, body } = await send()
    assert.deepEqual([status, body.code, body.unknownIds], [400, 'unknown_ids', [inactive.id, UNKNOWN]])
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
  [{ action: 'resubmit', details: {}, reason: 'x'.repeat(1001) }, 'reason'],
]
const callers = () => [org.noura, org.maha, org.admin, org.faisal]
for (const [body, path] of steps)
  test(`the step ${JSON.stringify(body).slice(0, 80)} is refused with a detail for ${path}, whether the request exists or not`, async () => {
    const { id } = await make.request({ type: 'cancel', meetingId, details: {} })
    const row = await requestRow(portal, id)
    for (const by of callers()) for (const one of [id, UNKNOWN]) await assertRefused(() => by.patch(`${REQUESTS}/${one}`, body), [path])
    assert.deepEqual(await requestRow(portal, id), row)
  })

test('every step of an unknown request is refused with 404', async () => {
  for (const by of callers())
    for (const step of ['approved', 'withdraw'] as const) {
      const { status, body } = await act(by, step, UNKNOWN)
      assert.deepEqual([status, body.code], [404, 'not_found'])
    }
})

test('a resubmitted proposal must fit its type and the current state of the meeting', async () => {
  const meeting = await make.meeting({ date: '2032-04-01' })
  const { id } = await make.request({ type: 'reschedule', meetingId: meeting.id, details: { startTime: '08:00' } })
  await act(org.maha, 'needs_edit', id)
  const row = await requestRow(portal, id)
  const resubmit = (details: object) => () => act(org.noura, 'resubmit', id, { details })
  await assertRefused(resubmit({}), ['details'])
  await assertRefused(resubmit({ text: 'x' }), ['details'])
  await assertRefused(resubmit({ startTime: '10:00' }), ['details.startTime'])
  await org.admin.patch(`${MEETINGS}/${meeting.id}`, { endTime: '11:00' })
  assert.deepEqual(await requestRow(portal, id), row)
  const { status, body } = await resubmit({ startTime: '10:00', titleEn: 'Dropped' })()
  assert.deepEqual([status, body.status, body.details], [200, 'pending', { startTime: '10:00' }])
})

const create = (details: object) => propose({ type: 'create', details: { ...whole, ...details } })
const huge = 'x'.repeat(1024 * 1024 - 200)

test('the largest valid proposal is stored', async () => {
  const attendees = many(200).map(({ name }) => ({ name: name.padEnd(200, 'ي'), title: 'م'.repeat(200), kind: 'external' }))
  const details = { ...whole, notes: 'ي'.repeat(5000), attendees }
  const { status, body } = await create(details)()
  assert.deepEqual([status, body.details], [201, details])
})

test('a proposal of a megabyte is refused', async () => {
  await assertRefused(create({ notes: huge }), ['details.notes'])
  await assertRefused(create({ unknown: [huge.slice(1000)], date: 1 }), ['details.date'])
  const { status, body } = await create({ notes: `${huge}${huge}` })()
  assert.deepEqual([status, body.code], [413, 'too_large'])
})

test('an unknown field nested fourteen levels deep is dropped', async () => {
  const nested = `${'['.repeat(14)}${']'.repeat(14)}`
  const { status, body } = await org.noura.post(
    REQUESTS,
    `{"type":"create","details":{"date":"2032-02-01","titleEn":"New","deep":${nested}}}`,
  )
  assert.deepEqual([status, body.details], [201, whole])
})
